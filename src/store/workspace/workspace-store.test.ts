import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { runWorld } from "../../../test/helpers/run-world.ts";
import type { Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { Run } from "../../domain/run/run.ts";
import { pageTypes, workingNoteTypes, workspaceProjectType } from "../../domain/workspace/pages.ts";
import { type ScratchpadEntry, scratchpadPageMax } from "../../domain/workspace/scratchpad.ts";
import type { Workspace } from "../../domain/workspace/workspace.ts";
import { realEnv } from "../../main/env.ts";
import { documentTree } from "../entity/edge-store.ts";
import {
  createEntity,
  findEntity,
  listEntities,
  setEntityBinned,
  updateEntity,
  workspaceDocuments,
} from "../entity/entity-store.ts";
import { countNodes } from "../entity/node-store.ts";
import { search } from "../entity/search-store.ts";
import { readOwnNotes } from "./own-notes-store.ts";
import {
  appendScratchpad,
  appendToBranch,
  ensureBranch,
  ensureWorkspace,
  findWorkspace,
  plannedWorkspace,
  readScratchpad,
  writeIterationSummary,
  writePlanDocument,
  writeToBranch,
} from "./workspace-store.ts";

const world = await runWorld(100);

let user: UserId;
let projectId: string;
let run: Run;
beforeEach(async () => {
  user = await world.makeUser();
  projectId = await world.makeProject(user);
  run = await world.create(user, { scope: { kind: "project", projectId } });
});

/** As an entry of the run does it. */
const asRun = <T>(work: (tx: Tx) => Promise<T>, of = run): Promise<T> =>
  world.db.asUser({ userId: of.userId, runId: of.id }, work);

const { newId } = realEnv;
const ensure = (of = run) => asRun((tx) => ensureWorkspace(tx, { run: of, newId }), of);

const entry = (iteration: number, over: Partial<ScratchpadEntry> = {}): ScratchpadEntry => ({
  iteration,
  summary: `Did number ${iteration}`,
  actions: [],
  entities: [],
  planUpdates: [],
  remainingWork: [],
  nextActionHint: null,
  decisionHint: null,
  ...over,
});

const documents = async (of = run) => asRun((tx) => workspaceDocuments(tx, of.id), of);

test("a workspace is a root with a scratchpad below it, and the run's row names both", async () => {
  const workspace = await ensure();
  expect(workspace.projectId).toBe(projectId);
  const pages = await documents();
  expect(pages).toHaveLength(2);
  expect(pages.find(({ id }) => id === workspace.rootId)).toMatchObject({
    title: "Homework: Write the report",
    typeKey: pageTypes.root,
    stateKey: "workspace",
    props: {
      homework: { run_id: run.id, scope: "project", created_by: "homework_engine", path: `/homework/${run.id}` },
    },
    createdByRun: run.id,
  });
  const scratchpad = pages.find(({ id }) => id === workspace.scratchpadId);
  expect(scratchpad).toMatchObject({ parentId: workspace.rootId, typeKey: pageTypes.scratchpad });
  expect(await asRun((tx) => findWorkspace(tx, run.id))).toEqual(workspace);
});

test("asked for again, or by ten at once, it is the same one", async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => ensure()));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(await ensure()).toEqual(all[0]);
  expect(await documents()).toHaveLength(2);
});

test("what is planned is what is made", async () => {
  const ids = Array.from({ length: 8 }, newId);
  const drawn = () => {
    let next = 0;
    return () => ids[next++] ?? "";
  };
  const global = await world.create(user);
  const planned = await asRun((tx) => plannedWorkspace(tx, global, drawn()), global);
  expect(await documents(global)).toEqual([]);
  expect(await asRun((tx) => ensureWorkspace(tx, { run: global, newId: drawn() }), global)).toEqual(planned);
});

test("one that lies in the bin is not written to: another is begun", async () => {
  const first = await ensure();
  await world.as(user, (tx) => setEntityBinned(tx, "document", projectId, first.rootId, true));
  const second = await ensure();
  expect(second.rootId).not.toBe(first.rootId);
});

