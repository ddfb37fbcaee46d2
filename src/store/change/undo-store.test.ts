import { beforeEach, expect, test } from "vitest";
import { contents } from "../../../test/helpers/contents.ts";
import { runWorld } from "../../../test/helpers/run-world.ts";
import type { Tx } from "../../db/database.ts";
import { type EntityKind, entityKinds } from "../../domain/entity/kinds.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { Run } from "../../domain/run/run.ts";
import type { UndoPlan } from "../../domain/undo/undo-plan.ts";
import { realEnv } from "../../main/env.ts";
import { createEdge, moveDocument, removeEdge } from "../entity/edge-store.ts";
import { createEntity, findEntity, setEntityBinned, updateEntity } from "../entity/entity-store.ts";
import { createProject, setProjectBinned, updateProject } from "../entity/project-store.ts";
import { appendScratchpad, ensureBranch, ensureWorkspace, writePlanDocument } from "../workspace/workspace-store.ts";
import { restoreRun } from "./restore-store.ts";
import { readUndo, undoRun } from "./undo-store.ts";

const world = await runWorld(100);
const { newId } = realEnv;

let user: UserId;
let projectId: string;
let run: Run;
beforeEach(async () => {
  user = await world.makeUser("Anna");
  projectId = await world.makeProject(user, "Kitchen");
  run = await world.create(user);
});

type As = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
const as =
  ({ userId, id }: Run): As =>
  (work) =>
    world.db.asUser({ userId, runId: id }, work);
const asRun: As = (work) => as(run)(work);
const asUser =
  (who: UserId): As =>
  (work) =>
    world.as(who, work);
const asPerson: As = (work) => asUser(user)(work);

const none = { skip: new Set<string>(), force: new Set<string>() };
const undo = (of = run, choice = none) => asUser(of.userId)((tx) => undoRun(tx, of.id, choice));
const restore = (of = run) => asUser(of.userId)((tx) => restoreRun(tx, of.id));
const dryRun = (of = run, choice = none) => asUser(of.userId)((tx) => readUndo(tx, of.id, choice));

const make = (kind: EntityKind, title = "Thing", by = asPerson, project = projectId) => {
  const id = newId();
  return by(async (tx) => {
    await createEntity(tx, kind, { id, projectId: project, by: user }, { title, content: `Content of ${title}` });
    return id;
  });
};
const edit = async (kind: EntityKind, id: string, title: string, by = asPerson) => {
  const saved = await by(async (tx) => {
    const found = await findEntity(tx, kind, projectId, id);
    return updateEntity(tx, kind, { id, projectId, version: found?.version ?? 0 }, { title, props: { title } });
  });
  expect(saved.outcome).toBe("saved");
};
const bin = (kind: EntityKind, id: string, binned: boolean, by = asPerson) =>
  by((tx) => setEntityBinned(tx, kind, projectId, id, binned));
const link = (src: string, rel: string, dst: string, by = asPerson) => {
  const id = newId();
  return by(async (tx) => {
    await createEdge(tx, { id, projectId, by: user }, { src_id: src, rel, dst_id: dst, props: {} });
    return id;
  });
};
const move = (document: string, parent: string | null, by = asPerson) =>
  by((tx) => moveDocument(tx, { edgeId: newId(), projectId, by: user }, document, parent));
const titleOf = async (kind: EntityKind, id: string) =>
  (await asPerson((tx) => findEntity(tx, kind, projectId, id)))?.title ?? null;

const conflictsOf = ({ conflicts }: UndoPlan) =>
  conflicts.map(({ thing, reason, trace }) =>
    `${thing.kind} ${thing.title}: ${reason} ${trace?.userName ?? ""}`.trim(),
  );

/** Everything a run can do, some of it twice to the same thing. */
async function workALot(): Promise<void> {
  for (const kind of entityKinds) {
    const id = await make(kind, `New ${kind}`, asRun);
    await edit(kind, id, `Newer ${kind}`, asRun);
  }
  const made = newId();
  await asRun((tx) =>
    createProject(tx, made, user, { name: "Made", description: "", type_key: "p", state_key: "active", props: {} }),
  );
  const task = await make("task", "In the made project", asRun, made);
  const goal = await make("goal", "There as well", asRun, made);
  await asRun((tx) =>
    createEdge(tx, { id: newId(), projectId: made, by: user }, { src_id: task, rel: "needs", dst_id: goal, props: {} }),
  );
  await asRun((tx) => updateProject(tx, made, { version: 1, name: "Renamed" }));
  const workspace = await asRun((tx) => ensureWorkspace(tx, { run, newId }));
  for (const iteration of [1, 2]) {
    const entry = { iteration, summary: "x", actions: [], entities: [], planUpdates: [], remainingWork: [] };
    await asRun((tx) => appendScratchpad(tx, workspace, { ...entry, nextActionHint: null, decisionHint: null }));
  }
  await asRun((tx) => writePlanDocument(tx, workspace, { steps: [] }, 1));
  await asRun((tx) => ensureBranch(tx, workspace, { branchId: "b", title: "Branch", iteration: 1 }));
}

