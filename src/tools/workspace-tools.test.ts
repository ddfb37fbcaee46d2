import { expect, test } from "vitest";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { ensureBranch } from "../store/workspace/workspace-store.ts";
import type { ToolContext } from "./tool.ts";

const { call, done, contextOf, makeUser, makeProject, makeEntity, makeWorkspace, find, admin, db } = await toolWorld();

async function setUp(over: Partial<ToolContext> = {}) {
  const user = await makeUser();
  const project = await makeProject(user);
  const runId = anyId();
  const workspace = await makeWorkspace(user, project, runId);
  const context = contextOf(user, { runId, workspace, projectIds: [project], iteration: 2, ...over });
  const page = async (id: string | undefined) => find("document", project, id ?? "");
  return { user, project, runId, workspace, context, page };
}

test("a note of the planner stands below the root, with path, tags and mark", async () => {
  const { context, workspace, runId, page } = await setUp();
  const note = { title: "What it costs", content: "# A <b>lot</b>", tags: ["money"], source: "web" };
  const { artifacts } = await done(context, "write_note", note);
  expect(await page(artifacts[0]?.id)).toMatchObject({
    parentId: workspace.rootId,
    typeKey: "document.homework.note",
    stateKey: "workspace",
    content: "# A <b>lot</b>",
    props: {
      homework: {
        run_id: runId,
        iteration: 2,
        branch_id: null,
        path: `/homework/${runId}/notes/what-it-costs.md`,
        tags: ["money"],
        source: "web",
      },
    },
  });
});

test("a note of an executor stands below the page of its branch", async () => {
  const { context, runId, page } = await setUp();
  const branch = (await done(context, "start_branch", { title: "Costs", branch_id: "exec-1" })).artifacts[0]?.id;
  const executor = { ...context, branchId: "exec-1" };
  const { artifacts } = await done(executor, "write_note", { title: "Findings", content: "x" });
  expect(await page(artifacts[0]?.id)).toMatchObject({
    parentId: branch,
    props: { homework: { branch_id: "exec-1", path: `/homework/${runId}/branches/exec-1/notes/findings.md` } },
  });
});

test("an executor whose branch has no page writes below the root", async () => {
  const { context, workspace, page } = await setUp({ branchId: "exec-9" });
  const { artifacts } = await done(context, "write_note", { title: "Findings", content: "x" });
  expect((await page(artifacts[0]?.id))?.parentId).toBe(workspace.rootId);
});

test("a note goes below the page that was named, but not into another project", async () => {
  const { user, project, context, page } = await setUp({ projectIds: null });
  const parent = await makeEntity(user, project, "document");
  const { artifacts } = await done(context, "write_note", { title: "N", content: "x", parent_id: parent });
  expect((await page(artifacts[0]?.id))?.parentId).toBe(parent);
  const elsewhere = await makeEntity(user, await makeProject(user), "document");
  const refused = await call(context, "write_note", { title: "N", content: "x", parent_id: elsewhere });
  expect(refused).toMatchObject({ code: "invalid_arguments" });
});

test("two notes of one title have two paths", async () => {
  const { context, runId, page } = await setUp();
  const write = async () => {
    const made = await page((await done(context, "write_note", { title: "Same", content: "x" })).artifacts[0]?.id);
    return made?.props;
  };
  const path = `/homework/${runId}/notes/same.md`;
  expect(await write()).toMatchObject({ homework: { path } });
  expect(await write()).toMatchObject({ homework: { path: expect.stringMatching(/same-[0-9a-f]{8}\.md$/) } });
});

test("a branch that is there already is answered with, not made again", async () => {
  const { context, runId, page } = await setUp();
  const first = await done(context, "start_branch", { title: "Where to meet", about: "Rooms" });
  const id = first.artifacts[0]?.id;
  expect(await page(id)).toMatchObject({
    content: "Rooms",
    typeKey: "document.homework.branch",
    props: { homework: { branch_id: "where-to-meet", path: `/homework/${runId}/branches/where-to-meet/findings.md` } },
  });
  const second = await done(context, "start_branch", { title: "Where to meet" });
  expect(second.artifacts).toEqual([]);
  expect(second.text).toContain(id);
});

test("there is one summary for an iteration; more is added to it", async () => {
  const { context, runId, page } = await setUp();
  const { artifacts } = await done(context, "write_summary", { content: "One" });
  expect((await done(context, "write_summary", { content: "Two" })).artifacts).toEqual(artifacts);
  expect(await page(artifacts[0]?.id)).toMatchObject({
    content: "One\n\nTwo",
    typeKey: "document.homework.summary",
    props: { homework: { path: `/homework/${runId}/iterations/002-in-own-words.md` } },
  });
  const next = await done({ ...context, iteration: 3 }, "write_summary", { content: "Three" });
  expect(next.artifacts).not.toEqual(artifacts);
});

test("an executor's summary is another page than the planner's", async () => {
  const { context } = await setUp();
  const planner = await done(context, "write_summary", { content: "One" });
  const executor = await done({ ...context, branchId: "exec-1" }, "write_summary", { content: "One" });
  expect(executor.artifacts).not.toEqual(planner.artifacts);
});

test("pages of another run with the same names are not touched", async () => {
  const { user, project, context } = await setUp();
  const first = await done(context, "start_branch", { title: "Costs" });
  const runId = anyId();
  const other = { ...context, runId, workspace: await makeWorkspace(user, project, runId) };
  const second = await done(other, "start_branch", { title: "Costs" });
  expect(second.artifacts).toHaveLength(1);
  expect(second.artifacts).not.toEqual(first.artifacts);
});

test.each([
  ["write_note", { title: "N", content: "x" }],
  ["start_branch", { title: "B" }],
  ["write_summary", { content: "x" }],
])("%s needs a workspace, and says what there is instead", async (name, args) => {
  const { context } = await setUp({ runId: null, workspace: null });
  expect(await call(context, name, args)).toMatchObject({
    code: "unavailable",
    text: expect.stringContaining("create_document"),
  });
});

test.each(["write_note", "write_summary"])("%s keeps a hundred kilobytes as they are", async (name) => {
  const { context, page } = await setUp();
  const content = `<p>\r\n${"🎉 _x_ ".repeat(15_000)}`;
  const { artifacts } = await done(context, name, { title: "Long", content });
  expect((await page(artifacts[0]?.id))?.content).toBe(content);
});

test("a name of a branch cannot climb out of its path", async () => {
  const { context } = await setUp();
  expect(await call(context, "start_branch", { title: "B", branch_id: "../x" })).toMatchObject({
    code: "invalid_arguments",
  });
  const { text } = await done(context, "start_branch", { title: "../../etc 🎉" });
  expect(text).toContain("the branch etc:");
});

test("a branch that was begun here and one of the platform are one", async () => {
  const { user, runId, project, context } = await setUp();
  const pad = { scratchpad_id: context.workspace?.scratchpadId, scratchpad_pages: 1 };
  await admin.query("update homework.onto_documents set props = $2 where id = $1", [
    context.workspace?.rootId,
    { homework: { run_id: runId, ...pad } },
  ]);
  const { artifacts } = await done(context, "start_branch", { title: "Costs", branch_id: "exec:1" });
  const branch = { branchId: "exec:1", title: "Costs", iteration: 2 };
  const workspace = context.workspace ?? expect.fail();
  const theirs = await db.asUser({ userId: user, runId }, (tx) => ensureBranch(tx, workspace, branch));
  expect(theirs.documentId).toBe(artifacts[0]?.id);
  expect(await find("document", project, theirs.documentId)).toMatchObject({ title: "Costs" });
});