const workspaceProjects = async () => {
  const { rows } = await world.admin.query(
    "select id, created_by_run from homework.onto_projects where created_by = $1 and type_key = $2",
    [user, workspaceProjectType],
  );
  return rows;
};

test("runs over everything and over several projects share one project of their user, also when they begin at once", async () => {
  const other = await world.makeProject(user);
  const scopes = Array.from({ length: 8 }, (_, n) =>
    n % 2 === 0
      ? { kind: "global" as const }
      : { kind: "multi_project" as const, projectIds: [projectId, other] as const },
  );
  const runs = [];
  for (const scope of scopes) runs.push(await world.create(user, { scope }));
  const made = await Promise.all(runs.map((one) => ensure(one)));
  expect(new Set(made.map((one) => one.projectId)).size).toBe(1);
  expect(await workspaceProjects()).toHaveLength(1);
});

test("a run over a project one may only look at keeps its pages in the user's own", async () => {
  const viewer = await world.makeUser();
  await world.admin.query("insert into homework.onto_project_members values ($1, $2, 'viewer')", [projectId, viewer]);
  const looking = await world.create(viewer, { scope: { kind: "project", projectId } });
  expect((await ensure(looking)).projectId).not.toBe(projectId);
});

const append = (workspace: Workspace, one: ScratchpadEntry) => asRun((tx) => appendScratchpad(tx, workspace, one));

test("an iteration has one entry, however often it is written and by however many", async () => {
  const workspace = await ensure();
  const all = await Promise.all(Array.from({ length: 6 }, () => append(workspace, entry(1))));
  expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
  await append(workspace, entry(2));
  expect((await append(workspace, entry(1, { summary: "Once more" }))).isNew).toBe(false);
  const { text: tail } = await asRun((tx) => readScratchpad(tx, workspace, 3));
  expect(tail).toBe("## Iteration 1\n\nDid number 1\n\n## Iteration 2\n\nDid number 2");
});

test("what a person wrote on the page stays", async () => {
  const workspace = await ensure();
  await append(workspace, entry(1));
  const page = await world.as(user, (tx) => findEntity(tx, "document", projectId, workspace.scratchpadId));
  const content = `${page?.content}\n\nMy own line`;
  await world.as(user, (tx) =>
    updateEntity(tx, "document", { id: workspace.scratchpadId, projectId, version: page?.version ?? 0 }, { content }),
  );
  await append(workspace, entry(2));
  const after = await world.as(user, (tx) => findEntity(tx, "document", projectId, workspace.scratchpadId));
  expect(after?.content).toContain("My own line\n\n## Iteration 2");
});

