// What an agent is to do in a test is a line of its prompt: the model lab and the recorder read it there, so one server can play
// different scenes for runs that follow each other.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export type Scene =
  /** Writes DONE with a tool and says so. */
  | "done"
  /** Says something and ends. */
  | "talk"
  /** The provider refuses the key. */
  | "401"
  /** The provider's limit is reached. */
  | "429"
  /** The provider never answers. */
  | "hang"
  /** A tool works until it is let go, then writes DONE. */
  | "work"
  /** Of a test's own (`Acts`). */
  | `own_${string}`;

/** In the words of `run-agent task`, whose prompts are read, too. */
export const writePrompt = (scene: Scene, folder: string): string =>
  `You have one task.\nTask folder: ${folder}\nRun: the only one\n\n${writeObjective([scene])}\n`;

/** The nth start of a task plays the nth scene. */
export const writeObjective = (scenes: readonly Scene[]): string =>
  `Water the plants.\nSCENES ${scenes.join(",")}\nSay when you are finished.`;

export type Play = { readonly scenes: readonly Scene[]; readonly folder: string; readonly run: string };

export function readPlay(prompt: string): Play | null {
  const [, folder] = /^Task folder: (\S+)$/m.exec(prompt) ?? [];
  const [, run] = /^Run: (.+)$/m.exec(prompt) ?? [];
  const [, scenes] = /^SCENES ([\w,]+)$/m.exec(prompt) ?? [];
  if (folder === undefined || run === undefined || scenes === undefined) return null;
  return { scenes: scenes.split(",") as Scene[], folder, run };
}

export const lastWords = "The plants are watered.";

/** A tool at work says that it is, and waits to be let go. */
export const toolMarks = (folder: string) => ({
  begun: path.join(folder, "tool.pid"),
  letGo: path.join(folder, "let-go"),
  done: path.join(folder, "DONE"),
});

/** Null: no tool works yet. */
export function readToolPid(folder: string): number | null {
  const { begun } = toolMarks(folder);
  const text = existsSync(begun) ? readFileSync(begun, "utf8") : "";
  return text.endsWith("\n") ? Number(text) : null;
}

/** For a shell. */
export function writeCommand(scene: Scene, folder: string): string {
  const { begun, letGo, done } = toolMarks(folder);
  const wait = `echo $$ > '${begun}'; while [ ! -e '${letGo}' ]; do sleep 0.1; done; `;
  return `${scene === "work" ? wait : ""}echo finished > '${done}'`;
}
