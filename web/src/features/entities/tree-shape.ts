// The tree of documents as a shape: from the flat list the server sends to branches, paths and what lies below.

import type { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";

export type TreeNode = RouteResult<typeof routes.documents.tree>["items"][number];
export type Branch = { readonly node: TreeNode; readonly children: readonly Branch[] };

/** Documents whose parent is not in the list (in the bin, or cut off) stand at the top. */
export function branchesOf(nodes: readonly TreeNode[]): readonly Branch[] {
  const known = new Set(nodes.map((node) => node.id));
  const below = Map.groupBy(nodes, (node) =>
    node.parent_id !== null && known.has(node.parent_id) ? node.parent_id : null,
  );
  const branch = (node: TreeNode): Branch => ({ node, children: (below.get(node.id) ?? []).map(branch) });
  return (below.get(null) ?? []).map(branch);
}

/** From the top down to the document's parent. */
export function ancestorsOf(nodes: readonly TreeNode[], id: string): readonly TreeNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: TreeNode[] = [];
  let at = byId.get(byId.get(id)?.parent_id ?? "");
  while (at && !path.includes(at)) {
    path.unshift(at);
    at = byId.get(at.parent_id ?? "");
  }
  return path;
}

export function childrenOf(nodes: readonly TreeNode[], id: string): readonly TreeNode[] {
  return nodes.filter((node) => node.parent_id === id);
}

/** Everything a document may be moved below: not itself, not what is below it. */
export function possibleParents(nodes: readonly TreeNode[], id: string): readonly TreeNode[] {
  return nodes.filter((node) => node.id !== id && !ancestorsOf(nodes, node.id).some((above) => above.id === id));
}
