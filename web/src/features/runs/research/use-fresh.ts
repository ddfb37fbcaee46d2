// Which documents of a run have come since the page was opened and were not looked at yet.

import { useEffect, useMemo, useState } from "react";
import { newSince, type WorkspaceDocument } from "./workspace.ts";

export function useFresh(documents: readonly WorkspaceDocument[], chosenId: string | undefined): ReadonlySet<string> {
  const [atFirst] = useState(() => new Set(documents.map(({ id }) => id)));
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (chosenId) setOpened((before) => new Set([...before, chosenId]));
  }, [chosenId]);
  return useMemo(() => newSince(documents, atFirst, opened), [documents, atFirst, opened]);
}
