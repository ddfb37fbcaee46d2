import { expect, test } from "vitest";
import { storeWorld } from "../../../test/helpers/store-world.ts";
import { entityKinds } from "../../domain/entity/kinds.ts";
import { listChanges } from "./change-store.ts";
import { type EntityFilter, findEntity, listEntities, setEntityBinned, updateEntity } from "./entity-store.ts";

const { as, makeUser, makeProject, makeEntity } = await storeWorld();
const all: EntityFilter = { limit: 50, sort: "updated", deleted: false };

test.each(entityKinds)("a %s is kept with the defaults of its kind", async (kind) => {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = await makeEntity(user, project, kind, "Title");
  const found = await as(user, (tx) => findEntity(tx, kind, project, id));
  expect(found).toMatchObject({
    id,
    kind,
    title: "Title",
    version: 1,
    createdBy: user,
    deletedAt: null,
    parentId: null,
  });
});

test("a write against an older version changes nothing and tells what is there", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = await makeEntity(user, project, "task", "First");
  const write = (version: number, title: string) =>
    as(user, (tx) => updateEntity(tx, "task", { id, projectId: project, version }, { title }));
  expect(await write(1, "Second")).toMatchObject({ outcome: "saved", value: { title: "Second", version: 2 } });
  expect(await write(1, "Third")).toMatchObject({ outcome: "stale", current: { title: "Second", version: 2 } });
});

test("of many writers against one version exactly one wins", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = await makeEntity(user, project, "task");
  const where = { id, projectId: project, version: 1 };
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, n) => as(user, (tx) => updateEntity(tx, "task", where, { title: `Writer ${n}` }))),
  );
  expect(outcomes.filter(({ outcome }) => outcome === "saved")).toHaveLength(1);
});

test("what lies in the bin is not listed, cannot be changed, and comes back", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = await makeEntity(user, project, "goal");
  await as(user, (tx) => setEntityBinned(tx, "goal", project, id, true));
  expect((await as(user, (tx) => listEntities(tx, "goal", project, all))).items).toEqual([]);
  expect((await as(user, (tx) => listEntities(tx, "goal", project, { ...all, deleted: true }))).items).toHaveLength(1);
  const changed = await as(user, (tx) =>
    updateEntity(tx, "goal", { id, projectId: project, version: 2 }, { title: "x" }),
  );
  expect(changed.outcome).toBe("binned");
  expect(await as(user, (tx) => setEntityBinned(tx, "goal", project, id, false))).toMatchObject({ deletedAt: null });
});

test.each(["updated", "created", "title", "due", "priority"] as const)(
  "pages sorted by %s hold every row once",
  async (sort) => {
    const user = await makeUser();
    const project = await makeProject(user);
    const made = new Set<string>();
    for (let n = 0; n < 23; n++) made.add(await makeEntity(user, project, "task", `Same title ${n % 3}`));
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const filter = { ...all, sort, limit: 5, ...(cursor ? { cursor } : {}) };
      const page = await as(user, (tx) => listEntities(tx, "task", project, filter));
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(made.size);
    expect(new Set(seen)).toEqual(made);
  },
);

const dates = { soon: "2030-01-01T00:00:00.000Z", later: "2031-01-01T00:00:00.000Z" };

test.each([
  ["due", ["soon 5", "later", "later 1", "neither", "1"]],
  ["priority", ["later 1", "1", "soon 5", "later", "neither"]],
] as const)("tasks by %s: what has none comes last, page after page", async (sort, wanted) => {
  const user = await makeUser();
  const project = await makeProject(user);
  for (const title of ["neither", "later", "later 1", "soon 5", "1"]) {
    const id = await makeEntity(user, project, "task", title);
    const due = title.startsWith("soon") ? dates.soon : title.startsWith("later") ? dates.later : null;
    const priority = /[15]/.exec(title)?.[0];
    const fields = { due_at: due, priority: priority ? Number(priority) : null };
    await as(user, (tx) => updateEntity(tx, "task", { id, projectId: project, version: 1 }, fields));
  }
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const filter = { ...all, sort, limit: 2, ...(cursor ? { cursor } : {}) };
    const page = await as(user, (tx) => listEntities(tx, "task", project, filter));
    seen.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(wanted);
});

test("a cursor of another list is refused", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const list = as(user, (tx) => listEntities(tx, "task", project, { ...all, cursor: "bm9uc2Vuc2U" }));
  await expect(list).rejects.toMatchObject({ code: "invalid_cursor" });
});

test("every write keeps what was there before, numbered without gaps", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = await makeEntity(user, project, "document", "Old");
  await as(user, (tx) => updateEntity(tx, "document", { id, projectId: project, version: 1 }, { title: "New" }));
  await as(user, (tx) => setEntityBinned(tx, "document", project, id, true));
  await as(user, (tx) => setEntityBinned(tx, "document", project, id, false));
  const { items } = await as(user, (tx) => listChanges(tx, project, { limit: 50 }));
  expect(items.map(({ seq, op, kind }) => [seq, op, kind])).toEqual([
    [5, "restored", "document"],
    [4, "deleted", "document"],
    [3, "updated", "document"],
    [2, "created", "document"],
    [1, "created", "project"],
  ]);
  expect(items[2]).toMatchObject({ before: { title: "Old", version: 1 }, title: "New", version: 2, actorId: user });
  expect(items[2]?.before).not.toHaveProperty("search");
});

test("numbers of the history have no gaps under many writers, also where some fail", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      as(user, async (tx) => {
        const { createEntity } = await import("./entity-store.ts");
        await createEntity(tx, "task", { id: crypto.randomUUID(), projectId: project, by: user }, { title: `n ${n}` });
        if (n % 3 === 0) throw new Error("changed my mind");
      }),
    ),
  );
  const { items } = await as(user, (tx) => listChanges(tx, project, { limit: 200 }));
  expect(items.map(({ seq }) => seq)).toEqual(items.map((_, n) => items.length - n));
});
