import { expect, test } from "vitest";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import { setEntityBinned, updateEntity } from "../store/entity/entity-store.ts";
import { updateName } from "./update-entity.ts";

const world = await toolWorld();
const { call, done, contextOf, makeUser, makeProject, makeEntity, addMember, find, as } = world;

async function setUp() {
  const user = await makeUser();
  const project = await makeProject(user);
  return {
    user,
    project,
    context: contextOf(user, { runId: anyId(), projectIds: [project], iteration: 3, branchId: "b1" }),
  };
}

test.each([
  ["America/Los_Angeles", "2031-05-17"],
  ["UTC", "2031-05-18 06:59"],
])("a model in %s reads that a task is due on %s", async (timeZone, day) => {
  const { project, context } = await setUp();
  const of = { ...context, timeZone };
  const { artifacts } = await done(of, "create_task", {
    title: "T",
    project_id: project,
    due_at: "2031-05-18T06:59:59Z",
  });
  const { text } = await done(of, "get_task", { id: artifacts[0]?.id ?? "" });
  expect(text).toContain(`due: ${day}\n`);
  expect((await done(of, "list_tasks", { project_id: project })).text).toContain(`due ${day} ·`);
});

test("a day that is given ends at 23:59 where the user is, a time is kept", async () => {
  const { project, context } = await setUp();
  const due = async (timeZone: string | undefined, due_at: string) => {
    const of = timeZone === undefined ? context : { ...context, timeZone };
    const id = (await done(of, "create_task", { title: "T", due_at })).artifacts[0]?.id ?? "";
    const made = (await find("task", project, id))?.dueAt;
    await done(of, "update_task", { id, due_at: null });
    await done(of, "update_task", { id, due_at });
    expect((await find("task", project, id))?.dueAt).toBe(made);
    return new Date(made ?? "").toISOString();
  };
  expect(await due("Europe/Berlin", "2031-05-17")).toBe("2031-05-17T21:59:59.000Z");
  expect(await due("America/Los_Angeles", "2031-05-17")).toBe("2031-05-18T06:59:59.000Z");
  expect(await due(undefined, "2031-05-17")).toBe("2031-05-17T23:59:59.000Z");
  expect(await due("Europe/Berlin", "2031-05-17T09:00:00+02:00")).toBe("2031-05-17T07:00:00.000Z");
});

test.each(entityKinds)("what a run makes (%s) is there, under its user's name, and marked", async (kind) => {
  const { user, project, context } = await setUp();
  const made = await done(context, `create_${kind}`, { title: "A title", content: "A text", props: { colour: "red" } });
  const [artifact] = made.artifacts;
  expect(artifact?.kind).toBe(kind);
  expect(await find(kind, project, artifact?.id ?? "")).toMatchObject({
    title: "A title",
    content: "A text",
    stateKey: kindSpecs[kind].states[0],
    createdBy: user,
    createdByRun: context.runId,
    props: {
      colour: "red",
      homework: { run_id: context.runId, iteration: 3, branch_id: "b1", source: "own" },
    },
  });
});

test.each(entityKinds)("a %s is listed, read, changed, binned and restored by its id", async (kind) => {
  const { user, project, context } = await setUp();
  const id = await makeEntity(user, project, kind, "First title");
  const listed = await done(context, `list_${kindSpecs[kind].plural}`);
  expect(listed.text).toContain(`${id} [${kindSpecs[kind].states[0]}] "First title"`);
  const state = kindSpecs[kind].states[1];
  await done(context, updateName(kind), { id, title: "Second title", state });
  expect((await done(context, `get_${kind}`, { id })).text).toMatch(/title: Second title\nstate: \w+ .*version: 2/);
  await done(context, `bin_${kind}`, { id });
  expect(await call(context, `get_${kind}`, { id })).toMatchObject({
    code: "conflict",
    text: expect.stringContaining(`restore_${kind}`),
  });
  expect((await done(context, `list_${kindSpecs[kind].plural}`, { in_bin: true })).text).toContain(id);
  await done(context, `restore_${kind}`, { id });
  expect(await find(kind, project, id)).toMatchObject({
    title: "Second title",
    stateKey: state,
    deletedAt: null,
  });
});

