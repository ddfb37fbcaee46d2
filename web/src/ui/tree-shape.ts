// A tree of documents as a shape: from the flat list the server sends to branches, paths, what lies below, and the rows one
// sees. Pure.

export type Leaf = { readonly id: string; readonly parent_id: string | null };
export type Branch<Node extends Leaf> = { readonly node: Node; readonly children: readonly Branch<Node>[] };

/** Documents whose parent is not in the list (in the bin, or cut off) stand at the top. */
export function branchesOf<Node extends Leaf>(nodes: readonly Node[]): readonly Branch<Node>[] {
  const known = new Set(nodes.map((node) => node.id));
  const below = Map.groupBy(nodes, (node) =>
    node.parent_id !== null && known.has(node.parent_id) ? node.parent_id : null,
  );
  const branch = (node: Node): Branch<Node> => ({ node, children: (below.get(node.id) ?? []).map(branch) });
  return (below.get(null) ?? []).map(branch);
}

/** From the top down to the document's parent. */
export function ancestorsOf<Node extends Leaf>(nodes: readonly Node[], id: string): readonly Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: Node[] = [];
  let at = byId.get(byId.get(id)?.parent_id ?? "");
  while (at && !path.includes(at)) {
    path.unshift(at);
    at = byId.get(at.parent_id ?? "");
  }
  return path;
}

export function childrenOf<Node extends Leaf>(nodes: readonly Node[], id: string): readonly Node[] {
  return nodes.filter((node) => node.parent_id === id);
}

/** Everything a document may be moved below: not itself, not what is below it. */
export function possibleParents<Node extends Leaf>(nodes: readonly Node[], id: string): readonly Node[] {
  return nodes.filter((node) => node.id !== id && !ancestorsOf(nodes, node.id).some((above) => above.id === id));
}

/** One line of a tree on the screen. */
export type TreeRow<Node extends Leaf> = {
  readonly node: Node;
  /** From 1. */
  readonly level: number;
  readonly isOpen: boolean;
  readonly childCount: number;
  /** Its place among its siblings, from 1, and how many they are. */
  readonly place: number;
  readonly siblings: number;
};

/** The rows that are seen, in order, where these branches are closed. */
export function visibleRows<Node extends Leaf>(
  branches: readonly Branch<Node>[],
  closed: ReadonlySet<string>,
  level = 1,
): readonly TreeRow<Node>[] {
  return branches.flatMap(({ node, children }, index) => {
    const isOpen = children.length > 0 && !closed.has(node.id);
    const row = { node, level, isOpen, childCount: children.length, place: index + 1, siblings: branches.length };
    return isOpen ? [row, ...visibleRows(children, closed, level + 1)] : [row];
  });
}

export type TreeMove =
  | { readonly type: "go"; readonly id: string }
  | { readonly type: "open" | "close"; readonly id: string };

/** What a key does in a tree, as everywhere: up and down, right opens or goes in, left closes or goes out. */
export function moveInTree<Node extends Leaf>(
  rows: readonly TreeRow<Node>[],
  activeId: string | undefined,
  key: string,
): TreeMove | null {
  const index = rows.findIndex(({ node }) => node.id === activeId);
  const row = rows[index];
  const go = (to: TreeRow<Node> | undefined): TreeMove | null => (to ? { type: "go", id: to.node.id } : null);
  switch (key) {
    case "Home":
      return go(rows[0]);
    case "End":
      return go(rows.at(-1));
    case "ArrowDown":
      return go(rows[index + 1]);
    case "ArrowUp":
      return go(rows[Math.max(0, index - 1)]);
    case "ArrowRight":
      return row && row.childCount > 0 && !row.isOpen ? { type: "open", id: row.node.id } : go(inside(rows, index));
    case "ArrowLeft":
      return row?.isOpen ? { type: "close", id: row.node.id } : go(outside(rows, row));
    default:
      return null;
  }
}

const inside = <Node extends Leaf>(rows: readonly TreeRow<Node>[], index: number) =>
  rows[index]?.isOpen ? rows[index + 1] : undefined;

const outside = <Node extends Leaf>(rows: readonly TreeRow<Node>[], row: TreeRow<Node> | undefined) =>
  rows.find(({ node }) => node.id === row?.node.parent_id);
