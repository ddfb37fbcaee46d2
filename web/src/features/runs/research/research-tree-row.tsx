// One document in the tree of a run.

import { Badge } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { KindIcon } from "../../../ui/kind-icon.tsx";
import type { TreeRow } from "../../../ui/tree-shape.ts";
import type { WorkspaceDocument } from "./workspace.ts";

/** Deeper branches stay where they can be read. */
const levelsShown = 8;
const levelWidth = 16;

type ResearchTreeRowProps = {
  readonly id: string;
  readonly row: TreeRow<WorkspaceDocument>;
  readonly top: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly isNew: boolean;
  readonly onChoose: (id: string) => void;
  readonly onToggle: (id: string) => void;
};

export function ResearchTreeRow({ id, row, top, isChosen, isActive, isNew, onChoose, onToggle }: ResearchTreeRowProps) {
  const { node, level, isOpen, childCount, place, siblings } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and says which row is active
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isChosen}
      {...(childCount > 0 ? { "aria-expanded": isOpen } : {})}
      className="research-tree-row"
      data-active={isActive || undefined}
      title={node.title}
      style={{ top, paddingInlineStart: 4 + (Math.min(level, levelsShown) - 1) * levelWidth }}
      onClick={() => onChoose(node.id)}
    >
      {childCount > 0 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; with keys it is left and right
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <span
          className="research-tree-toggle"
          title={isOpen ? "Close this branch" : "Open this branch"}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(node.id);
          }}
        >
          <IconChevronRight size={16} aria-hidden className={isOpen ? "turned" : undefined} />
        </span>
      ) : (
        <span className="leaf-gap" />
      )}
      <KindIcon kind="document" size={16} />
      <bdi className="research-tree-title">{node.title || "untitled"}</bdi>
      {isNew ? (
        <Badge size="xs" variant="light" tt="none" className="unshrinkable">
          New
        </Badge>
      ) : null}
    </div>
  );
}
