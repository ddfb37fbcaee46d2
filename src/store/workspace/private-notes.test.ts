// Working notes belong to the owner of their run, wherever a member of the project could meet them; what the run delivers there is
// everyone's.

import { beforeEach, expect, test } from "vitest";
import { runWorld } from "../../../test/helpers/run-world.ts";
import type { Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { Run } from "../../domain/run/run.ts";
import { pageTypes } from "../../domain/workspace/pages.ts";
import { realEnv } from "../../main/env.ts";
import { changesAfter, listChanges } from "../entity/change-store.ts";
import { createEdge, documentTree, listEdges, moveDocument } from "../entity/edge-store.ts";
import { createEntity, findEntity, listEntities, setEntityBinned, updateEntity } from "../entity/entity-store.ts";
import { search } from "../entity/search-store.ts";

const world = await runWorld(100);
const { newId } = realEnv;

let owner: UserId;
let member: UserId;
let projectId: string;
let run: Run;
let note: string;
let paper: string;

beforeEach(async () => {
  [owner, member] = [await world.makeUser("Ana"), await world.makeUser("Ben")];
  projectId = await world.makeProject(owner);
  await world.admin.query(
    "insert into homework.onto_project_members (project_id, user_id, role) values ($1, $2, 'editor')",
    [projectId, member],
  );
  run = await world.create(owner, { scope: { kind: "project", projectId } });
  [note, paper] = [newId(), newId()];
  await world.db.asUser({ userId: owner, runId: run.id }, async (tx) => {
    const make = (id: string, type_key: string, title: string) =>
      createEntity(tx, "document", { id, projectId, by: owner }, { title, content: "Zebra", type_key });
    await make(note, pageTypes.note, "Zebra note");
    await make(paper, "document.note", "Zebra paper");
    const edge = { src_id: note, rel: "relates_to", dst_id: paper, props: {} };
    await createEdge(tx, { id: newId(), projectId, by: owner }, edge);
  });
});

const page = { limit: 50, cursor: undefined };
const asked = { ...page, sort: "updated", deleted: false, include_working_notes: true } as const;
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

/** Each way to meet a document: the ids that are met there. */
const ways: readonly (readonly [string, (tx: Tx) => Promise<readonly string[]>])[] = [
  ["a list", async (tx) => idsOf((await listEntities(tx, "document", projectId, asked)).items)],
  [
    "a list of one type",
    async (tx) => {
      const types = [pageTypes.note, "document.note"];
      const lists = await Promise.all(
        types.map((type_key) => listEntities(tx, "document", projectId, { ...asked, type_key })),
      );
      return lists.flatMap(({ items }) => idsOf(items));
    },
  ],
  [
    "its own page",
    async (tx) =>
      idsOf(
        (await Promise.all([note, paper].map((id) => findEntity(tx, "document", projectId, id)))).filter(
          (found) => found !== null,
        ),
      ),
  ],
  ["the tree", async (tx) => idsOf((await documentTree(tx, projectId, true)).nodes)],
  ["search", async (tx) => idsOf(await search(tx, { q: "zebra", limit: 20, include_working_notes: true }))],
  [
    "history",
    async (tx) =>
      (await listChanges(tx, projectId, page)).items.flatMap(({ kind, entityId }) =>
        kind === "document" ? [entityId] : [],
      ),
  ],
];

test.each(ways)("%s shows the note to the owner of its run, and to other members only the paper", async (_, look) => {
  const [seen, seenByOther] = [await world.as(owner, look), await world.as(member, look)];
  expect(new Set(seen)).toEqual(new Set([note, paper]));
  expect(new Set(seenByOther)).toEqual(new Set([paper]));
});

test("the bin shows the note to its owner alone, also what its history holds once it is gone", async () => {
  for (const id of [note, paper]) await world.as(owner, (tx) => setEntityBinned(tx, "document", projectId, id, true));
  const binned = (tx: Tx) => listEntities(tx, "document", projectId, { ...asked, deleted: true });
  expect(idsOf((await world.as(member, binned)).items)).toEqual([paper]);
  await world.admin.query("delete from homework.onto_documents where id = any ($1)", [[note, paper]]);
  const history = async (tx: Tx) => (await listChanges(tx, projectId, page)).items.map(({ entityId }) => entityId);
  expect(await world.as(member, history)).not.toContain(note);
  expect(await world.as(member, history)).toContain(paper);
  expect(await world.as(owner, history)).toContain(note);
});

test("a link to the note is not shown to other members, nor to one who asks the database itself", async () => {
  const links = async (tx: Tx) => (await listEdges(tx, projectId, page)).items.length;
  expect([await world.as(owner, links), await world.as(member, links)]).toEqual([1, 0]);
  const raw = (tx: Tx) => tx.selectFrom("onto_edges").select("id").execute();
  expect(await world.as(member, raw)).toEqual([]);
});

test("another member cannot change the note or put it away, and may change the paper", async () => {
  const change = (id: string) =>
    world.as(member, (tx) => updateEntity(tx, "document", { id, projectId, version: 1 }, { content: "Theirs" }));
  expect((await change(note)).outcome).toBe("missing");
  expect(await world.as(member, (tx) => setEntityBinned(tx, "document", projectId, note, true))).toBeNull();
  expect((await change(paper)).outcome).toBe("saved");
  const kept = await world.as(owner, (tx) => findEntity(tx, "document", projectId, note));
  expect(kept).toMatchObject({ content: "Zebra", deletedAt: null, version: 1 });
});

test("a page of the same type that a person made is no working note", async () => {
  const own = newId();
  const fields = { title: "Mine", type_key: pageTypes.note };
  await world.as(owner, (tx) => createEntity(tx, "document", { id: own, projectId, by: owner }, fields));
  expect(await world.as(member, (tx) => findEntity(tx, "document", projectId, own))).not.toBeNull();
});

test("the live stream, which is the same for all, names no working note", async () => {
  const told = await world.db.asSystem((tx) => changesAfter(tx, projectId, 0, 50));
  const titleOf = (id: string) => told.find(({ entityId }) => entityId === id)?.title;
  expect([titleOf(note), titleOf(paper)]).toEqual(["Working note", "Zebra paper"]);
});

test("another member can move a paper that lies below a note; one who may only read it cannot", async () => {
  const other = newId();
  await world.as(member, (tx) =>
    createEntity(tx, "document", { id: other, projectId, by: member }, { title: "Other" }),
  );
  const move = (by: UserId, parent: string | null) =>
    world.as(by, (tx) => moveDocument(tx, { edgeId: newId(), projectId, by }, paper, parent));
  const parentOf = async () => {
    const { nodes } = await world.as(owner, (tx) => documentTree(tx, projectId, true));
    return nodes.find(({ id }) => id === paper)?.parentId;
  };
  await move(owner, note);
  expect(await move(member, other)).toBe("moved");
  expect(await parentOf()).toBe(other);
  await move(owner, note);
  expect(await move(member, null)).toBe("moved");
  expect(await parentOf()).toBeNull();
  await move(owner, note);
  await world.admin.query("update homework.onto_project_members set role = 'viewer' where user_id = $1", [member]);
  await move(member, null);
  expect(await parentOf()).toBe(note);
});