test("a full page is continued on another; old entries are not written again, and the tail spans both", async () => {
  const workspace = await ensure();
  const action = { tool: "read", args: "x".repeat(160), ok: true, result: "y".repeat(240) };
  const long = (iteration: number) => entry(iteration, { actions: Array.from({ length: 15 }, () => action) });
  for (let iteration = 1; iteration <= 12; iteration += 1) await append(workspace, long(iteration));
  const pages = (await documents()).filter(({ typeKey }) => typeKey === pageTypes.scratchpad);
  expect(pages.map(({ title }) => title)).toEqual(
    Array.from({ length: 12 }, (_, n) => (n === 0 ? "Scratchpad" : `Scratchpad ${n + 1}`)),
  );
  expect(pages.map(({ parentId }) => parentId)).toEqual(pages.map(() => workspace.rootId));
  expect(pages.map(({ props }) => (props.homework as { path: string }).path.split("/").at(-1)).slice(0, 3)).toEqual([
    ...["scratchpad.md", "scratchpad-002.md", "scratchpad-003.md"],
  ]);
  for (const { id } of pages) {
    const page = await asRun((tx) => findEntity(tx, "document", projectId, id));
    expect(page?.content.length).toBeLessThanOrEqual(scratchpadPageMax);
  }
  expect((await append(workspace, long(2))).isNew).toBe(false);
  const { text: tail } = await asRun((tx) => readScratchpad(tx, workspace, 6));
  expect([...tail.matchAll(/^## Iteration (\d+)$/gm)].map(([, n]) => Number(n))).toEqual([7, 8, 9, 10, 11, 12]);
});

test("a scratchpad in the bin is left there: another page is begun", async () => {
  const workspace = await ensure();
  await append(workspace, entry(1));
  await world.as(user, (tx) => setEntityBinned(tx, "document", projectId, workspace.scratchpadId, true));
  expect((await append(workspace, entry(2))).documentId).not.toBe(workspace.scratchpadId);
});

test("plan, summaries and branches are made once and stand at their paths", async () => {
  const workspace = await ensure();
  const step = { id: "s", title: "Compare", isOptional: false, owner: null, lastIteration: 1, evidence: [] };
  const plan = (status: "pending" | "done") => ({ steps: [{ ...step, status }] });
  const branch = { branchId: "task-1-1", title: "Offers", iteration: 1 };
  await asRun((tx) => writePlanDocument(tx, workspace, plan("pending"), 1));
  await asRun((tx) => writePlanDocument(tx, workspace, plan("done"), 2));
  for (const text of ["One", "One"]) await asRun((tx) => writeIterationSummary(tx, workspace, 1, text));
  const branches = await Promise.all(
    Array.from({ length: 5 }, () => asRun((tx) => ensureBranch(tx, workspace, branch))),
  );
  expect(new Set(branches.map(({ documentId }) => documentId)).size).toBe(1);
  const documentId = branches[0]?.documentId ?? "";
  for (const text of ["First finding", "Second finding"])
    await asRun((tx) => appendToBranch(tx, workspace, documentId, text));
  const pages = await documents();
  expect(pages.map(({ props }) => (props.homework as { path: string }).path.replace(run.id, "…")).toSorted()).toEqual([
    "/homework/…",
    "/homework/…/branches/task-1-1/findings.md",
    "/homework/…/iterations/001-summary.md",
    "/homework/…/plan.md",
    "/homework/…/scratchpad.md",
  ]);
  const read = async (path: string) => {
    const page = pages.find(({ props }) => (props.homework as { path: string }).path.endsWith(path));
    const found = await asRun((tx) => findEntity(tx, "document", projectId, page?.id ?? ""));
    return [found?.version, found?.content];
  };
  expect(await read("plan.md")).toEqual([2, expect.stringContaining("- [x] Compare")]);
  expect(await read("001-summary.md")).toEqual([1, "One"]);
  expect(await read("findings.md")).toEqual([3, "First finding\n\nSecond finding"]);
  const tree = await asRun((tx) => documentTree(tx, projectId, true));
  expect(tree.nodes.filter(({ parentId }) => parentId === workspace.rootId)).toHaveLength(4);
});

test("another run's page at the same path is not found", async () => {
  const workspace = await ensure();
  const other = await world.create(user, { scope: { kind: "project", projectId } });
  const forged = { homework: { run_id: run.id, path: `/homework/${run.id}/plan.md` } };
  await world.admin.query(
    `insert into homework.onto_documents (id, project_id, title, props, created_by_run)
     values (gen_random_uuid(), $1, 'Forged', $2, $3)`,
    [projectId, JSON.stringify(forged), other.id],
  );
  const id = await asRun((tx) => writePlanDocument(tx, workspace, { steps: [] }, 1));
  expect((await asRun((tx) => findEntity(tx, "document", projectId, id)))?.title).toBe("Plan");
});

test("a branch has a page once something is written to it, and one page however often", async () => {
  const workspace = await ensure();
  const branch = { branchId: "task-2-1", title: "Prices", iteration: 2 };
  expect(await documents()).toHaveLength(2);
  const { documentId } = await asRun((tx) => writeToBranch(tx, workspace, branch, "First"));
  expect(await asRun((tx) => writeToBranch(tx, workspace, branch, "Second"))).toEqual({ documentId });
  expect(await asRun((tx) => findEntity(tx, "document", projectId, documentId))).toMatchObject({
    typeKey: pageTypes.branch,
    parentId: workspace.rootId,
    content: "First\n\nSecond",
  });
  expect(await documents()).toHaveLength(3);
});

test("pages are found by search while the run works, by those who ask for working notes", async () => {
  const workspace = await ensure();
  await append(workspace, entry(1, { summary: "The zebra crossing needs paint" }));
  const find = (include_working_notes: boolean) =>
    world.as(user, (tx) => search(tx, { q: "zebra", limit: 5, include_working_notes }));
  expect((await find(true)).map(({ id }) => id)).toEqual([workspace.scratchpadId]);
  expect(await find(false)).toEqual([]);
});

test.each(workingNoteTypes)(
  "a page of type %s is a working note if a run made it, and a document if a person did",
  async (type) => {
    const make = async (by: Partial<{ runId: string }>) => {
      const id = newId();
      await world.db.asUser({ userId: user, ...by }, (tx) =>
        createEntity(tx, "document", { id, projectId, by: user }, { title: "Ocelot", type_key: type }),
      );
      return id;
    };
    const [own, runs] = [await make({}), await make({ runId: run.id })];
    const seen = await world.as(user, async (tx) => ({
      list: (await listEntities(tx, "document", projectId, { limit: 50, sort: "updated", deleted: false })).items,
      all: (
        await listEntities(tx, "document", projectId, {
          limit: 50,
          sort: "updated",
          deleted: false,
          include_working_notes: true,
        })
      ).items,
      tree: (await documentTree(tx, projectId)).nodes,
      hits: await search(tx, { q: "ocelot", limit: 50 }),
      count: (await countNodes(tx, projectId)).find(({ kind }) => kind === "document")?.count,
    }));
    for (const found of [seen.list, seen.tree, seen.hits]) expect(found.map(({ id }) => id)).toEqual([own]);
    expect(seen.all.map(({ id }) => id).toSorted()).toEqual([own, runs].toSorted());
    expect(seen.count).toBe(1);
  },
);

test("a run is shown its own notes, the newest first and short ones whole, and no other's", async () => {
  const write = (title: string, content: string, of = run) =>
    asRun(
      (tx) =>
        createEntity(
          tx,
          "document",
          { id: newId(), projectId, by: user },
          { title, content, type_key: pageTypes.note },
        ),
      of,
    );
  await write("Long", "x".repeat(6_001));
  await write("For later", "Ask Sefa");
  await write("Theirs", "Not mine", await world.create(user, { scope: { kind: "project", projectId } }));
  const notes = await asRun((tx) => readOwnNotes(tx, run.id));
  expect(notes.map(({ title, length, text }) => [title, length, text])).toEqual([
    ["For later", 8, "Ask Sefa"],
    ["Long", 6_001, null],
  ]);
});

test("finding a page uses its index, whatever the run has made", async () => {
  const workspace = await ensure();
  await world.admin.query(
    `insert into homework.onto_documents (id, project_id, title, props, created_by_run)
     select gen_random_uuid(), $1, 'Page ' || n, jsonb_build_object('homework', jsonb_build_object('run_id', $2::text, 'path', 'p' || n)), $2::uuid
       from generate_series(1, 5000) n`,
    [projectId, run.id],
  );
  await world.admin.query("analyze homework.onto_documents");
  const plan = await world.db.asSystem(async (tx) => {
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain select id from onto_documents
      where props ? 'homework' and left(props->'homework'->>'run_id', 64) = ${sql.lit(run.id)}
        and left(props->'homework'->>'path', 200) = 'p77'`.execute(tx);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("onto_documents_homework");
  await append(workspace, entry(1));
});
