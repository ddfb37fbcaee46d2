// The documents of a project as an indented tree. Pure.

type Node = { readonly id: string; readonly title: string; readonly parent_id: string | null };

/** One line per document, children below their parent; a document whose parent is not there stands at the top. */
export function renderTree(nodes: readonly Node[], label: (node: Node) => string): string {
  const known = new Set(nodes.map(({ id }) => id));
  const tops = nodes.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  const childrenOf = Map.groupBy(nodes, ({ parent_id }) => parent_id);
  const linesBelow = (parent: Node, indent: string): readonly string[] => {
    const children = childrenOf.get(parent.id) ?? [];
    return children.flatMap((child, at) => {
      const last = at === children.length - 1;
      const line = `${indent}${last ? "└─ " : "├─ "}${label(child)}\n`;
      return [line, ...linesBelow(child, `${indent}${last ? "   " : "│  "}`)];
    });
  };
  return tops.flatMap((top) => [`${label(top)}\n`, ...linesBelow(top, "")]).join("");
}
