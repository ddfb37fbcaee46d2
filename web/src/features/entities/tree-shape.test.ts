import { expect, test } from "vitest";
import { ancestorsOf, branchesOf, childrenOf, possibleParents, type TreeNode } from "./tree-shape.ts";

const node = (id: string, parent_id: string | null): TreeNode => ({
  id,
  parent_id,
  title: id,
  type_key: "document.note",
  state_key: "draft",
  updated_at: "2026-01-01T00:00:00Z",
});

const nodes = [node("a", null), node("b", "a"), node("c", "b"), node("d", null)];
const ids = (found: readonly TreeNode[]) => found.map(({ id }) => id);

test("documents hang below their parents", () => {
  const [a, d] = branchesOf(nodes);
  expect([a?.node.id, a?.children[0]?.node.id, a?.children[0]?.children[0]?.node.id]).toEqual(["a", "b", "c"]);
  expect(d?.children).toEqual([]);
});

test("a document whose parent is not there stands at the top", () =>
  expect(branchesOf([node("x", "gone")]).map(({ node: { id } }) => id)).toEqual(["x"]));

test("the path leads from the top down to the parent", () => expect(ids(ancestorsOf(nodes, "c"))).toEqual(["a", "b"]));

test("a circle of parents ends", () =>
  expect(ids(ancestorsOf([node("x", "y"), node("y", "x")], "x"))).toEqual(["x", "y"]));

test("children are only the next level", () => expect(ids(childrenOf(nodes, "a"))).toEqual(["b"]));

test("a document cannot go below itself or what is below it", () =>
  expect(ids(possibleParents(nodes, "b"))).toEqual(["a", "d"]));
