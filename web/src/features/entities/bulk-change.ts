// One change to several things, each saved against its own version: those that are refused do not stop the others.
// Pure but for the saving, which is passed in.

import { codeOf, messageOf } from "../../lib/failure.ts";

export type BulkFailure = { readonly id: string; readonly title: string; readonly error: unknown };

type Named = { readonly id: string; readonly title: string };

/** One after the other: many at once would hold up everybody else's requests. */
export async function changeEach<Item extends Named>(
  items: readonly Item[],
  save: (item: Item) => Promise<unknown>,
): Promise<readonly BulkFailure[]> {
  const failures: BulkFailure[] = [];
  for (const item of items) {
    try {
      await save(item);
    } catch (error) {
      failures.push({ id: item.id, title: item.title, error });
    }
  }
  return failures;
}

export type FailureGroup = { readonly words: string; readonly titles: readonly string[] };

/** What could not be changed, by reason: "2 of 5 could not be changed: someone else changed them". */
export function describeFailures(failures: readonly BulkFailure[], total: number): readonly FailureGroup[] {
  const groups = Map.groupBy(failures, ({ error }) => codeOf(error) ?? messageOf(error));
  return [...groups.values()].map((group) => ({
    words: `${group.length} of ${total} could not be changed: ${describeReason(group[0]?.error, group.length)}`,
    titles: group.map(({ title }) => title),
  }));
}

function describeReason(error: unknown, count: number): string {
  const [them, they] = count === 1 ? ["it", "it is"] : ["them", "they are"];
  switch (codeOf(error)) {
    case "stale_version":
      return `someone else changed ${them}`;
    case "deleted":
      return `${they} in the bin`;
    case "not_found":
      return `${they} gone, or you may not see ${them} any more`;
    case "unreachable":
      return "the server does not answer";
    default:
      return messageOf(error);
  }
}
