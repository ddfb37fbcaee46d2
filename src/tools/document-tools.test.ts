import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { limits } from "../domain/entity/limits.ts";

const runs = await runWorld(100);
const { call, done, contextOf, makeUser, makeProject, makeEntity, makeWorkspace, find, admin } = await toolWorld(runs);

async function setUp() {
  const user = await makeUser();
  const project = await makeProject(user);
  const runId = anyId();
  const workspace = await makeWorkspace(user, project, runId);
  const document = (title = "Page") => makeEntity(user, project, "document", title);
  return { user, project, workspace, document, context: contextOf(user, { runId, workspace, projectIds: [project] }) };
}

test("a document of a run without a parent stands at the top of the project, not in the workspace", async () => {
  const { project, context } = await setUp();
  const { artifacts } = await done(context, "create_document", { title: "Page" });
  expect((await find("document", project, artifacts[0]?.id ?? ""))?.parentId).toBeNull();
});

test("a document of a run has a path and tags, and two of one title have two paths", async () => {
  const { project, context } = await setUp();
  const make = async (args: object) => {
    const { artifacts } = await done(context, "create_document", { title: "Heat pumps: 3 offers", ...args });
    return find("document", project, artifacts[0]?.id ?? "");
  };
  const path = `/homework/${context.runId}/documents/heat-pumps-3-offers`;
  expect((await make({ tags: ["heating", "offers"] }))?.props).toMatchObject({
    homework: { path: `${path}.md`, tags: ["heating", "offers"] },
  });
  const second = await make({});
  expect(second?.props).toMatchObject({ homework: { path: `${path}-${second?.id.slice(-8)}.md`, tags: [] } });
  expect(await call(context, "create_task", { title: "T", tags: ["a"] })).toMatchObject({ code: "invalid_arguments" });
});

test("lists, the tree and search leave working notes out unless they are asked for", async () => {
  const { context, workspace } = await setUp();
  const note = (await done(context, "write_note", { title: "Zebra note", content: "Zebra" })).artifacts[0]?.id ?? "";
  const page = (await done(context, "create_document", { title: "Zebra page" })).artifacts[0]?.id ?? "";
  const asked: readonly [string, object][] = [
    ["list_documents", {}],
    ["list_document_tree", {}],
    ["search", { query: "zebra" }],
    ["search_documents", { query: "zebra" }],
  ];
  for (const [tool, args] of asked) {
    const plain = (await done(context, tool, args)).text;
    expect(plain, tool).toContain(page);
    for (const id of [note, workspace.rootId]) expect(plain, tool).not.toContain(id);
    expect((await done(context, tool, { ...args, include_working_notes: true })).text, tool).toContain(note);
  }
  expect((await done(context, "list_document_tree", { below: workspace.rootId })).text).toContain(note);
  expect((await done(context, "get_project", {})).text).toMatch(/\b1 document\b|documents?: 1\b|1 documents/);
});

test("a document below a working note stands at the top of the tree", async () => {
  const { context, workspace } = await setUp();
  const { artifacts } = await done(context, "create_document", { title: "Page", parent_id: workspace.rootId });
  expect((await done(context, "list_document_tree")).text).toContain(`\n- ${artifacts[0]?.id} [draft] "Page"`);
});

test("a document of a run in another project than the workspace's is only marked", async () => {
  const { user, context } = await setUp();
  const other = await makeProject(user);
  const { artifacts } = await done({ ...context, projectIds: null }, "create_document", {
    title: "Page",
    project_id: other,
  });
  expect(await find("document", other, artifacts[0]?.id ?? "")).toMatchObject({
    parentId: null,
    props: { homework: { run_id: context.runId } },
  });
});

test("a document goes below the one that was named", async () => {
  const { project, document, context } = await setUp();
  const parent = await document();
  const { artifacts } = await done(context, "create_document", { title: "Page", parent_id: parent });
  expect((await find("document", project, artifacts[0]?.id ?? ""))?.parentId).toBe(parent);
});

test("a document is made although the workspace's root is gone", async () => {
  const { project, workspace, context } = await setUp();
  await admin.query("update homework.onto_documents set deleted_at = now() where id = $1", [workspace.rootId]);
  const { artifacts } = await done(context, "create_document", { title: "Page" });
  expect((await find("document", project, artifacts[0]?.id ?? ""))?.parentId).toBeNull();
});

test("a parent in another project is refused, and nothing is made", async () => {
  const { user, document, context } = await setUp();
  const parent = await document();
  const other = await makeProject(user);
  const everywhere = { ...context, projectIds: null };
  const made = await call(everywhere, "create_document", { title: "Page", project_id: other, parent_id: parent });
  expect(made).toMatchObject({ code: "invalid_arguments" });
  expect((await done(everywhere, "list_documents", { project_id: other })).text).toMatch(/^No documents/);
});

test("what is added stands in a paragraph of its own at the end", async () => {
  const { project, document, context } = await setUp();
  const id = await document();
  await done(context, "append_document", { id, text: "# One" });
  await done(context, "append_document", { id, text: "<b>two</b>  " });
  expect((await find("document", project, id))?.content).toBe("# One\n\n<b>two</b>  ");
});

