// What an agent prints into. Node's own pipes are sockets, and `echo … > /dev/stderr` in a shell fails on a socket, so a named pipe is
// made, opened at both ends and unlinked.

import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import type { Readable } from "node:stream";

export type AgentPipe = {
  /** For the agent; close it once the agent has it, or the end is never seen. */
  readonly writeEnd: number;
  readonly readable: Readable;
};

/** Null: this system has no named pipes, and the caller uses a pipe of Node's. */
export function openAgentPipes(folder: string, count: number): readonly AgentPipe[] | null {
  const files = Array.from({ length: count }, (_, index) => path.join(folder, `pipe-${process.pid}-${index}`));
  try {
    execFileSync("mkfifo", ["-m", "600", ...files], { stdio: "ignore", timeout: 10_000 });
    return files.map(openPipe);
  } catch {
    return null;
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

function openPipe(file: string): AgentPipe {
  // Without O_NONBLOCK the first end would wait for the other.
  const readEnd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const writeEnd = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW);
  return { writeEnd, readable: new net.Socket({ fd: readEnd, readable: true, writable: false }) };
}

export function closeWriteEnds(pipes: readonly AgentPipe[]): void {
  for (const { writeEnd } of pipes) closeSync(writeEnd);
}
