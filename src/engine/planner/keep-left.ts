// Calls beyond what one answer may have are not made. The journal tells of them once for an answer, so that the user sees what the
// model wanted and why it did not happen.

import { clipLine } from "../../domain/planner/clip.ts";
import type { ToolCall } from "../../llm/model.ts";
import type { Lane } from "../../runs/ports/run-store.ts";
import type { Iteration } from "./iteration.ts";

const namesMax = 300;

export async function keepLeft(
  { journal }: Iteration,
  lane: Lane,
  key: string,
  calls: readonly ToolCall[],
  atOnce: number,
): Promise<void> {
  const names = clipLine([...new Set(calls.map(({ tool }) => tool))].join(", "), namesMax);
  const why = `At most ${atOnce} calls in one answer; not carried out: ${names}`;
  const count = calls.length === 1 ? "1 call was" : `${calls.length} calls were`;
  await journal.once({ key, lane, tool: null, args: null }, async () => ({
    result: null,
    summary: `${count} not carried out: too many in one answer`,
    error: why,
    artifacts: [],
    isBookkeeping: true,
  }));
}
