// The agent's own process: in a session and group of its own, its prompt on stdin as a file, its output read by the shim.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { hasCode } from "../../files/has-code.ts";
import { identify, type ProcessIdentity } from "../../files/process-identity.ts";
import { inRun, type RunFolder, type RunnerRoot } from "../layout/runner-root.ts";
import { closeWriteEnds, openAgentPipes } from "./agent-pipe.ts";
import type { JobOrder } from "./job.ts";

export type AgentExit = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

export type AgentProcess = {
  readonly identity: ProcessIdentity;
  readonly exit: Promise<AgentExit>;
  /** Resolves when both streams have come to their end, which processes that the agent left behind may put off. */
  readonly drained: Promise<void>;
  /** Reads no more. */
  readonly close: () => void;
};

export type Hear = (stream: "stdout" | "stderr", chunk: Buffer) => void;

/** A text says why it could not be started. */
export async function startAgent(
  root: RunnerRoot,
  run: RunFolder,
  order: JobOrder,
  hear: Hear,
): Promise<AgentProcess | string> {
  const { command } = order;
  if (!isFolder(command.workFolder)) return `The work folder ${command.workFolder} is missing.`;
  const prompt = command.stdin === "prompt" ? root.disk.open(inRun(run, "prompt"), constants.O_RDONLY) : null;
  const pipes = openAgentPipes(run.path, 2);
  try {
    const [out, err] = pipes ?? [];
    const child = spawn(command.file, command.args, {
      cwd: command.workFolder,
      env: order.env,
      detached: true,
      windowsHide: true,
      stdio: [prompt ?? "ignore", out?.writeEnd ?? "pipe", err?.writeEnd ?? "pipe"],
    });
    const exit = exitOf(child);
    const failure = await startOf(child);
    const streams = [out?.readable ?? child.stdout, err?.readable ?? child.stderr].filter((each) => each !== null);
    if (failure !== null) {
      for (const stream of streams) stream.destroy();
      return describeFailure(command.file, failure);
    }
    return follow(child, exit, streams, hear);
  } catch (error) {
    return describeFailure(command.file, error);
  } finally {
    if (prompt !== null) closeSync(prompt);
    if (pipes !== null) closeWriteEnds(pipes);
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

const startOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((done) => {
    child.once("spawn", () => done(null));
    child.once("error", done);
  });

function describeFailure(file: string, error: unknown): string {
  if (hasCode(error, "ENOENT")) return `${file} was not found. Install it, or give its full path.`;
  if (hasCode(error, "EACCES")) return `${file} may not be executed.`;
  if (hasCode(error, "E2BIG")) return `${file} could not be started: its arguments are too long.`;
  return `${file} could not be started: ${error instanceof Error ? error.message : String(error)}`;
}

const exitOf = (child: ChildProcess): Promise<AgentExit> =>
  new Promise((done) => {
    child.once("exit", (exitCode, signal) => done({ exitCode, signal }));
  });

function follow(child: ChildProcess, exit: Promise<AgentExit>, streams: readonly Readable[], hear: Hear): AgentProcess {
  const pid = child.pid ?? 0;
  const names = ["stdout", "stderr"] as const;
  const ends = streams.map((stream, index) => {
    stream.on("data", (chunk: Buffer) => hear(names[index] ?? "stdout", chunk));
    return new Promise<void>((done) => {
      stream.once("close", done);
      // A broken pipe is an end, too.
      stream.once("error", () => done());
    });
  });
  return {
    // One that has ended already is in no list of processes: this is then the name of none.
    identity: identify(pid) ?? { pid, started: "ended" },
    exit,
    drained: Promise.all(ends).then(() => {}),
    close: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}
