// What someone else wrote meanwhile is shown and never replaced, by any tool that writes. Every write tool stands in the table below;
// one that is added without a row turns the first test red.

import { expect, test } from "vitest";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { type EntityKind, entityKinds } from "../domain/entity/kinds.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { updateEntity } from "../store/entity/entity-store.ts";
import { updateProject } from "../store/entity/project-store.ts";
import { builtInTools } from "./built-in.ts";
import { noteSightings, type ThingsRead } from "./things-read.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";
import { updateName } from "./update-entity.ts";

const { call, done, contextOf, makeUser, makeProject, makeEntity, makeWorkspace, find, as, admin } = await toolWorld();

/** `replaces`: puts a text in the place of another; `merges`: works a change into what is there; `adds`: leaves all text as it is. */
const manners: Readonly<Record<string, "replaces" | "merges" | "removes" | "adds">> = {
  create_project: "adds",
  update_project: "replaces",
  ...Object.fromEntries(
    entityKinds.flatMap((kind) => [
      [`create_${kind}`, "adds"],
      [updateName(kind), "replaces"],
      [`bin_${kind}`, "removes"],
      [`restore_${kind}`, "adds"],
    ]),
  ),
  append_document: "merges",
  edit_document: "merges",
  move_document: "adds",
  link: "adds",
  unlink: "adds",
  write_note: "adds",
  start_branch: "adds",
  write_summary: "merges",
};

test("every tool that writes is known to replace, to merge, to remove or to add", () => {
  const writing = builtInTools.filter(({ kind }) => kind === "write").map(({ name }) => name);
  expect(Object.keys(manners).sort()).toEqual(writing.sort());
});

const page = ["# Plan", "Buy tiles.", "Ask Ana.", "Paint the wall."].join("\n\n");
const theirs = page.replace("Ask Ana.", "Ask Ben, he knows.");

/** A session of a run: what its calls show it is noted, as the engine notes it. */
function sessionOf(context: ToolContext) {
  const thingsRead: ThingsRead = new Map();
  return async (name: string, args: object): Promise<ToolOutcome> => {
    const outcome = await call({ ...context, thingsRead }, name, args);
    noteSightings(thingsRead, outcome.seen ?? []);
    return outcome;
  };
}

async function setUp(kind: EntityKind = "document", content = page) {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = await makeEntity(user, project, kind, "Kitchen");
  await write(user, project, kind, id, { content, description: "What to do first" });
  const runId = anyId();
  const workspace = await makeWorkspace(user, project, runId);
  const context = contextOf(user, { runId, workspace, projectIds: [project] });
  const now = async () => find(kind, project, id);
  const person = (fields: Parameters<typeof updateEntity>[3]) => write(user, project, kind, id, fields);
  return { user, project, id, context, now, person, session: sessionOf(context) };
}

/** As a person does it: not in a run. */
async function write(
  user: UserId,
  projectId: string,
  kind: EntityKind,
  id: string,
  fields: Parameters<typeof updateEntity>[3],
) {
  const { version = 0 } = (await find(kind, projectId, id)) ?? {};
  const saved = await as(user, (tx) => updateEntity(tx, kind, { id, projectId, version }, fields));
  expect(saved.outcome).toBe("saved");
}

const replacing = entityKinds.map((kind) => ({ kind, tool: updateName(kind) }));

test.each(replacing)("$tool does not replace a text that the session has not read", async ({ kind, tool }) => {
  const { id, now, session } = await setUp(kind);
  const refused = await session(tool, { id, content: "Mine" });
  expect(refused).toMatchObject({ ok: false, code: "conflict", text: expect.stringContaining(`get_${kind}`) });
  expect((await now())?.content).toBe(page);
  await session(`get_${kind}`, { id });
  expect(await session(tool, { id, content: "Mine" })).toMatchObject({ ok: true });
  expect((await now())?.content).toBe("Mine");
});

