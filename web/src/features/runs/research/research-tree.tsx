// The tree of a run's documents, only as much of it on the page as is seen: a thousand documents scroll like ten.
// One stop for Tab; arrow keys walk, Enter opens.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { branchesOf, moveInTree, type TreeRow, visibleRows } from "../../../ui/tree-shape.ts";
import { ResearchTreeRow } from "./research-tree-row.tsx";
import type { WorkspaceDocument } from "./workspace.ts";

const rowHeight = 34;

type ResearchTreeProps = {
  readonly documents: readonly WorkspaceDocument[];
  readonly chosenId: string | undefined;
  /** Those to be marked as new. */
  readonly fresh: ReadonlySet<string>;
  readonly onChoose: (id: string) => void;
};

export function ResearchTree({ documents, chosenId, fresh, onChoose }: ResearchTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [activeId, setActiveId] = useState(chosenId);
  const rows = useMemo(() => visibleRows(branchesOf(documents), closed), [documents, closed]);
  const box = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.node.id ?? index,
    overscan: 12,
  });
  useEffect(() => setActiveId(chosenId), [chosenId]);
  const toggle = (id: string) => setClosed(toggled(closed, id));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && activeId) return onChoose(activeId);
    const move = moveInTree(rows, activeId, event.key);
    if (!move) return;
    event.preventDefault();
    if (move.type !== "go") return toggle(move.id);
    setActiveId(move.id);
    virtual.scrollToIndex(rows.findIndex(({ node }) => node.id === move.id));
  };
  return (
    <div
      ref={box}
      role="tree"
      aria-label="Documents of this run"
      tabIndex={0}
      className="research-tree"
      aria-activedescendant={isShown(rows, activeId) ? `${prefix}${activeId}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="none" className="research-tree-room" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <ResearchTreeRow
              key={row.node.id}
              id={`${prefix}${row.node.id}`}
              row={row}
              top={start}
              isChosen={row.node.id === chosenId}
              isActive={row.node.id === activeId}
              isNew={fresh.has(row.node.id)}
              onChoose={onChoose}
              onToggle={toggle}
            />
          );
        })}
      </div>
    </div>
  );
}

function isShown(rows: readonly TreeRow<WorkspaceDocument>[], id: string | undefined): boolean {
  return rows.some(({ node }) => node.id === id);
}

function toggled(closed: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(closed);
  if (!next.delete(id)) next.add(id);
  return next;
}
