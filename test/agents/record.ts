// Records what a real agent program prints, started exactly as its adapter says, against a model server on this machine:
// `node test/agents/record.ts <folder with the programs> <http://127.0.0.1:port> <backend> <case> [seconds [earlier case]]`.
// The server plays the case that is in the path, /s/<case>/. Nothing of this machine's HOME or environment is given to the agent.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentCommand } from "../../src/runner/backends/backend.ts";
import { requireBackend } from "../../src/runner/backends/backends.ts";
import { trimRecording } from "./trim-recording.ts";

const [programs = "", server = "", name = "", scene = "", seconds = "120", earlier = ""] = process.argv.slice(2);
const backend = requireBackend(name);
const models: Readonly<Record<string, string>> = {
  codex: "gpt-5.5",
  gemini: "gemini-2.5-pro",
  opencode: "lab/fake-model",
};
/** Claude and Gemini add the version themselves. */
const baseUrl = `${server}/s/${scene}${["claude", "gemini"].includes(name) ? "" : "/v1"}`;
const graceMs = 4_000;

const root = mkdtempSync(path.join(os.tmpdir(), "homework-recording-"));
const at = (...names: readonly string[]) => path.join(root, ...names);
for (const folder of ["work", "own", "home", "tmp"]) mkdirSync(at(folder));
writeFileSync(
  at("prompt.md"),
  `WORKDIR=${at("work")}\nWrite a file DONE in the work directory, then say that you are finished.`,
);

type Ended = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly wasTimedOut: boolean;
};

function ask(session: string | null): AgentCommand {
  const request = { promptFile: at("prompt.md"), workFolder: at("work"), ownFolder: at("own"), program: [] };
  const command = backend.command({
    ...request,
    model: models[name] ?? null,
    baseUrl,
    token: scene === "no-key" ? null : "fake-key",
    session,
  });
  for (const folder of command.folders) mkdirSync(folder, { recursive: true });
  for (const file of command.files) {
    mkdirSync(path.dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.text);
  }
  return command;
}

function run(command: AgentCommand): Promise<Ended> {
  const env = { LANG: "C.UTF-8", TERM: "dumb", NO_COLOR: "1", HOME: at("home"), TMPDIR: at("tmp"), ...command.env };
  const PATH = `${path.join(programs, "node_modules", ".bin")}:/usr/local/bin:/usr/bin:/bin`;
  const stdio = [openSync(at("prompt.md"), "r"), openSync(at("stdout.txt"), "w"), openSync(at("stderr.txt"), "w")];
  const child = spawn(command.file, command.args, { cwd: at("work"), env: { ...env, PATH }, detached: true, stdio });
  let wasTimedOut = false;
  const send = (signal: NodeJS.Signals) =>
    child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, signal);
  const timer = setTimeout(() => {
    wasTimedOut = true;
    send("SIGTERM");
    setTimeout(() => send("SIGKILL"), graceMs).unref();
  }, Number(seconds) * 1_000);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, wasTimedOut });
    });
  });
}

function hear() {
  const { line, heard } = backend.reader();
  for (const each of readFileSync(at("stdout.txt"), "utf8").split("\n")) line(each);
  return heard();
}

/** To go on with a session there has to be one. */
let session: string | null = null;
if (earlier !== "") {
  await run(ask(null));
  session = hear().session;
}
const ended = await run(ask(session));
const heard = hear();
const stderr = readFileSync(at("stderr.txt"), "utf8");
process.stdout.write(
  `${JSON.stringify({ ...ended, heard, verdict: backend.judge({ ...ended, heard, stderr, timeZone: "UTC" }, Date.now()) }, null, 2)}\n`,
);

const folder = path.join(import.meta.dirname, "recordings", name, earlier === "" ? scene : `${scene}-${earlier}`);
mkdirSync(folder, { recursive: true });
for (const file of ["stdout.txt", "stderr.txt"])
  writeFileSync(path.join(folder, file), trimRecording(readFileSync(at(file), "utf8"), { root, programs, server }));
writeFileSync(
  path.join(folder, "end.json"),
  `${JSON.stringify(ended)
    .replaceAll(/([{,:])/g, "$1 ")
    .replace("}", " }")}\n`,
);
if (process.env.KEEP_RECORDING) process.stdout.write(`${root}\n`);
else rmSync(root, { recursive: true, force: true });
