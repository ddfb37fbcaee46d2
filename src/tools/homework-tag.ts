// What is kept in `props`: the mark of what a run made, and what was given. Given properties are put together with those that
// are there; the mark cannot be given, changed or lost, except that a text from the web stays one for good.

import type { Props } from "../domain/entity/entity.ts";
import { isRecord } from "../lib/json.ts";
import type { ToolContext } from "./tool.ts";

export type TextSource = "own" | "web";

type Mark = { readonly source: TextSource; readonly path?: string; readonly tags?: readonly string[] };

/** For something new. In a chat there is no run to name. */
export function markNew({ runId, iteration, branchId }: ToolContext, given: Props | undefined, mark: Mark): Props {
  const props = putTogether({}, given ?? {});
  if (runId !== null) return { ...props, homework: { run_id: runId, iteration, branch_id: branchId, ...mark } };
  return mark.source === "web" ? { ...props, homework: { source: "web" } } : props;
}

/** For something that is there; undefined where nothing of it changes. */
export function markChanged(current: Props, given: Props | undefined, source: TextSource): Props | undefined {
  if (given === undefined && source === "own") return undefined;
  const { homework: kept } = current;
  const mark = source === "web" ? { ...(isRecord(kept) ? kept : {}), source } : kept;
  return { ...putTogether(current, given ?? {}), ...(mark === undefined ? {} : { homework: mark }) };
}

/** Objects are put together key by key, null takes a key away, everything else replaces what was there. */
function putTogether(current: Props, given: Props): Props {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(given)) {
    if (value === null) merged.delete(key);
    else if (isRecord(value)) {
      const before = merged.get(key);
      merged.set(key, putTogether(isRecord(before) ? before : {}, value));
    } else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
