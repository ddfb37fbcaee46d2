// Everything an agent prints: kept as it came, and read line by line for what it says about itself.

import type { Heard, OutputReader } from "../backends/backend.ts";
import { inRun, type RunFolder, type RunnerRoot } from "../layout/runner-root.ts";
import type { Hear } from "./agent-process.ts";
import { keepLastLines, splitLines } from "./lines.ts";
import { type OutputLimits, openOutputLog, outputLimits } from "./output-log.ts";

export type Ear = {
  readonly hear: Hear;
  /** Bytes so far, on both streams. */
  readonly bytes: () => number;
  /** Call once: writes down the rest. */
  readonly end: () => HeardAll;
};

export type HeardAll = {
  readonly heard: Heard;
  /** The last lines. */
  readonly stderr: string;
  readonly notes: readonly string[];
};

/** As many as go to the bus when a run has failed. */
const stderrLines = 50;

export function openEar(
  root: RunnerRoot,
  run: RunFolder,
  reader: OutputReader,
  limits: OutputLimits = outputLimits,
): Ear {
  const logs = {
    stdout: openOutputLog(root.disk, inRun(run, "stdout"), limits),
    stderr: openOutputLog(root.disk, inRun(run, "stderr"), limits),
  };
  const lines = { stdout: splitLines(), stderr: splitLines() };
  const last = keepLastLines(stderrLines);
  let faults = 0;
  const read = (line: string) => {
    try {
      reader.line(line);
    } catch {
      // A reader that stumbles over a line must not take the run with it.
      faults += 1;
    }
  };
  const take = (stream: "stdout" | "stderr", texts: readonly string[]) => {
    for (const text of texts) (stream === "stdout" ? read : last.add)(text);
  };
  return {
    bytes: () => logs.stdout.size() + logs.stderr.size(),
    hear: (stream, chunk) => {
      logs[stream].write(chunk, root.env.now());
      take(stream, lines[stream].push(chunk));
    },
    end: () => {
      for (const stream of ["stdout", "stderr"] as const) take(stream, lines[stream].end());
      const notes = [logs.stdout.close(), logs.stderr.close()].filter((note) => note !== null);
      if (faults > 0) notes.push(`${faults} lines of the output could not be read.`);
      return { heard: reader.heard(), stderr: last.text(), notes };
    },
  };
}