test("a title or a text of Markdown and HTML stays as it is, also a long one", async () => {
  const { project, context } = await setUp();
  const content = `# H <b onclick="x()">bold</b> &amp; {{x}} \`\`\`\n</document> \${y}\r\n\t🎉 ${"long ".repeat(20_000)}`;
  const title = "<script>alert(1)</script> **x** & 'y'";
  const { artifacts } = await done(context, "create_document", { title, content, description: "<i>d</i>" });
  const id = artifacts[0]?.id ?? "";
  expect(await find("document", project, id)).toMatchObject({ title, content, description: "<i>d</i>" });
  await done(context, "update_document", { id, content: `${content}!` });
  expect((await find("document", project, id))?.content).toBe(`${content}!`);
});

test("what PostgreSQL cannot hold is taken out of a text", async () => {
  const { project, context } = await setUp();
  const { artifacts } = await done(context, "create_task", { title: "a\u0000b", content: "c\ud800d\u0000" });
  expect(await find("task", project, artifacts[0]?.id ?? "")).toMatchObject({ title: "ab", content: "c\ufffdd" });
});

test("a long text is shown in pages that together are the text", async () => {
  const { context } = await setUp();
  const content = Array.from({ length: 9_000 }, (_, n) => `${n} 🎉`).join(" ");
  const { artifacts } = await done(context, "create_document", { title: "Long", content });
  const id = artifacts[0]?.id ?? "";
  let whole = "";
  let pages = 0;
  for (let offset: number | null = 0; offset !== null && pages < 50; pages++) {
    const { text } = await done(context, "get_document", { id, offset, limit: 7_999 });
    const [, header = "", shown = ""] = /\n(content \(.*?\):)\n([\s\S]*)$/.exec(text) ?? [];
    whole += shown;
    const next = /offset (\d+)/.exec(header)?.[1];
    offset = next === undefined ? null : Number(next);
  }
  expect(whole).toBe(content);
  expect(pages).toBe(Math.ceil(content.length / 7_998));
});

test("a description and properties that are too long for the header can be read whole", async () => {
  const { context } = await setUp();
  const description = `begin ${"d".repeat(7_000)} end`;
  const made = await done(context, "create_task", { title: "T", description, props: { much: "p".repeat(9_000) } });
  const id = made.artifacts[0]?.id ?? "";
  const header = (await done(context, "get_task", { id })).text;
  expect(header).toContain('the whole with part "description"');
  expect(header.length).toBeLessThan(4_000);
  const { text } = await done(context, "get_task", { id, part: "description", limit: 8_000 });
  expect(text).toContain(description);
});

test("properties are put together, never replaced, and null takes one away", async () => {
  const { project, context } = await setUp();
  const { artifacts } = await done(context, "create_task", {
    title: "T",
    props: { a: 1, deep: { x: 1, y: 2 }, gone: 1 },
  });
  const id = artifacts[0]?.id ?? "";
  const before = await find("task", project, id);
  await done(context, "update_task", { id, props: { b: [2], deep: { y: 3 }, gone: null } });
  const after = await find("task", project, id);
  expect(after?.props).toEqual({ a: 1, b: [2], deep: { x: 1, y: 3 }, homework: before?.props.homework });
});

test.each([{ homework: null }, { homework: { run_id: "x" } }])(
  "the mark of a run cannot be given or taken away: %j",
  async (props) => {
    const { context } = await setUp();
    const { artifacts } = await done(context, "create_task", { title: "T" });
    expect(await call(context, "update_task", { id: artifacts[0]?.id, props })).toMatchObject({
      code: "invalid_arguments",
    });
    expect(await call(context, "create_task", { title: "T", props })).toMatchObject({ code: "invalid_arguments" });
  },
);

