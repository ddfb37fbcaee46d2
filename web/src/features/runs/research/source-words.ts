// What is said beside a page or a search of a run. Pure.

import { counted } from "../../../../../src/protocol/figures.ts";
import type { ReadSource } from "../../../../../src/protocol/run-sources.ts";

export function sourceFacts({ kind, state, why, results, host, iterations, times }: ReadSource): readonly string[] {
  return [
    ...(kind === "page" && host !== "" ? [host] : []),
    ...(state === "under_way" ? [kind === "page" ? "Opening" : "Searching"] : []),
    ...(results === null ? [] : [counted(results, "result")]),
    ...(state === "failed" ? [`${kind === "page" ? "Not opened" : "Failed"}: ${why ?? "no reason was given"}`] : []),
    ...(times > 1 ? [`${kind === "page" ? "opened" : "made"} ${times} times`] : []),
    iterationWords(iterations),
  ];
}

/** Of many, the first and the last say enough. */
const namedMax = 4;

function iterationWords(iterations: readonly number[]): string {
  if (iterations.length === 1) return `iteration ${iterations[0]}`;
  if (iterations.length > namedMax) return `iterations ${iterations[0]} to ${iterations.at(-1)}`;
  return `iterations ${iterations.slice(0, -1).join(", ")} and ${iterations.at(-1)}`;
}
