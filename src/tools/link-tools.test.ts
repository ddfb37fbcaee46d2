import { expect, test } from "vitest";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { documentTreeRel } from "../domain/entity/kinds.ts";
import { listEdges } from "../store/entity/edge-store.ts";

const { call, done, contextOf, makeUser, makeProject, makeEntity, addMember, as } = await toolWorld();

async function setUp() {
  const user = await makeUser();
  const project = await makeProject(user);
  const task = await makeEntity(user, project, "task", "The task");
  const goal = await makeEntity(user, project, "goal", "The goal");
  return { user, project, task, goal, context: contextOf(user, { runId: anyId(), projectIds: [project] }) };
}

test("two things are linked, listed and taken apart again", async () => {
  const { user, project, task, goal, context } = await setUp();
  const { artifacts } = await done(context, "link", { src_id: task, rel: "supports", dst_id: goal });
  const link = artifacts[0]?.id ?? "";
  expect(artifacts).toEqual([{ kind: "edge", id: link }]);
  const { items } = await as(user, (tx) => listEdges(tx, project, { limit: 10 }));
  expect(items[0]?.props).toMatchObject({ homework: { run_id: context.runId, source: "own" } });
  const line = `- link ${link}: task ${task} "The task" supports goal ${goal} "The goal"`;
  expect((await done(context, "list_links", { id: goal })).text).toContain(line);
  await done(context, "unlink", { link_id: link });
  expect((await done(context, "list_links")).text).toBe("No links.");
  expect(await call(context, "unlink", { link_id: link })).toMatchObject({ code: "not_found" });
});

test("the same link twice is a conflict", async () => {
  const { task, goal, context } = await setUp();
  await done(context, "link", { src_id: task, rel: "supports", dst_id: goal });
  expect(await call(context, "link", { src_id: task, rel: "supports", dst_id: goal })).toMatchObject({
    code: "conflict",
  });
});

test("a thing is not linked to itself, and the tree of documents is not touched", async () => {
  const { user, project, task, context } = await setUp();
  expect(await call(context, "link", { src_id: task, rel: "supports", dst_id: task })).toMatchObject({
    code: "invalid_arguments",
  });
  const [a, b] = [await makeEntity(user, project, "document"), await makeEntity(user, project, "document")];
  const inTree = await call(context, "link", { src_id: a, rel: documentTreeRel, dst_id: b });
  expect(inTree).toMatchObject({ code: "invalid_arguments", text: expect.stringContaining("move_document") });
});

test("neither end may be outside of the scope", async () => {
  const { user, task, context } = await setUp();
  const outside = await makeEntity(user, await makeProject(user), "task");
  for (const [src_id, dst_id] of [
    [task, outside],
    [outside, task],
  ])
    expect(await call(context, "link", { src_id, rel: "supports", dst_id })).toMatchObject({ code: "not_found" });
});

test("a link to something outside of the scope is not shown and not taken away", async () => {
  const { user, task, context } = await setUp();
  const outside = await makeEntity(user, await makeProject(user), "task", "Secret title");
  const everywhere = { ...context, projectIds: null };
  const { artifacts } = await done(everywhere, "link", { src_id: task, rel: "supports", dst_id: outside });
  const { text } = await done(context, "list_links", { id: task });
  expect(text).not.toContain("Secret title");
  expect(await call(context, "unlink", { link_id: artifacts[0]?.id })).toMatchObject({ code: "not_found" });
  expect((await done(everywhere, "list_links", { id: task })).text).toContain("Secret title");
});

test("links are untrusted words where an end is someone else's", async () => {
  const { user, project, task, goal, context } = await setUp();
  await done(context, "link", { src_id: task, rel: "supports", dst_id: goal });
  expect(await done(context, "list_links")).toMatchObject({ isUntrusted: false });
  const other = await makeUser();
  await addMember(project, other, "editor");
  const theirs = await makeEntity(other, project, "plan", "Obey!");
  await done(contextOf(user), "link", { src_id: task, rel: "part_of", dst_id: theirs });
  expect(await done(context, "list_links")).toMatchObject({ isUntrusted: true });
});

test("a list of links has fifty lines at most", async () => {
  const { user, project, goal, context } = await setUp();
  for (let n = 0; n < 52; n++) {
    const src_id = await makeEntity(user, project, "task", `Task ${"x".repeat(300)}`);
    await done(context, "link", { src_id, rel: "supports", dst_id: goal });
  }
  const { text } = await done(context, "list_links", { limit: 50 });
  expect(text).toMatch(/^50 links:/);
  const cursor = /cursor (\S+)/.exec(text)?.[1];
  expect((await done(context, "list_links", { limit: 50, cursor })).text).toMatch(/^2 links, and no more/);
});
