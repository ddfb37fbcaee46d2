import { expect, test } from "vitest";
import {
  ancestorsOf,
  branchesOf,
  childrenOf,
  type Leaf,
  moveInTree,
  possibleParents,
  visibleRows,
} from "./tree-shape.ts";

const node = (id: string, parent_id: string | null): Leaf => ({ id, parent_id });

const nodes = [node("a", null), node("b", "a"), node("c", "b"), node("d", null)];
const ids = (found: readonly Leaf[]) => found.map(({ id }) => id);
const rows = (...closed: readonly string[]) => visibleRows(branchesOf(nodes), new Set(closed));

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

test("rows are the tree from top to bottom, with level and place", () =>
  expect(rows().map(({ node: { id }, level, place, siblings }) => [id, level, place, siblings])).toEqual([
    ["a", 1, 1, 2],
    ["b", 2, 1, 1],
    ["c", 3, 1, 1],
    ["d", 1, 2, 2],
  ]));

test("what is below a closed branch is not seen", () =>
  expect(rows("b").map((row) => row.node.id)).toEqual(["a", "b", "d"]));

test.each([
  ["ArrowDown", "a", { type: "go", id: "b" }],
  ["ArrowUp", "b", { type: "go", id: "a" }],
  ["ArrowUp", "a", { type: "go", id: "a" }],
  ["ArrowDown", "d", null],
  ["Home", "c", { type: "go", id: "a" }],
  ["End", "a", { type: "go", id: "d" }],
  ["ArrowRight", "a", { type: "go", id: "b" }],
  ["ArrowRight", "d", null],
  ["ArrowLeft", "b", { type: "close", id: "b" }],
  ["ArrowLeft", "c", { type: "go", id: "b" }],
  ["ArrowDown", undefined, { type: "go", id: "a" }],
  ["x", "a", null],
] as const)("%s at %s", (key, at, move) => expect(moveInTree(rows(), at, key)).toEqual(move));

test("right opens a closed branch before it goes in", () =>
  expect(moveInTree(rows("a"), "a", "ArrowRight")).toEqual({ type: "open", id: "a" }));
