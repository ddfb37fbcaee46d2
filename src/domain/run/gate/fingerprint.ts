// Tells the same error and the same set of actions again, although ids, numbers, times and paths in them differ.

import type { IterationError } from "../iteration-result.ts";

/** Replaced from top to bottom; what is left is what the text is about. */
const variables: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), ""], // colours of terminals
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<id>"],
  [/\b\d{4}-\d\d-\d\d[t ]\d\d:\d\d(:\d\d)?([.,]\d+)?(z|[+-]\d\d:?\d\d)?\b/gi, "<time>"],
  [/\b\d{4}-\d\d-\d\d\b/g, "<time>"],
  // Not behind a name: there it is a line and a column.
  [/(?<![^\s("'[<=,])\d{1,2}:\d\d(:\d\d)?([.,]\d+)?\b/g, "<time>"],
  [/\b\d+(\.\d+)? ?(ms|s|secs?|seconds?|mins?|minutes?|h|hours?)\b/gi, "<time>"],
  [/\bhttps?:\/\/[^\s"'<>)]+/gi, "<url>"],
  [/(?:[a-z]:)?(?:[\w.@~-]*[\\/])+[\w.@~-]+/gi, "<path>"],
  [/\b0x[0-9a-f]+\b/gi, "<id>"],
  [/\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/gi, "<id>"],
  [/\b[a-z]+_(?=[a-z]*\d)[a-z0-9]{6,}\b/gi, "<id>"], // a name with an id, not snake_case
  // TS2345, E0308, status 404, exit code 2: what the error is, not where it was.
  [/(?<!\b(?:[A-Z]{1,8}|(?:[Ss]tatus|HTTP|[Cc]ode|[Ee]xit|[Ee]rrno)(?: code)?[ :=]{1,2})\d*)\d+(\.\d+)?/g, "<n>"],
];

/** The beginning of a message says what it is about; patterns over a megabyte of output would take minutes. */
const readMax = 2_000;
/** Long enough to tell errors apart, short enough to keep beside a run. */
const lengthMax = 300;

/** Null where there is nothing to compare. */
export function errorFingerprint(message: string): string | null {
  const plain = variables.reduce((text, [pattern, name]) => text.replace(pattern, name), message.slice(0, readMax));
  const normal = plain.toLowerCase().replace(/\s+/g, " ").trim();
  return normal === "" ? null : normal.slice(0, lengthMax);
}

/** Long enough for the whole message of a provider or a tool. */
const errorTextMax = 4_000;

/** An error as an iteration keeps it; null where there is nothing to say. */
export function toIterationError(message: string): IterationError | null {
  const fingerprint = errorFingerprint(message);
  return fingerprint === null ? null : { fingerprint, text: message.trim().slice(0, errorTextMax) };
}

/** The same action for another step of the plan is another action. */
export type Action = { readonly tool: string; readonly args: unknown; readonly stepId?: string | null };

/** The same whatever order the actions and their arguments stand in. Null where there were none. */
export function actionFingerprint(actions: readonly Action[]): string | null {
  if (actions.length === 0) return null;
  const each = actions.map(({ tool, args, stepId }) => `${stepId ?? ""}:${tool}(${canonical(args)})`).sort();
  return [...new Set(each)].join("\n");
}

/** JSON with sorted keys and without what changes from one try to the next. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "string") return JSON.stringify(value.replace(/\s+/g, " ").trim());
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
