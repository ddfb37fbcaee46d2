// The model lab for coding agents: it plays the scene that the prompt names, with the shell tool of the agent that asks. Beside it a
// proxy that lets nothing through and remembers who was asked for: agents under test talk to this machine alone.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Lab, startLab } from "../lab/lab.ts";
import type { LabReply, LabRequest, LabToolCall } from "../lab/lab-protocol.ts";
import { lastWords, type Play, readPlay, type Scene, writeCommand } from "./agent-scene.ts";

export type AgentLab = Lab & {
  /** What the proxy was asked for: anything here is a host outside. */
  readonly outside: readonly string[];
  readonly proxyUrl: string;
};

/** What an agent does, as a command for its shell, and what it says then. */
export type Act = { readonly command: string; readonly says: string };

export type Acts = {
  /** Scenes of a test's own, by name. */
  readonly scenes?: Readonly<Record<string, (play: Play) => Act>>;
  /** What a reviewer does, from its prompt. */
  readonly review?: (prompt: string) => Act;
};

export async function startAgentLab(acts: Acts = {}): Promise<AgentLab> {
  const played = new Map<string, string[]>();
  const lab = await startLab({ script: (request) => play(request, played, acts), models: ["lab-model"] });
  const outside: string[] = [];
  const proxy = createServer((request, response) => {
    outside.push(request.url ?? "");
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    outside.push(request.url ?? "");
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    ...lab,
    outside,
    proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      await lab.close();
      const closed = once(proxy, "close");
      proxy.close();
      proxy.closeAllConnections();
      await closed;
    },
  };
}

/** A command may wait for its test for so long; what agents give it by themselves is less. */
const commandMs = 600_000;
/** The most that codex waits at a time. */
const yieldMs = 30_000;

/** Tools that run a command, and how each of them is asked. */
const shells: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: "Work", timeout: commandMs }),
  exec_command: (cmd) => ({ cmd, yield_time_ms: yieldMs }),
  run_shell_command: (command) => ({ command, description: "Work" }),
  bash: (command) => ({ command, description: "Work", timeout: commandMs }),
};

/** By folder of the task: its runs, in the order in which they came. */
type Played = Map<string, string[]>;

function play(request: LabRequest, played: Played, acts: Acts): LabReply | Promise<LabReply> {
  const isAsked = (text: string) => readPlay(text) !== null || isReview(text);
  const at = request.turns.findLastIndex(({ role, text }) => role === "user" && isAsked(text));
  const prompt = request.turns[at]?.text ?? "";
  const asked = readPlay(prompt);
  const scene = asked === null ? null : pickScene(asked, played);
  const fault = scene === null ? null : playFault(scene);
  if (fault !== null) return fault;
  const act = isReview(prompt) ? acts.review?.(prompt) : asked && playScene(scene ?? "done", asked, acts);
  const call = act ? findCall(request, act.command) : null;
  // Without tools it is asked for a title.
  if (!act || call === null) return { text: "Plants" };
  const results = request.turns.slice(at + 1).flatMap((turn) => turn.results);
  const wait = waitForCommand(request, results.at(-1)?.text ?? "");
  if (wait !== null) return { text: "It still runs.", toolCalls: [wait] };
  if (scene === "talk" || results.length > 0) return { text: act.says };
  // Claude may be asked to think, and what it says then begins with a thought.
  const reasoning = request.protocol === "anthropic" ? [{ text: "Plants need water." }] : [];
  return { reasoning, text: "I water the plants.", toolCalls: [call] };
}

/** Its prompt has an objective, too; it is known by its first words. */
const isReview = (prompt: string): boolean => prompt.includes("You review changes that another agent made.");

const playScene = (scene: Scene, asked: Play, { scenes = {} }: Acts): Act =>
  scenes[scene]?.(asked) ?? { command: writeCommand(scene, asked.folder), says: lastWords };

function pickScene({ scenes, folder, run }: Play, played: Played): Scene {
  const runs = played.get(folder) ?? [];
  played.set(folder, runs);
  if (!runs.includes(run)) runs.push(run);
  return scenes[runs.indexOf(run)] ?? scenes.at(-1) ?? "done";
}

function playFault(scene: Scene): LabReply | Promise<LabReply> | null {
  if (scene === "401") return { status: 401 };
  // What tries again by itself does so soon.
  if (scene === "429") return { status: 429, headers: { "retry-after": "1" } };
  return scene === "hang" ? new Promise(() => {}) : null;
}

/** Codex answers while a command is still running, and is asked again. */
function waitForCommand({ tools }: LabRequest, result: string): LabToolCall | null {
  const [, session] = /Process running with session ID (\d+)/.exec(result) ?? [];
  if (session === undefined || !tools.includes("write_stdin")) return null;
  return { name: "write_stdin", args: { session_id: Number(session), chars: "", yield_time_ms: yieldMs } };
}

function findCall({ tools }: LabRequest, command: string): LabToolCall | null {
  const name = tools.find((each) => Object.hasOwn(shells, each));
  return name === undefined ? null : { name, args: shells[name]?.(command) ?? {} };
}