test.each(replacing)("$tool does not replace what a person wrote after it was read, and shows it", async (row) => {
  const { kind, tool } = row;
  const { id, now, person, session } = await setUp(kind);
  await session(`get_${kind}`, { id });
  await person({ content: theirs });
  const refused = await session(tool, { id, content: `${page}\n\nMine.` });
  expect(refused).toMatchObject({ ok: false, code: "conflict" });
  expect(refused.text).toContain("- Ask Ana.\n+ Ask Ben, he knows.");
  expect(refused.text).toContain("by the user");
  expect((await now())?.content).toBe(theirs);
  // It has read their words in the answer: the same call again may put both together.
  expect(await session(tool, { id, content: `${theirs}\n\nMine.` })).toMatchObject({ ok: true });
  expect((await now())?.content).toBe(`${theirs}\n\nMine.`);
});

test.each(replacing)("$tool replaces what only this session has written", async ({ kind, tool }) => {
  const { context, session } = await setUp(kind);
  const made = await session(`create_${kind}`, { title: "New", content: "One" });
  const id = (made.ok && made.artifacts[0]?.id) || "";
  for (const content of ["Two", "Three"]) expect(await session(tool, { id, content })).toMatchObject({ ok: true });
  // A second session of the same run, as an executor is one, has not read it.
  expect(await sessionOf(context)(tool, { id, content: "Four" })).toMatchObject({ ok: false, code: "conflict" });
});

test.each(replacing)("$tool leaves a field that a person has changed, and takes one that nobody has", async (row) => {
  const { kind, tool } = row;
  const { id, now, person, session } = await setUp(kind);
  await session(`get_${kind}`, { id });
  await person({ title: "Kitchen, ground floor" });
  const refused = await session(tool, { id, title: "Bathroom" });
  expect(refused).toMatchObject({ ok: false, code: "conflict" });
  expect(refused.text).toContain('"Kitchen" → "Kitchen, ground floor"');
  await person({ title: "Kitchen, first floor" });
  const written = await session(tool, { id, description: "Tiles first" });
  expect(written).toMatchObject({ ok: true, showsText: true, text: expect.stringContaining("first floor") });
  expect(await now()).toMatchObject({ title: "Kitchen, first floor", description: "Tiles first" });
});

test.each(entityKinds)("bin_%s leaves alone what was changed since it was read", async (kind) => {
  const { id, now, person, session } = await setUp(kind);
  await session(`get_${kind}`, { id });
  await person({ content: theirs });
  const refused = await session(`bin_${kind}`, { id });
  expect(refused).toMatchObject({ ok: false, code: "conflict", text: expect.stringContaining("+ Ask Ben") });
  expect((await now())?.deletedAt).toBeNull();
  expect(await session(`bin_${kind}`, { id })).toMatchObject({ ok: true });
});

test("update_project does not replace a description that a person has changed or that was not read", async () => {
  const { user, project, context } = await setUp();
  const describeIt = (description: string, version: number) =>
    as(user, (tx) => updateProject(tx, project, { version, description }));
  await describeIt("Of the house", 1);
  const session = sessionOf(context);
  expect(await session("update_project", { description: "Mine" })).toMatchObject({ ok: false, code: "conflict" });
  const other = sessionOf(context);
  await other("get_project", {});
  await describeIt("Of the whole house", 2);
  const refused = await other("update_project", { description: "Mine" });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("+ Of the whole house") });
  expect(await other("update_project", { description: "Of the whole house, mine" })).toMatchObject({ ok: true });
});

test.each([
  ["append_document", (id: string) => ({ id, text: "Mine." }), `${theirs}\n\nMine.`],
  [
    "edit_document",
    (id: string) => ({ id, edits: [{ find: "Paint the wall.", replace: "Mine." }] }),
    theirs.replace("Paint the wall.", "Mine."),
  ],
] as const)(
  "%s keeps both, shows what was written meanwhile, and the session knows it then",
  async (tool, args, both) => {
    const { id, now, person, session } = await setUp();
    await session("get_document", { id });
    await person({ content: theirs });
    const written = await session(tool, args(id));
    expect(written).toMatchObject({ ok: true, text: expect.stringContaining("+ Ask Ben, he knows.") });
    expect((await now())?.content).toBe(both);
    expect(await session("update_document", { id, content: "All of it" })).toMatchObject({ ok: true });
  },
);