test("properties that would outgrow their room are refused", async () => {
  const { project, context } = await setUp();
  const { artifacts } = await done(context, "create_task", { title: "T", props: { a: "x".repeat(40_000) } });
  const id = artifacts[0]?.id ?? "";
  const more = await call(context, "update_task", { id, props: { b: "x".repeat(40_000) } });
  expect(more).toMatchObject({ code: "invalid_arguments", text: expect.stringContaining("null") });
  expect((await find("task", project, id))?.version).toBe(1);
});

test("a change against a version that is no longer there is refused and changes nothing", async () => {
  const { user, project, context } = await setUp();
  const id = await makeEntity(user, project, "task", "One");
  await as(user, (tx) => updateEntity(tx, "task", { id, projectId: project, version: 1 }, { title: "Theirs" }));
  const refused = await call(context, "update_task", { id, title: "Ours", expected_version: 1 });
  expect(refused).toMatchObject({ ok: false, code: "conflict", text: expect.stringContaining("version 2") });
  expect((await find("task", project, id))?.title).toBe("Theirs");
  await done(context, "update_task", { id, title: "Ours", expected_version: 2 });
});

test("someone who writes in the very moment loses nothing", async () => {
  const { user, project, context } = await setUp();
  const id = await makeEntity(user, project, "document");
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const theirs = as(user, async (tx) => {
    await updateEntity(tx, "document", { id, projectId: project, version: 1 }, { content: "theirs" });
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  const ours = done(context, "append_document", { id, text: "ours" });
  await expect.poll(isSomeoneWaiting).toBe(true);
  end.resolve();
  await Promise.all([theirs, ours]);
  expect(await find("document", project, id)).toMatchObject({ content: "theirs\n\nours", version: 3 });
});

async function isSomeoneWaiting() {
  const { rows } = await world.admin.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length > 0;
}

test("fields a kind does not have are refused as unknown", async () => {
  const { context } = await setUp();
  expect(await call(context, "create_goal", { title: "G", priority: 1 })).toMatchObject({ code: "invalid_arguments" });
  expect(await call(context, "create_task", { title: "T", parent_id: anyId() })).toMatchObject({
    code: "invalid_arguments",
  });
  await done(context, "create_task", { title: "T", priority: 1, due_at: "2031-05-17" });
});

test("the platform's own types of documents cannot be claimed", async () => {
  const { context } = await setUp();
  const made = await call(context, "create_document", { title: "T", type_key: "document.homework.scratchpad" });
  expect(made).toMatchObject({ code: "invalid_arguments" });
});

test("a change of nothing is refused", async () => {
  const { user, project, context } = await setUp();
  const id = await makeEntity(user, project, "task");
  expect(await call(context, "update_task", { id })).toMatchObject({ code: "invalid_arguments" });
  expect((await find("task", project, id))?.version).toBe(1);
});

test("an id of another kind says which kind it is", async () => {
  const { user, project, context } = await setUp();
  const goal = await makeEntity(user, project, "goal");
  expect(await call(context, "get_task", { id: goal })).toMatchObject({
    code: "not_found",
    text: expect.stringContaining("is a goal"),
  });
});

test("a list has fifty lines at most, fits, and goes on where it ended", async () => {
  const { user, project, context } = await setUp();
  for (let n = 0; n < 53; n++) await makeEntity(user, project, "task", `${n} ${"wide\n".repeat(60)}`);
  expect(await call(context, "list_tasks", { limit: 51 })).toMatchObject({ code: "invalid_arguments" });
  const first = await done(context, "list_tasks", { limit: 50 });
  const cursor = /cursor (\S+)/.exec(first.text)?.[1];
  const second = await done(context, "list_tasks", { limit: 50, cursor });
  const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));
  expect(lines(first.text)).toHaveLength(50);
  expect(lines(second.text)).toHaveLength(3);
  expect(new Set([...lines(first.text), ...lines(second.text)]).size).toBe(53);
});

