import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { anyId, toolWorld } from "../../test/helpers/tool-world.ts";
import { AppError } from "../lib/app-error.ts";
import { createEntity } from "../store/entity/entity-store.ts";
import { attemptWrite } from "./define-tool.ts";
import { refuse, type ToolOutcome } from "./tool.ts";

const runs = await runWorld();
const { call, done, contextOf, makeUser, makeProject, makeEntity, addMember, db, as } = await toolWorld(runs);

const fine: ToolOutcome = { ok: true, text: "", artifacts: [], summary: "", isUntrusted: false };
const titles = (user: Parameters<typeof as>[0], project: string) =>
  as(user, (tx) => tx.selectFrom("onto_tasks").select("title").where("project_id", "=", project).execute());

test("where a check of ours were missing, row level security denies, and the transaction goes on", async () => {
  const [owner, viewer] = [await makeUser(), await makeUser()];
  const project = await makeProject(owner);
  await addMember(project, viewer, "viewer");
  await as(viewer, async (tx) => {
    const outcome = await attemptWrite(tx, async () => {
      await createEntity(tx, "task", { id: anyId(), projectId: project, by: viewer }, { title: "Smuggled" });
      return fine;
    });
    expect(outcome).toMatchObject({ ok: false, code: "denied" });
    expect(await tx.selectFrom("onto_tasks").select("id").execute()).toEqual([]);
  });
});

test.each([
  ["create_task", (project: string) => ({ title: "Smuggled", project_id: project })],
  ["update_task", (_: string, task: string) => ({ id: task, title: "Smuggled" })],
  ["bin_task", (_: string, task: string) => ({ id: task })],
])("a run that was given the wrong projects is denied by the database: %s", async (name, argsFor) => {
  const user = await makeUser();
  const [inside, outside] = [await makeProject(user), await makeProject(user)];
  const task = await makeEntity(user, outside, "task", "Left alone");
  const run = await runs.create(user, { scope: { kind: "project", projectId: inside } });
  const context = contextOf(user, { runId: run.id, projectIds: null });
  expect(await call(context, name, argsFor(outside, task))).toMatchObject({ ok: false, code: "denied" });
  expect(await titles(user, outside)).toEqual([{ title: "Left alone" }]);
  await done(context, "create_task", { title: "Fine", project_id: inside });
});

test("what a refused write has written is taken back, what came before stays", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const write = (tx: Parameters<typeof createEntity>[0], title: string) =>
    createEntity(tx, "task", { id: anyId(), projectId: project, by: user }, { title });
  await as(user, async (tx) => {
    await write(tx, "Before");
    await attemptWrite(tx, async () => {
      await write(tx, "Refused");
      return refuse("conflict", "Changed my mind");
    });
    await write(tx, "After");
  });
  expect((await titles(user, project)).map(({ title }) => title).sort()).toEqual(["After", "Before"]);
});

test("making the same thing twice is a conflict", async () => {
  const user = await makeUser();
  const project = await makeProject(user);
  const id = anyId();
  const context = contextOf(user, { projectIds: [project], newId: () => id });
  await done(context, "create_task", { title: "Once" });
  expect(await call(context, "create_task", { title: "Twice" })).toMatchObject({ ok: false, code: "conflict" });
  expect(await titles(user, project)).toEqual([{ title: "Once" }]);
});

test("a database that is away, and a bug, are no refusals", async () => {
  const user = await makeUser();
  const failing = (thrown: unknown) =>
    db.asUser({ userId: user }, (tx) => attemptWrite(tx, () => Promise.reject(thrown)));
  await expect(failing(new AppError("database_unavailable", "away"))).rejects.toMatchObject({
    code: "database_unavailable",
  });
  await expect(failing(new Error("bug"))).rejects.toThrow("bug");
});

test("no answer is longer than a model is shown", async () => {
  const user = await makeUser();
  const long = { ...fine, text: "x".repeat(30_000), summary: "y".repeat(3_000) };
  const outcome = await as(user, (tx) => attemptWrite(tx, async () => long));
  expect(outcome).toMatchObject({ ok: true, text: expect.stringMatching(/^x{19999}…$/) });
  expect(outcome.ok && outcome.summary.length).toBe(200);
});