test("an edit of a page that was never read does not allow to replace it", async () => {
  const { id, session } = await setUp();
  expect(await session("edit_document", { id, edits: [{ find: "Ask Ana.", replace: "Mine." }] })).toMatchObject({
    ok: true,
  });
  expect(await session("update_document", { id, content: "Mine" })).toMatchObject({ ok: false, code: "conflict" });
});

test("a long page is read when all its pages are, in any order", async () => {
  const { id, session } = await setUp("document", `${"word ".repeat(3_000)}end`);
  const read = (offset: number) => session("get_document", { id, offset });
  await read(8_000);
  const refused = await session("update_document", { id, content: "Mine" });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("only in part") });
  await read(0);
  expect(await session("update_document", { id, content: "Mine" })).toMatchObject({ ok: true });
});

test("a change that is too long to be shown has to be read", async () => {
  const { id, person, session } = await setUp();
  await session("get_document", { id });
  await person({ content: Array.from({ length: 900 }, (_, n) => `Line ${n}`).join("\n") });
  const refused = await session("update_document", { id, content: "Mine" });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("Read it with get_document") });
  expect(await session("update_document", { id, content: "Mine" })).toMatchObject({ ok: false });
});

test("a line of a list is enough for its fields, and a short description that stands in it", async () => {
  const { id, person, session } = await setUp("task");
  await session("list_tasks", {});
  expect(await session("update_task", { id, state: "in_progress", description: "Other" })).toMatchObject({ ok: true });
  await person({ state_key: "blocked" });
  const refused = await session("update_task", { id, state: "done" });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining('"in_progress" → "blocked"') });
  expect(await session("update_task", { id, state: "done" })).toMatchObject({ ok: true });
});

test("a description that was never read is shown in the refusal, which is a way to read it", async () => {
  const { id, session } = await setUp("task");
  const refused = await session("update_task", { id, description: "Mine" });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("What to do first") });
  expect(await session("update_task", { id, description: "Mine" })).toMatchObject({ ok: true });
});

test("a run may replace its own description of an iteration before, unless a person has changed it", async () => {
  const { user, project, context, session } = await setUp();
  const make = async () => {
    const { artifacts } = await done(context, "create_task", { title: "Call Ana", description: "On Monday" });
    return artifacts[0]?.id ?? "";
  };
  const [mine, changed] = [await make(), await make()];
  await write(user, project, "task", changed, { description: "On Tuesday" });
  expect(await session("update_task", { id: mine, description: "At nine" })).toMatchObject({ ok: true });
  expect(await session("update_task", { id: changed, description: "At nine" })).toMatchObject({ ok: false });
});

test("properties count one by one", async () => {
  const { id, person, session } = await setUp("task");
  await session("get_task", { id });
  await person({ props: { size: "M", colour: "red" } });
  expect(await session("update_task", { id, props: { floor: 2 } })).toMatchObject({ ok: true });
  await person({ props: { size: "L", colour: "red", floor: 2 } });
  const refused = await session("update_task", { id, props: { size: "S" } });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("props.size") });
});

test("text that another person wrote meanwhile is shown as a stranger's", async () => {
  const { project, id, context, session } = await setUp();
  await session("get_document", { id });
  const friend = await makeUser();
  await admin.query("insert into homework.onto_project_members (project_id, user_id, role) values ($1, $2, 'editor')", [
    project,
    friend,
  ]);
  await write(friend, project, "document", id, { content: theirs });
  const refused = await session("update_document", { id, content: "Mine" });
  expect(refused).toMatchObject({ ok: false, isUntrusted: true, text: expect.stringContaining("by another person") });
  expect(context.runId).not.toBeNull();
});

test("what was approved is not compared with what a session has read", async () => {
  const { id, context } = await setUp();
  expect(await call(context, "update_document", { id, content: "Mine" })).toMatchObject({ ok: true });
});
