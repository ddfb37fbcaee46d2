import { expect, test } from "vitest";
import { storeWorld } from "../../../test/helpers/store-world.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { realEnv } from "../../main/env.ts";
import { createEdge, documentTree, listEdges, moveDocument, removeEdge } from "./edge-store.ts";
import { setEntityBinned } from "./entity-store.ts";

const { as, makeUser, makeProject, makeEntity } = await storeWorld();

async function setup() {
  const user = await makeUser();
  const project = await makeProject(user);
  const document = (title: string) => makeEntity(user, project, "document", title);
  const move = (id: string, parent: string | null) =>
    as(user, (tx) => moveDocument(tx, { edgeId: realEnv.newId(), projectId: project, by: user }, id, parent));
  const tree = async () => {
    const { nodes } = await as(user, (tx) => documentTree(tx, project));
    const titles = new Map(nodes.map(({ id, title }) => [id, title]));
    return nodes.map(({ title, parentId }) => [title, parentId === null ? null : titles.get(parentId)]);
  };
  return { user, project, document, move, tree };
}

const link = (user: UserId, projectId: string, src: string, dst: string, rel = "relates_to") =>
  as(user, (tx) =>
    createEdge(tx, { id: realEnv.newId(), projectId, by: user }, { src_id: src, rel, dst_id: dst, props: {} }),
  );

test("documents make a tree", async () => {
  const { document, move, tree } = await setup();
  const [a, b, c] = [await document("a"), await document("b"), await document("c")];
  await move(b, a);
  await move(c, b);
  expect(await tree()).toEqual([
    ["a", null],
    ["b", "a"],
    ["c", "b"],
  ]);
});

test("a document that moves leaves its old place", async () => {
  const { document, move, tree } = await setup();
  const [a, b, c] = [await document("a"), await document("b"), await document("c")];
  await move(c, a);
  await move(c, b);
  expect((await tree()).at(-1)).toEqual(["c", "b"]);
  await move(c, null);
  expect((await tree()).at(-1)).toEqual(["c", null]);
});

test("a document cannot be put below itself, its child or its grandchild", async () => {
  const { document, move } = await setup();
  const [a, b, c] = [await document("a"), await document("b"), await document("c")];
  await move(b, a);
  await move(c, b);
  for (const below of [a, b, c]) await expect(move(a, below)).rejects.toMatchObject({ code: "document_cycle" });
});

test("two moves at once cannot make a loop together", async () => {
  for (let round = 0; round < 10; round++) {
    const { document, move, tree } = await setup();
    const [a, b] = [await document("a"), await document("b")];
    const moves = await Promise.allSettled([move(a, b), move(b, a)]);
    expect(moves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await tree()).filter(([, parent]) => parent === null)).toHaveLength(1);
  }
});

test("documents may be 32 levels deep and no deeper", async () => {
  const { document, move } = await setup();
  let above = await document("level 1");
  for (let level = 2; level <= 32; level++) {
    const next = await document(`level ${level}`);
    await move(next, above);
    above = next;
  }
  await expect(move(await document("level 33"), above)).rejects.toMatchObject({ code: "invalid_request" });
});

test("children of a document in the bin stand at the top until it comes back", async () => {
  const { user, project, document, move, tree } = await setup();
  const [a, b] = [await document("a"), await document("b")];
  await move(b, a);
  await as(user, (tx) => setEntityBinned(tx, "document", project, a, true));
  expect(await tree()).toEqual([["b", null]]);
  await as(user, (tx) => setEntityBinned(tx, "document", project, a, false));
  expect(await tree()).toEqual([
    ["a", null],
    ["b", "a"],
  ]);
});

test("a link shows from both ends, is unique, and can be removed", async () => {
  const { user, project } = await setup();
  const [task, goal] = [await makeEntity(user, project, "task", "T"), await makeEntity(user, project, "goal", "G")];
  const edge = await link(user, project, task, goal);
  await expect(link(user, project, task, goal)).rejects.toMatchObject({ code: "already_exists" });
  const list = (entity_id: string) => as(user, (tx) => listEdges(tx, project, { limit: 10, entity_id }));
  expect((await list(goal)).items).toMatchObject([{ src: { title: "T" }, dst: { title: "G" } }]);
  expect(await as(user, (tx) => removeEdge(tx, project, edge?.id ?? ""))).toBe(true);
  expect((await list(task)).items).toEqual([]);
});

test("a link may lead to another project one can see, and to no other", async () => {
  const { user, project } = await setup();
  const task = await makeEntity(user, project, "task");
  const mine = await makeEntity(user, await makeProject(user), "task");
  const stranger = await makeUser();
  const foreign = await makeEntity(stranger, await makeProject(stranger), "task");
  expect(await link(user, project, task, mine)).not.toBeNull();
  expect(await link(user, project, task, foreign)).toBeNull();
});
