// What is said beside a page or a search of a run. Pure.

import { counted } from "../../../../../src/protocol/figures.ts";
import type { ReadSource } from "../../../../../src/protocol/run-sources.ts";

/** Of an address, as much as fits on a line. */
const addressMax = 80;

export function sourceFacts({ kind, title, url, state, why, results, times }: ReadSource): readonly string[] {
  return [
    // Where a page has no title, its address stands in place of it.
    ...(url === null || title === "" ? [] : [shortAddress(url)]),
    ...(state === "under_way" ? [kind === "page" ? "Opening" : "Searching"] : []),
    ...(results === null ? [] : [counted(results, "result")]),
    ...(state === "failed" ? [`${kind === "page" ? "Not opened" : "Failed"}: ${why ?? "no reason was given"}`] : []),
    ...(times > 1 ? [`${kind === "page" ? "opened" : "made"} ${times} times`] : []),
  ];
}

export function shortAddress(url: string): string {
  const plain = url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  return plain.length <= addressMax ? plain : `${plain.slice(0, addressMax - 1)}…`;
}
