// `run-agent output`: what a run wrote, from the beginning or the last lines, and as it grows until the run has ended.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { AppError } from "../../../lib/app-error.ts";
import { requireRun } from "../../../runner/layout/locate.ts";
import { probeRun } from "../../../runner/layout/reconcile-run.ts";
import { readRunInfo } from "../../../runner/layout/run-info.ts";
import { inRun, type RunFolder, type RunnerRoot } from "../../../runner/layout/runner-root.ts";
import { withoutEscapes } from "../../plain-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { taskOf } from "../place.ts";

export type OutputOptions = {
  readonly file: "output" | "stdout" | "stderr" | "prompt";
  readonly follow?: true;
  readonly tail?: number;
};

const pieceBytes = 64 * 1024;
const everyMs = 250;
/** What --json holds in memory. */
const jsonMaxBytes = 16 * 1024 * 1024;

export async function showOutput(
  given: AgentInvocation,
  runText: string | undefined,
  options: OutputOptions,
): Promise<void> {
  const { root, task } = taskOf(given);
  const run = requireRun(root, task, runText ?? null);
  const file = inRun(run, options.file);
  if (given.output.isJson) return showAsJson(given, root, run, file, options);
  const reader = new FileReader(root, file, (text) => given.host.terminal.out(forTerminal(given, text)));
  if (options.tail !== undefined) reader.skipToLastLines(options.tail);
  let isThere = reader.readOn();
  while (options.follow && isActive(root, run) && !given.host.stop.aborted) {
    await given.host.env.sleep(everyMs, given.host.stop).catch(() => {});
    isThere = reader.readOn() || isThere;
  }
  // The last words may have come between the last look and the end of the run.
  if (options.follow) isThere = reader.readOn() || isThere;
  reader.end();
  if (!isThere) given.output.say(missing(file, isActive(root, run)));
}

const forTerminal = ({ host }: AgentInvocation, text: string): string =>
  host.terminal.columns === null ? text : withoutEscapes(text);

const missing = (file: string, isRunning: boolean): string =>
  isRunning ? `${file} is not there yet. Wait for it with --follow.` : `${file} is not there.`;

/** It may be, where its process is on another host. */
function isActive(root: RunnerRoot, run: RunFolder): boolean {
  const info = readRunInfo(root, run);
  return info.status === "running" && probeRun(root, info) !== "dead";
}

function showAsJson(
  given: AgentInvocation,
  root: RunnerRoot,
  run: RunFolder,
  file: string,
  options: OutputOptions,
): void {
  if (options.follow) throw new AppError("invalid_request", "--follow prints text as it comes. Leave out --json.");
  let text = "";
  const reader = new FileReader(root, file, (piece) => {
    text += piece;
    if (text.length > jsonMaxBytes)
      throw new AppError("too_large", `${file} is too large for --json. Use --tail, or leave out --json.`);
  });
  if (options.tail !== undefined) reader.skipToLastLines(options.tail);
  const isThere = reader.readOn();
  reader.end();
  given.output.data({ run_id: run.runId, file, exists: isThere, text }, () => "");
}

/** Reads a file that grows. Bytes that are no UTF-8 become replacement characters. */
class FileReader {
  readonly #root: RunnerRoot;
  readonly #file: string;
  readonly #write: (text: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #at = 0;

  constructor(root: RunnerRoot, file: string, write: (text: string) => void) {
    this.#root = root;
    this.#file = file;
    this.#write = write;
  }

  /** Whatever was added. False: there is no such file yet. */
  readOn(): boolean {
    return this.#withFile((fd, size) => {
      // A file that was written anew is read anew.
      if (size < this.#at) this.#at = 0;
      const bytes = Buffer.allocUnsafe(pieceBytes);
      for (let got = -1; got !== 0 && this.#at < size; this.#at += got) {
        got = readSync(fd, bytes, 0, Math.min(pieceBytes, size - this.#at), this.#at);
        if (got > 0) this.#write(this.#decoder.write(bytes.subarray(0, got)));
      }
    });
  }

  /** So that reading begins with the last `count` lines. */
  skipToLastLines(count: number): void {
    this.#withFile((fd, size) => {
      const bytes = Buffer.allocUnsafe(pieceBytes);
      let lines = 0;
      for (let end = size; end > 0; ) {
        const begin = Math.max(0, end - pieceBytes);
        const got = readSync(fd, bytes, 0, end - begin, begin);
        for (let at = got - 1; at >= 0; at--) {
          // The end of the last line does not begin another one.
          if (bytes[at] !== 0x0a || begin + at === size - 1 || ++lines < count) continue;
          this.#at = begin + at + 1;
          return;
        }
        end = begin;
      }
    });
  }

  end(): void {
    const rest = this.#decoder.end();
    if (rest !== "") this.#write(rest);
  }

  #withFile(work: (fd: number, size: number) => void): boolean {
    if (this.#root.disk.kindOf(this.#file) === null) return false;
    const fd = this.#root.disk.open(this.#file, constants.O_RDONLY);
    try {
      work(fd, fstatSync(fd).size);
    } finally {
      closeSync(fd);
    }
    return true;
  }
}
