import { expect, test } from "vitest";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { findProject } from "../store/entity/project-store.ts";

const { call, done, contextOf, makeUser, makeProject, makeEntity, addMember, as, admin } = await toolWorld();

test("who may work everywhere makes a project of the user's, marked by the run", async () => {
  const user = await makeUser();
  const context = contextOf(user, { runId: anyId() });
  const { artifacts } = await done(context, "create_project", { name: "<b>New</b>", description: "Why" });
  const found = await as(user, (tx) => findProject(tx, artifacts[0]?.id ?? ""));
  expect(found).toMatchObject({
    name: "<b>New</b>",
    description: "Why",
    role: "owner",
    props: { homework: { run_id: context.runId, source: "own" } },
  });
});

test("a run that was given projects makes none", async () => {
  const user = await makeUser();
  const context = contextOf(user, { projectIds: [await makeProject(user)] });
  expect(await call(context, "create_project", { name: "New" })).toMatchObject({ ok: false, code: "denied" });
});

test("the list shows the projects of the scope and says where one may write", async () => {
  const user = await makeUser();
  const other = await makeUser();
  const mine = await makeProject(user, "Mine");
  const hidden = await makeProject(user, "Hidden");
  const theirs = await makeProject(other, "Theirs");
  await addMember(theirs, user, "viewer");
  const { text } = await done(contextOf(user, { projectIds: [mine, theirs, anyId()] }), "list_projects");
  expect(text).toContain(`${mine} [active] "Mine" · you may write`);
  expect(text).toContain(`${theirs} [active] "Theirs" · you may only look`);
  expect(text).not.toContain(hidden);
  expect((await done(contextOf(user), "list_projects")).text).toContain(hidden);
});

test("projects of other people are untrusted words", async () => {
  const user = await makeUser();
  const other = await makeUser();
  const mine = await makeProject(user);
  expect(await done(contextOf(user), "list_projects")).toMatchObject({ isUntrusted: false });
  const theirs = await makeProject(other);
  await addMember(theirs, user, "editor");
  expect(await done(contextOf(user), "list_projects")).toMatchObject({ isUntrusted: true });
  expect(await done(contextOf(user), "get_project", { project_id: mine })).toMatchObject({ isUntrusted: false });
  expect(await done(contextOf(user), "get_project", { project_id: theirs })).toMatchObject({ isUntrusted: true });
});

test("a list of many projects goes on where it ended", async () => {
  const user = await makeUser();
  for (let n = 0; n < 4; n++) await makeProject(user, `Project ${n}`);
  const first = await done(contextOf(user), "list_projects", { limit: 3 });
  const cursor = /cursor (\S+)/.exec(first.text)?.[1];
  expect((await done(contextOf(user), "list_projects", { limit: 3, cursor })).text).toMatch(/^1 projects, and no more/);
});

test("one project says what it holds", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  await makeEntity(user, project, "task");
  await makeEntity(user, project, "task");
  await makeEntity(user, project, "document");
  const { text } = await done(contextOf(user, { projectIds: [project] }), "get_project");
  expect(text).toContain("holds: 2 tasks, 1 documents");
});

test("a change keeps the other properties and the mark", async () => {
  const user = await makeUser();
  const context = contextOf(user, { runId: anyId() });
  const { artifacts } = await done(context, "create_project", { name: "New", props: { a: 1 } });
  const id = artifacts[0]?.id ?? "";
  await done(context, "update_project", { project_id: id, props: { b: 2 }, state: "paused" });
  expect(await as(user, (tx) => findProject(tx, id))).toMatchObject({
    stateKey: "paused",
    name: "New",
    props: { a: 1, b: 2, homework: { run_id: context.runId } },
  });
});

test("a change against an older version is refused", async () => {
  const user = await makeUser();
  const project = await makeProject(user, "One");
  const context = contextOf(user, { projectIds: [project] });
  await done(context, "update_project", { name: "Two", expected_version: 1 });
  expect(await call(context, "update_project", { name: "Three", expected_version: 1 })).toMatchObject({
    code: "conflict",
  });
});

test("a project in the bin is not listed and not shown", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  await admin.query("update homework.onto_projects set deleted_at = now() where id = $1", [project]);
  for (const projectIds of [null, [project]])
    expect((await done(contextOf(user, { projectIds }), "list_projects")).text).toBe("No projects.");
  expect(await call(contextOf(user), "get_project", { project_id: project })).toMatchObject({ code: "conflict" });
});