test("undoing a run with more than 30 writes of all kinds leaves every row as it was, and restoring it brings all back", async () => {
  const old = new Map<EntityKind, string>();
  for (const kind of entityKinds) old.set(kind, await make(kind, `Old ${kind}`));
  const binned = await make("task", "In the bin");
  await bin("task", binned, true);
  const [top, middle, leaf] = [
    await make("document", "Top"),
    await make("document", "Middle"),
    await make("document", "Leaf"),
  ];
  await move(middle, top);
  await move(leaf, middle);
  const edge = await link(old.get("task") ?? "", "needs", old.get("goal") ?? "");
  const before = await contents(world.admin);

  await workALot();
  for (const kind of entityKinds) await edit(kind, old.get(kind) ?? "", `Changed ${kind}`, asRun);
  for (const kind of entityKinds) await edit(kind, old.get(kind) ?? "", `Changed ${kind} again`, asRun);
  await bin("goal", old.get("goal") ?? "", true, asRun);
  await bin("task", binned, false, asRun);
  await edit("task", binned, "Out of the bin", asRun);
  await asRun((tx) => removeEdge(tx, projectId, edge));
  await link(old.get("plan") ?? "", "supports", old.get("milestone") ?? "", asRun);
  await move(leaf, null, asRun);
  await move(top, leaf, asRun);
  await move(middle, null, asRun);
  await asRun((tx) => updateProject(tx, projectId, { version: 1, name: "Bathroom" }));
  const { rows } = await world.admin.query("select count(*)::int as n from homework.onto_changes where run_id = $1", [
    run.id,
  ]);
  expect(rows[0].n).toBeGreaterThan(40);
  const worked = await contents(world.admin);
  expect(worked).not.toEqual(before);

  const plan = await undo();
  expect(conflictsOf(plan)).toEqual([]);
  expect(await contents(world.admin)).toEqual(before);

  const { restored, left } = await restore();
  expect([restored.length, left]).toEqual([plan.remove.length + plan.restore.length, []]);
  expect(await contents(world.admin)).toEqual(worked);
  expect(await restore()).toEqual({ restored: [], left: [] });
  // Which also shows that the history is as it was.
  expect(conflictsOf(await undo())).toEqual([]);
  expect(await contents(world.admin)).toEqual(before);
});

