// Any program: the prompt on stdin, text on stdout, exit code 0 for success. It has no events, so its end is its exit code, and its
// text is all it printed.

import { AppError } from "../../lib/app-error.ts";
import { checkValue } from "./arguments.ts";
import type { AgentCommand, AgentEnd, AgentRequest, Backend, OutputReader, Verdict } from "./backend.ts";
import { judgeEnd } from "./judge-end.ts";
import { keepTranscript } from "./transcript.ts";

export const command: Backend = {
  name: "command",
  keyVariable: null,
  version: null,
  command: describeCommand,
  reader,
  judge,
};

function describeCommand({ program: [file, ...args] }: AgentRequest): AgentCommand {
  if (file === undefined || file.trim() === "")
    throw new AppError("invalid_request", "The command backend needs a program to start.");
  return {
    file: checkValue("a program", file),
    // An argument may be empty, as it is the person's own.
    args: args.map((each) => (each === "" ? each : checkValue("an argument", each))),
    env: {},
    lets: [],
    stdin: "prompt",
    folders: [],
    files: [],
  };
}

function reader(): OutputReader {
  const transcript = keepTranscript();
  return { line: (text) => transcript.say(`${text}\n`, true), heard: transcript.heard };
}

function judge(end: AgentEnd, nowMs: number): Verdict {
  if (end.exitCode === 0 && end.signal === null && !end.wasTimedOut) return { kind: "ok" };
  const verdict = judgeEnd(end, nowMs, null);
  // "Permission denied" may be about a file: what a program that we do not know prints refuses nothing.
  return verdict.kind === "refused" ? { kind: "failed", why: verdict.why } : verdict;
}