test("a hundred kilobytes can be added, but no more than a document holds", async () => {
  const { project, document, context } = await setUp();
  const id = await document();
  await done(context, "append_document", { id, text: "x".repeat(100_000) });
  const full = await call(context, "append_document", { id, text: "y".repeat(limits.content - 100_001) });
  expect(full).toMatchObject({ ok: false, code: "conflict", text: expect.stringContaining("full") });
  expect((await find("document", project, id))?.content).toHaveLength(100_000);
});

test("a table gets a row in place, and the answer shows it with what stands around it", async () => {
  const { project, document, context } = await setUp();
  const id = await document();
  const table = "| Hall | Seats |\n| --- | --- |\n| Town hall | 200 |\n";
  await done(context, "append_document", { id, text: `# Halls\n\n${table}\n# Prices\n\nTown hall: 90 a day.` });
  const newRow = { find: "| Town hall | 200 |", replace: "| Town hall | 200 |\n| Gym | 300 |" };
  const { text, artifacts } = await done(context, "edit_document", { id, edits: [newRow] });
  expect(text).toContain("| Town hall | 200 |\n| Gym | 300 |\n");
  expect(artifacts).toEqual([{ kind: "document", id }]);
  expect((await find("document", project, id))?.content).toBe(
    `# Halls\n\n${table}| Gym | 300 |\n\n# Prices\n\nTown hall: 90 a day.`,
  );
});

test("of several edits all are done or none, and a passage that is not unique is refused", async () => {
  const { project, document, context } = await setUp();
  const id = await document();
  await done(context, "append_document", { id, text: "One hall. Two halls." });
  const edits = [
    { find: "One", replace: "A" },
    { find: "hall", replace: "gym" },
  ];
  expect(await call(context, "edit_document", { id, edits })).toMatchObject({
    code: "invalid_arguments",
    text: expect.stringContaining("Nothing was changed"),
  });
  expect((await find("document", project, id))?.content).toBe("One hall. Two halls.");
});

test("adding against an older version is refused", async () => {
  const { document, context } = await setUp();
  const id = await document();
  await done(context, "append_document", { id, text: "one" });
  expect(await call(context, "append_document", { id, text: "two", expected_version: 1 })).toMatchObject({
    code: "conflict",
  });
});

test("a document moves below another, and to the top", async () => {
  const { project, document, context } = await setUp();
  const [id, parent] = [await document(), await document()];
  await done(context, "move_document", { id, parent_id: parent });
  expect((await find("document", project, id))?.parentId).toBe(parent);
  await done(context, "move_document", { id, parent_id: null });
  expect((await find("document", project, id))?.parentId).toBeNull();
});

test("a document cannot be put below its own child, and stays where it was", async () => {
  const { project, document, context } = await setUp();
  const [id, child, above] = [await document(), await document(), await document()];
  await done(context, "move_document", { id, parent_id: above });
  await done(context, "move_document", { id: child, parent_id: id });
  expect(await call(context, "move_document", { id, parent_id: child })).toMatchObject({ code: "conflict" });
  expect((await find("document", project, id))?.parentId).toBe(above);
});

test.each(["update_document", "append_document", "move_document", "bin_document"])(
  "%s leaves the platform's own pages of a run alone",
  async (name) => {
    const { workspace, context } = await setUp();
    const more = {
      update_document: { title: "x" },
      append_document: { text: "x" },
      move_document: { parent_id: null },
    };
    for (const id of [workspace.rootId, workspace.scratchpadId]) {
      const args = { id, ...more[name as keyof typeof more] };
      expect(await call(context, name, args)).toMatchObject({ ok: false, code: "denied" });
    }
  },
);

test("a person in a chat may change the pages of a run", async () => {
  const { user, project, context } = await setUp();
  const run = await runs.create(user);
  const { rootId } = await makeWorkspace(user, project, run.id);
  await done({ ...context, runId: null, workspace: null }, "bin_document", { id: rootId });
});

test("the tree shows each document below its parent", async () => {
  const { user, project, document } = await setUp();
  const [a, b, c] = [await document("A"), await document("B"), await document("C")];
  const context = contextOf(user, { projectIds: [project] });
  await done(context, "move_document", { id: b, parent_id: a });
  await done(context, "move_document", { id: c, parent_id: b });
  const { text } = await done(context, "list_document_tree");
  expect(text).toContain(`- ${a} [draft] "A"\n  - ${b} [draft] "B"\n    - ${c} [draft] "C"`);
  const below = await done(context, "list_document_tree", { below: a });
  expect(below.text).toContain(`2 documents`);
  expect(below.text).not.toContain(a);
});

test("a large tree is shown fifty lines at a time", async () => {
  const { user, project, document } = await setUp();
  const context = contextOf(user, { projectIds: [project] });
  for (let n = 0; n < 60; n++) await document(`Page ${n} ${"x".repeat(300)}`);
  expect(await call(context, "list_document_tree", { limit: 51 })).toMatchObject({ code: "invalid_arguments" });
  const first = await done(context, "list_document_tree", { limit: 50 });
  expect(first.text).toContain("There are 10 more: call again with skip 50");
  expect((await done(context, "list_document_tree", { skip: 50 })).text).toMatch(/^10 documents.*and no more/);
});
