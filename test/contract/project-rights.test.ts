// Who may not write in a project starts no work there; work that is under way stops at once when its user's role is lowered or taken,
// says why, and goes on when the role is back.

import { beforeEach, expect, test } from "vitest";
import { type Answer, type Person, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");

let projectId: string;
let own: string;
beforeEach(async () => {
  projectId = (await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "editor" })).projectId;
  own = (await makeWorld(app.admin, { [ben.id]: "owner" })).projectId;
});

const runs = "/api/homework/runs";
const call = (method: string, url: string, body?: unknown, by: Person = ben) =>
  app.call(method, url, by.session, body === undefined ? {} : { body });
const setRole = async (role: string) =>
  expect((await call("PATCH", `/api/projects/${projectId}/members/${ben.id}`, { role }, anna)).status).toBe(200);
const remove = async () =>
  expect((await call("DELETE", `/api/projects/${projectId}/members/${ben.id}`, undefined, anna)).status).toBe(200);
const start = (over: object = {}) =>
  call("POST", runs, { objective: "Plan the beds", project_ids: [projectId], ...over });
const said = ({ status, body }: Answer) => [status, body?.error?.code ?? null];
const runOf = async (id: string) => (await call("GET", `${runs}/${id}`)).body.run;
const outcome = { name: "Beds", tasks: [{ title: "Dig" }], start: true };

test.each([
  ["in that project", () => start(), () => start()],
  [
    "in several of which none can be written to",
    () => start({ scope: "multi_project" }),
    () => start({ scope: "multi_project", project_ids: [projectId, own] }),
  ],
  [
    "that may use writing tools",
    () => start({ permissions: { allowed_tools: ["get_document", "create_task"] } }),
    () => start({ permissions: { allowed_tools: ["get_document", "search", "list_tasks"] } }),
  ],
  [
    "as an outcome",
    () => call("POST", "/api/outcomes", { ...outcome, project_id: projectId }),
    () => call("POST", "/api/outcomes", { ...outcome, project_id: own }),
  ],
])("a viewer starts no work %s, and nothing is made", async (what, refused, allowed) => {
  await setRole("viewer");
  const count = async () =>
    (await app.admin.query("select id from homework.homework_runs union all select id from homework.outcomes"))
      .rowCount;
  const before = await count();
  const answer = await refused();
  expect(said(answer)).toEqual([403, "forbidden"]);
  expect(answer.body.error.message).toContain("You may not write in “Garden”: ask an owner of the project");
  expect(await count()).toBe(before);
  if (what === "in that project") await setRole("editor");
  expect((await allowed()).status).toBe(201);
});

test.each([
  ["lowered", () => setRole("viewer")],
  ["taken", remove],
] as const)("a run stops at once when the role of its user is %s, says why, and is told", async (_, change) => {
  const { run_id: id } = (await start()).body;
  const { run_id: elsewhere } = (await start({ scope: "multi_project", project_ids: [projectId, own] })).body;
  const { run_id: anywhere } = (await start({ project_ids: [] })).body;
  await change();
  const stopped = await runOf(id);
  const why = "You may no longer write in “Garden”. Ask an owner of the project for the role editor, then resume";
  expect([stopped.status, stopped.stop_reason]).toEqual(["stopped", { type: "paused", detail: why }]);
  const { items } = (await call("GET", "/api/notifications")).body;
  expect(items[0]).toMatchObject({ title: "Homework stopped", message: expect.stringContaining(why) });
  expect([(await runOf(elsewhere)).status, (await runOf(anywhere)).status]).not.toContain("stopped");
});

test("a run whose user may write again can be resumed, and not before", async () => {
  const { run_id: id } = (await start()).body;
  await setRole("viewer");
  const resume = () => call("POST", `${runs}/${id}/resume`, { budgets: {} });
  expect(said(await resume())).toEqual([403, "forbidden"]);
  await setRole("editor");
  expect((await resume()).status).toBe(200);
  expect((await runOf(id)).status).not.toBe("stopped");
});

test("an outcome rests with its project, its log says why, and one elsewhere goes on", async () => {
  const make = async (project_id: string) => (await call("POST", "/api/outcomes", { ...outcome, project_id })).body.id;
  const [there, elsewhere] = [await make(projectId), await make(own)];
  await setRole("viewer");
  const statusOf = async (id: string) => (await call("GET", `/api/outcomes/${id}`)).body.status;
  expect([await statusOf(there), await statusOf(elsewhere)]).toEqual(["paused", "active"]);
  const { items } = (await call("GET", `/api/outcomes/${there}/homr/activity`)).body;
  expect(items[0].summary).toContain("You may no longer write in “Garden”");
  expect(said(await call("POST", `/api/outcomes/${there}/resume`))).toEqual([403, "forbidden"]);
});