test("a cursor of another list is refused as an argument", async () => {
  const { context } = await setUp();
  expect(await call(context, "list_tasks", { cursor: "bm9uc2Vuc2U" })).toMatchObject({ code: "invalid_arguments" });
});

test("a list can show only what this run has made", async () => {
  const { user, project, context } = await setUp();
  const theirs = await makeEntity(user, project, "task");
  const { artifacts } = await done(context, "create_task", { title: "Ours" });
  const { text } = await done(context, "list_tasks", { made_by_this_run: true });
  expect(text).toContain(artifacts[0]?.id);
  expect(text).not.toContain(theirs);
});

test("with several projects and none named it has to say which", async () => {
  const { user, project } = await setUp();
  const context = contextOf(user, { projectIds: [project, await makeProject(user)] });
  expect(await call(context, "create_task", { title: "T" })).toMatchObject({
    code: "invalid_arguments",
    text: expect.stringContaining("list_projects"),
  });
});

test("things of a project in the bin are left alone", async () => {
  const { user, project, context } = await setUp();
  const id = await makeEntity(user, project, "task");
  await world.admin.query("update homework.onto_projects set deleted_at = now() where id = $1", [project]);
  for (const [name, args] of [
    ["get_task", { id }],
    ["update_task", { id, title: "x" }],
    ["create_task", { title: "x" }],
  ] as const)
    expect(await call(context, name, args)).toMatchObject({ code: "conflict", text: expect.stringContaining("bin") });
});

test("what is in the bin already or not in it is told", async () => {
  const { user, project, context } = await setUp();
  const id = await makeEntity(user, project, "task");
  expect(await call(context, "restore_task", { id })).toMatchObject({ code: "conflict" });
  await as(user, (tx) => setEntityBinned(tx, "task", project, id, true));
  expect(await call(context, "bin_task", { id })).toMatchObject({ code: "conflict" });
});

test("a text is untrusted when someone else made the thing", async () => {
  const { user, project, context } = await setUp();
  const other = await makeUser("Other");
  await addMember(project, other, "editor");
  const own = await makeEntity(user, project, "task", "Own");
  expect(await done(context, "get_task", { id: own })).toMatchObject({ isUntrusted: false });
  expect(await done(context, "list_tasks")).toMatchObject({ isUntrusted: false });
  const theirs = await makeEntity(other, project, "task", "Theirs");
  expect(await done(context, "get_task", { id: theirs })).toMatchObject({ isUntrusted: true });
  expect(await done(context, "list_tasks")).toMatchObject({ isUntrusted: true });
});

test("a text is untrusted when someone else has changed it, also after the user did", async () => {
  const { user, project, context } = await setUp();
  const other = await makeUser("Other");
  await addMember(project, other, "editor");
  const id = await makeEntity(user, project, "document", "Own");
  await as(other, (tx) => updateEntity(tx, "document", { id, projectId: project, version: 1 }, { content: "Obey!" }));
  await done(context, "update_document", { id, state: "review" });
  expect(await done(context, "get_document", { id })).toMatchObject({ isUntrusted: true });
});

test("a text from the web is untrusted from then on", async () => {
  const { user, project, context } = await setUp();
  const { artifacts } = await done(context, "create_document", { title: "T", content: "taken", source: "web" });
  expect(await done(context, "get_document", { id: artifacts[0]?.id })).toMatchObject({ isUntrusted: true });
  const id = await makeEntity(user, project, "document", "Own");
  expect(await done(context, "get_document", { id })).toMatchObject({ isUntrusted: false });
  await done(context, "append_document", { id, text: "taken", source: "web" });
  await done(context, "append_document", { id, text: "own", source: "own" });
  expect(await done(context, "get_document", { id })).toMatchObject({ isUntrusted: true });
});
