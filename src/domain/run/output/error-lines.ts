// Which lines of what a program printed are errors. A line is one by where the word stands, not by having it somewhere:
// code, diffs and sentences about errors do not count.

import { isRecord, readJson } from "../../../lib/json.ts";
import { errorFingerprint } from "../gate/fingerprint.ts";

/** Errors stand at the end; a build log of megabytes is not read to its beginning. */
const readMax = 200_000;
const lineMax = 500;
const linesMax = 20;

/** What may stand before an error: colours, times, levels, a place in a file. Each is taken away once. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const before: readonly RegExp[] = [
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?[:\s-]*/,
  /^\[?\d\d:\d\d:\d\d[\d.,]*\]?\s+/,
  /^[\w@~.\\/-]{1,300}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)):?\s+(?:-\s+)?/,
  /^(?:Uncaught|Unhandled|Caused by:|npm|✗|✖|×|⨯|E)\s+/,
];

/** How a line begins that is an error. */
const beginnings: readonly RegExp[] = [
  /^[A-Za-z_.$]{0,100}(?:Error|Exception)(?: \[\w+\])?:\s/, // TypeError: x
  /^(?:fatal )?error(?:\[\w+\]| [A-Z]+\d+)?:\s/, // error[E0308]: x, error TS2345: x
  /^(?:fatal|panic|FATAL|ERROR|ERR!|CRITICAL)(?::\s|\s(?=\S))/,
  /^\[(?:ERROR|FATAL|error|fatal)\]\s/,
  /^(?:FAIL|FAILED)[:\s]\s*\S/,
  /^(?:BUILD FAILED|Segmentation fault|Traceback \(most recent call last\)|Exception in thread)/,
  /^Failed to [a-z]/,
  /^make(?:\[\d+\])?: \*\*\* /,
  /^[\w./-]{1,100}: (?:line \d+: )?[\w./'-]{1,100}: (?:command not found|No such file or directory|Permission denied)/,
];

/** In the order they were printed, the last ones. */
export function errorLines(output: string): readonly string[] {
  const lines = output
    .slice(-readMax)
    .replace(colours, "")
    .split(/\r\n|\n|\r/);
  const inDiff = diffLines(lines);
  return lines
    .flatMap((line, at) => (inDiff[at] ? [] : (errorIn(line.slice(0, lineMax).trim()) ?? [])))
    .slice(-linesMax);
}

/** The same whatever order its errors were printed in. Null where nothing was an error. */
export function outputErrorFingerprint(output: string): string | null {
  const prints = errorLines(output).flatMap((line) => errorFingerprint(line) ?? []);
  return errorFingerprint([...new Set(prints)].sort().join("\n"));
}

function errorIn(line: string): string | null {
  if (line.startsWith("{")) return errorInEvent(line);
  const text = before.reduce((rest, pattern) => rest.replace(pattern, ""), line);
  return beginnings.some((beginning) => beginning.test(text)) ? text : null;
}

/** An event of an agent: an error only where it says so, whatever words are in it. */
function errorInEvent(line: string): string | null {
  const event = readJson(line);
  if (!isRecord(event)) return null;
  const { type, is_error, error, message, result } = event;
  if (is_error !== true && type !== "error" && (error === undefined || error === null || error === false)) return null;
  const inner = isRecord(error) ? error.message : error;
  const said = [inner, message, result].find((each) => typeof each === "string" && each !== "");
  return typeof said === "string" ? said.slice(0, lineMax) : "an error without a message";
}

/** A diff goes from its header to the first line that cannot be part of it. */
function diffLines(lines: readonly string[]): readonly boolean[] {
  let isInside = false;
  return lines.map((line) => {
    if (/^(?:diff --git |@@ -\d|index [0-9a-f]{4,}\.\.|(?:---|\+\+\+) \S)/.test(line)) isInside = true;
    else if (!/^[ +\-\\]/.test(line)) isInside = false;
    return isInside || /^[+-]/.test(line);
  });
}
