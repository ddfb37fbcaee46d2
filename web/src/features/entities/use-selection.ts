// Which rows of a list are chosen. What is no longer listed is not chosen any more.

import { useState } from "react";
import type { EntitySummary } from "../../../../src/protocol/api.ts";

export type Selection = ReturnType<typeof useSelection>;

const none: ReadonlySet<string> = new Set();

export function useSelection(items: readonly EntitySummary[]) {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const chosen = items.filter(({ id }) => ids?.has(id));
  return {
    isOpen: ids !== null,
    chosen,
    has: (id: string) => ids?.has(id) ?? false,
    open: () => setIds(none),
    close: () => setIds(null),
    choose: (next: readonly string[]) => setIds(new Set(next)),
    toggle: (id: string) =>
      setIds((now) => {
        const next = new Set(now);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
  };
}
