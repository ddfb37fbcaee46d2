// Stands in for an agent program: writes down how it was started and what came on stdin, does what the scene in the prompt says, and
// prints what the real program printed in it. Arguments: the folder for its record, the program it stands for, and the real arguments.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPlay, type Scene, writeCommand } from "../agent-scene.ts";

export type RecordedStart = {
  readonly name: string;
  readonly args: readonly string[];
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

const [folder = "", name = "", ...args] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
const stdin = Buffer.concat(chunks);
const record: RecordedStart = {
  name,
  args,
  prompt: stdin.toString("base64"),
  env: process.env as Record<string, string>,
  cwd: process.cwd(),
};
appendFileSync(path.join(folder, "starts.jsonl"), `${JSON.stringify(record)}\n`);

const asked = readPlay(stdin.toString("utf8"));
const scene: Scene = asked?.scenes[0] ?? "talk";
const recording = path.join(
  ...[import.meta.dirname, "..", "recordings", name],
  ["401", "429", "hang"].includes(scene) ? scene : "ok",
);
const read = (file: string) => readFileSync(path.join(recording, file), "utf8");

// Real agents run their tools in sessions of their own, too.
if (asked !== null && (scene === "done" || scene === "work")) {
  const tool = spawn("sh", ["-c", writeCommand(scene, asked.folder)], { detached: true, stdio: "ignore" });
  await once(tool, "exit");
}
process.stdout.write(read("stdout.txt"));
process.stderr.write(read("stderr.txt"));
if (scene === "hang") await sleep(1_000_000);
process.exitCode = (JSON.parse(read("end.json")) as { exitCode: number | null }).exitCode ?? 1;