test("what was changed since the undo, or lost what it hung on, stays as it is", async () => {
  const [changed, other] = [await make("task", "Old"), await make("task", "Other")];
  await edit("task", changed, "By the run", asRun);
  await edit("task", other, "Other by the run", asRun);
  const page = await make("document", "Page");
  const note = await make("document", "Note", asRun);
  await move(note, page, asRun);
  await undo();
  await edit("task", changed, "By a person");
  await world.admin.query("delete from homework.onto_documents where id = $1", [page]);
  const { restored, left } = await restore();
  expect(left.map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual([
    "edge document_has_document",
    "task Old",
  ]);
  expect(restored).toHaveLength(2);
  expect([await titleOf("task", changed), await titleOf("task", other)]).toEqual(["By a person", "Other by the run"]);
  expect(await titleOf("document", note)).toBe("Note");
  expect((await world.events(run.id)).at(-1)?.type).toBe("run_restored");
});

test("only what one may still write to is restored", async () => {
  const ben = await world.makeUser("Ben");
  await world.admin.query("insert into homework.onto_project_members values ($1, $2, 'owner')", [projectId, ben]);
  const id = await make("task", "New", asRun);
  await undo();
  await world.admin.query("delete from homework.onto_project_members where user_id = $1", [user]);
  expect(await restore()).toMatchObject({ restored: [], left: [{ id }] });
  const { rows } = await world.admin.query("select undone_at from homework.homework_runs where id = $1", [run.id]);
  expect(rows[0].undone_at).not.toBeNull();
});

test("undoing twice does nothing more, and the history says what was done", async () => {
  const id = await make("task", "New", asRun);
  await undo();
  const after = await contents(world.admin);
  expect(await undo()).toMatchObject({ remove: [], restore: [], conflicts: [] });
  expect(await contents(world.admin)).toEqual(after);
  const { rows } = await world.admin.query(
    "select op, before ->> 'title' as was, actor_id, run_id, is_undone from homework.onto_changes where entity_id = $1 order by seq",
    [id],
  );
  expect(rows).toEqual([
    { op: "created", was: null, actor_id: user, run_id: run.id, is_undone: true },
    { op: "deleted", was: "New", actor_id: user, run_id: null, is_undone: true },
  ]);
  expect((await world.events(run.id)).at(-1)?.type).toBe("run_undone");
});

test("an undo that is only looked at changes nothing", async () => {
  const id = await make("task", "Old");
  await edit("task", id, "New", asRun);
  await workALot();
  const before = await contents(world.admin);
  const { rows } = await world.admin.query("select count(*) from homework.onto_changes");
  const plan = await dryRun();
  expect([plan.restore.length, plan.remove.length > 10]).toEqual([1, true]);
  expect(await contents(world.admin)).toEqual(before);
  expect((await world.admin.query("select count(*) from homework.onto_changes")).rows).toEqual(rows);
});

test("a version that was taken back is not given out again", async () => {
  const id = await make("task", "Old");
  await edit("task", id, "By the run", asRun);
  await undo();
  await edit("task", id, "By a person");
  const found = await asPerson((tx) => findEntity(tx, "task", projectId, id));
  expect(found?.version).toBe(3);
});

test("what housekeeping removed for good since comes back", async () => {
  const id = await make("task", "Old");
  const before = await contents(world.admin);
  await bin("task", id, true, asRun);
  await world.admin.query("delete from homework.onto_tasks where id = $1", [id]);
  await undo();
  expect(await contents(world.admin)).toEqual(before);
});

test("what somebody changed since is never overwritten unless that is named", async () => {
  const ben = await world.makeUser("Ben");
  await world.admin.query("insert into homework.onto_project_members values ($1, $2, 'editor')", [projectId, ben]);
  const task = await make("task", "Old");
  const other = await make("goal", "Other");
  await edit("task", task, "By the run", asRun);
  await edit("goal", other, "Also by the run", asRun);
  const mine = await make("plan", "Made by the run", asRun);
  await edit("task", task, "By Ben", asUser(ben));
  await edit("plan", mine, "Ben's plan", asUser(ben));
  const before = await contents(world.admin);

  expect(conflictsOf(await undo()).toSorted()).toEqual([
    "plan Made by the run: changed_since Ben",
    "task By the run: changed_since Ben",
  ]);
  expect(await contents(world.admin)).toEqual(before);

  const choice = { skip: new Set([`plan:${mine}`]), force: new Set([`task:${task}`]) };
  expect(conflictsOf(await undo(run, choice))).toEqual([]);
  expect([await titleOf("task", task), await titleOf("goal", other), await titleOf("plan", mine)]).toEqual([
    ...["Old", "Other", "Ben's plan"],
  ]);
});

test("of two runs at once the later one is undone first, then the earlier one, and everything is as it was", async () => {
  const second = await world.create(user);
  const asSecond = as(second);
  const task = await make("task", "Old");
  const before = await contents(world.admin);
  await edit("task", task, "By the first", asRun);
  await edit("task", task, "By the second", asSecond);
  const made = await make("goal", "By the second", asSecond);
  expect((await undo()).conflicts).toMatchObject([{ thing: { id: task }, trace: { runId: second.id } }]);
  await undo(second);
  expect([await titleOf("task", task), await titleOf("goal", made)]).toEqual(["By the first", null]);
  await undo();
  expect(await contents(world.admin)).toEqual(before);
});

test("somebody's change between two changes of the run is a conflict as well", async () => {
  const task = await make("task", "Old");
  await edit("task", task, "One", asRun);
  await edit("task", task, "A person's");
  await edit("task", task, "Two", asRun);
  expect(conflictsOf(await undo())).toEqual(["task Two: changed_since Anna"]);
});

test("somebody's link to what the run made is asked about, and goes only if that is named", async () => {
  const old = await make("task", "Old");
  const made = await make("task", "Made", asRun);
  const edge = await link(old, "needs", made);
  expect((await undo()).conflicts).toMatchObject([
    { thing: { id: made }, reason: "in_use", by: { kind: "edge", id: edge }, canForce: true },
  ]);
  await undo(run, { ...none, force: new Set([`task:${made}`]) });
  expect(await titleOf("task", made)).toBeNull();
});

test("something of others in a project that the run made keeps the project", async () => {
  const made = newId();
  const fields = { name: "Made", description: "", type_key: "p", state_key: "active", props: {} };
  await asRun((tx) => createProject(tx, made, user, fields));
  const mine = await make("task", "The run's", asRun, made);
  const theirs = await make("task", "A person's", asPerson, made);
  await asPerson((tx) => setEntityBinned(tx, "task", made, theirs, true));
  const { conflicts } = await undo();
  expect(conflicts).toMatchObject([
    { thing: { kind: "project", id: made }, reason: "in_use", by: { id: theirs }, canForce: false },
  ]);
  const plan = await undo(run, { ...none, skip: new Set([`project:${made}`]) });
  expect([plan.remove.map(({ id }) => id), plan.skipped.map(({ id }) => id)]).toEqual([[mine], [made]]);
});

test("someone who was taken into a project that the run made keeps it", async () => {
  const made = newId();
  const fields = { name: "Made", description: "", type_key: "p", state_key: "active", props: {} };
  await asRun((tx) => createProject(tx, made, user, fields));
  await world.admin.query("insert into homework.onto_project_members values ($1, $2, 'viewer')", [
    made,
    await world.makeUser(),
  ]);
  expect(conflictsOf(await undo())).toEqual(["project Made: in_use"]);
});

test("a document that somebody has moved since is asked about", async () => {
  const [one, two, three, leaf] = [
    await make("document", "One"),
    await make("document", "Two"),
    await make("document", "Three"),
    await make("document", "Leaf"),
  ];
  await move(leaf, one);
  await move(leaf, two, asRun);
  await move(leaf, three);
  const { conflicts } = await undo();
  expect(conflicts.map(({ reason }) => reason).toSorted()).toEqual(["changed_since", "place_taken"]);
  await undo(run, { ...none, force: new Set(conflicts.map(({ thing }) => `${thing.kind}:${thing.id}`)) });
  expect((await asPerson((tx) => findEntity(tx, "document", projectId, leaf)))?.parentId).toBe(one);
});

test("what would put a document below itself is asked about", async () => {
  const [top, leaf] = [await make("document", "Top"), await make("document", "Leaf")];
  await move(leaf, top);
  await move(leaf, null, asRun);
  await move(top, leaf);
  const { conflicts } = await undo();
  expect(conflicts).toMatchObject([{ reason: "would_loop", by: { id: leaf }, canForce: false }]);
  expect(conflictsOf(await undo(run, { ...none, skip: new Set([`edge:${conflicts[0]?.thing.id}`]) }))).toEqual([]);
});

test("what was being saved while the undo waited is seen", async () => {
  const task = await make("task", "Old");
  await edit("task", task, "By the run", asRun);
  let undone: Promise<UndoPlan> | undefined;
  await asPerson(async (tx) => {
    await updateEntity(tx, "task", { id: task, projectId, version: 2 }, { title: "By a person" });
    undone = undo();
    await realEnv.sleep(300);
  });
  expect(conflictsOf((await undone) as UndoPlan)).toEqual(["task By the run: changed_since Anna"]);
  expect(await titleOf("task", task)).toBe("By a person");
});

test("the place for all runs' pages stays while another run uses it, and goes with the last", async () => {
  const second = await world.create(user);
  const before = await contents(world.admin);
  await asRun((tx) => ensureWorkspace(tx, { run, newId }));
  await as(second)((tx) => ensureWorkspace(tx, { run: second, newId }));
  const first = await undo();
  expect([first.kept.map(({ title }) => title), conflictsOf(first)]).toEqual([["Homework workspace"], []]);
  expect(await undo(second)).toMatchObject({ conflicts: [] });
  const again = await undo();
  expect([again.remove.map(({ kind }) => kind), conflictsOf(again)]).toEqual([["project"], []]);
  expect(await contents(world.admin)).toMatchObject({ onto_projects: before.onto_projects });
});

test("where one may not write any more is said, and left alone where that is chosen", async () => {
  const owner = await world.makeUser("Owner");
  const theirs = await world.makeProject(owner);
  await world.admin.query("insert into homework.onto_project_members values ($1, $2, 'editor')", [theirs, user]);
  const made = await make("task", "In their project", asRun, theirs);
  const own = await make("task", "In my own", asRun);
  await world.admin.query("delete from homework.onto_project_members where project_id = $1 and user_id = $2", [
    theirs,
    user,
  ]);
  const { conflicts } = await undo(run, { ...none, force: new Set([`task:${made}`]) });
  expect(conflicts).toMatchObject([{ thing: { id: made }, reason: "no_access", canForce: false, trace: null }]);
  const plan = await undo(run, { ...none, skip: new Set([`task:${made}`]) });
  expect(plan.remove.map(({ id }) => id)).toEqual([own]);
  const { rowCount } = await world.admin.query("select from homework.onto_tasks where id = $1", [made]);
  expect(rowCount).toBe(1);
});

test("a binned project is put back", async () => {
  const before = await contents(world.admin);
  await asRun((tx) => setProjectBinned(tx, projectId, true));
  await undo();
  expect(await contents(world.admin)).toEqual(before);
});
