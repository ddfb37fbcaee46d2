// The HTTP API of `run-agent serve` on folders with real files: whole ones, torn ones, foreign ones, and whatever a stranger may ask for.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { identify } from "../../src/files/process-identity.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { timesFile } from "../../src/runner/job/output-log.ts";
import { createTask, inRun, inTask } from "../../src/runner/layout/runner-root.ts";
import { keepTaskText, readStop } from "../../src/runner/layout/task-files.ts";
import { endAtOnce, fillTask } from "../helpers/agent-desks.ts";
import { at, openAgentsApp as open, taskAt } from "../helpers/agents-app.ts";
import { makeFolder, makeRoot, makeRun, removeFolders } from "../helpers/runner-root.ts";

afterAll(removeFolders);

test("an empty root has no projects, and says which agents are there", async () => {
  const { get } = open();
  expect((await get("/api/agents/projects")).body).toEqual({ items: [] });
  expect((await get("/api/agents")).body).toMatchObject({
    is_available: true,
    why_not_start: null,
    agents: [{ name: "claude" }],
  });
});

test("projects, tasks, runs and files are as the folder has them", async () => {
  const { root, get } = open();
  const ids = fillTask(root, "garden");
  expect((await get("/api/agents/projects")).body.items).toMatchObject([
    { project_id: "garden", tasks: 1, by_status: { ended: 1 } },
  ]);
  expect((await get("/api/agents/projects/garden/tasks")).body).toMatchObject({
    items: [{ task_id: ids.task, title: "Water the plants", status: "ended", runs: 1, open_questions: 1 }],
    next_cursor: null,
  });
  const task = (await get(at(ids))).body;
  expect(task).toMatchObject({ text: "# Water the plants\n\nAll of them.", questions: [{ msg_id: ids.questionId }] });
  expect(task.run_list).toMatchObject([{ run_id: ids.run, status: "completed", agent: "command" }]);
  expect(task.files.map(({ name }: { name: string }) => name)).toEqual(["TASK.md"]);
  expect((await get(`${at(ids)}/runs/${ids.run}`)).body).toMatchObject({ run_id: ids.run, exit_code: 0 });
  expect((await get(`${at(ids)}/runs/${ids.run}/file?name=prompt.md`)).body.text).toBe("Water the plants.");
  expect((await get("/api/agents/projects/garden/facts")).body.items).toMatchObject([
    { title: "Soil", text: "Dry.\n" },
  ]);
  expect((await get("/api/agents/projects/garden/runs")).body.items).toHaveLength(1);
});

test("tasks come in pages, the newest first", async () => {
  const { root, get } = open();
  for (const name of ["one", "two", "three"]) keepTaskText(root, createTask(root, "garden", `task ${name}`), name);
  const first = (await get("/api/agents/projects/garden/tasks?limit=2")).body;
  const rest = (await get(`/api/agents/projects/garden/tasks?limit=2&cursor=${first.next_cursor}`)).body;
  expect(first.items).toHaveLength(2);
  expect(rest.items).toHaveLength(1);
  expect(rest.next_cursor).toBeNull();
  const ids = [...first.items, ...rest.items].map(({ task_id: id }: { task_id: string }) => id);
  expect(ids).toEqual([...ids].sort().reverse());
});

test("lineage: children and restarts are told, children in other tasks too", async () => {
  const { root, get } = open();
  const task = createTask(root, "garden", "Root task");
  keepTaskText(root, task, "Root");
  const first = makeRun(root, task);
  endAtOnce(root, first, "failed", 1);
  const second = makeRun(root, task, { previous_run_id: first.runId });
  endAtOnce(root, second);
  const other = createTask(root, "garden", "Other task");
  const child = makeRun(root, other, { parent_run_id: second.runId });
  endAtOnce(root, child);
  const { run_list: runs } = (await get(at({ project: "garden", task: task.taskId }))).body;
  expect(runs.map((run: Record<string, unknown>) => [run.run_id, run.previous_run_id, run.parent_run_id])).toEqual([
    [first.runId, null, null],
    [second.runId, first.runId, null],
    [child.runId, null, second.runId],
  ]);
});

test("log lines come with their times, from any offset, before one, and the last ones", async () => {
  const { root, get } = open();
  const ids = fillTask(root, "garden");
  const file = path.join(taskAt(root, ids).path, "runs", ids.run, "agent-stdout.txt");
  writeFileSync(file, "one\ntwo\r\nthree\nfour");
  writeFileSync(timesFile(file), "0 1000\n9 2000\n");
  const log = (query: string) => get(`${at(ids)}/runs/${ids.run}/log?${query}`);
  const all = (await log("from=0")).body;
  expect(all.lines.map((line: Record<string, unknown>) => [line.offset, line.text, line.at, line.is_open])).toEqual([
    [0, "one", "1970-01-01T00:00:01.000Z", false],
    [4, "two", "1970-01-01T00:00:01.000Z", false],
    [9, "three", "1970-01-01T00:00:02.000Z", false],
    [15, "four", "1970-01-01T00:00:02.000Z", true],
  ]);
  expect(all).toMatchObject({ from: 0, next: 15, size: 19 });
  const texts = async (query: string) => (await log(query)).body.lines.map(({ text }: { text: string }) => text);
  expect(await texts("from=9")).toEqual(["three", "four"]);
  expect(await texts("up_to=9")).toEqual(["one", "two"]);
  expect(await texts("lines=1")).toEqual(["four"]);
  expect((await log("from=0&lines=2")).body).toMatchObject({ next: 9 });
  expect((await log("from=999")).body).toMatchObject({ lines: [], next: 19 });
});

test("a line of ten megabytes and bytes that are no text are shown, bounded", async () => {
  const { root, get } = open();
  const ids = fillTask(root, "garden");
  const file = path.join(taskAt(root, ids).path, "runs", ids.run, "agent-stdout.txt");
  writeFileSync(file, Buffer.concat([Buffer.alloc(10_000_000, "x"), Buffer.from("\n\xff\xfe\0end\n", "latin1")]));
  const { lines } = (await get(`${at(ids)}/runs/${ids.run}/log?from=0`)).body;
  expect(lines[0].text.length).toBe(256 * 1024);
  expect(lines[0].bytes_left_out).toBe(10_000_000 - 256 * 1024);
  expect(lines[1].text).toBe("\ufffd\ufffd\0end");
});

test("messages are posted, listed, paged and answered once", async () => {
  const { root, get, call } = open();
  const ids = fillTask(root, "garden");
  const posted = await call("POST", `${at(ids)}/bus`, { message: "Mind the cat" });
  expect(posted).toMatchObject({ status: 201, body: { type: "USER", body: "Mind the cat" } });
  const asked = await openBus(root, taskAt(root, ids)).post({ type: "QUESTION", body: "Which cat?" });
  const answer = () => call("POST", `${at(ids)}/answer`, { question_id: asked.msg_id, text: "The grey one" });
  expect((await answer()).body).toMatchObject({
    type: "ANSWER",
    parents: [{ msg_id: asked.msg_id, kind: "answers" }],
  });
  expect((await answer()).body.error).toMatchObject({ code: "wrong_status" });
  expect((await call("POST", `${at(ids)}/answer`, { question_id: "MSG-none", text: "x" })).status).toBe(404);
  const { items } = (await get(`${at(ids)}/bus`)).body;
  expect(items.map(({ type }: { type: string }) => type)).toEqual(["QUESTION", "USER", "QUESTION", "ANSWER"]);
  const last = (await get(`${at(ids)}/bus?limit=2`)).body;
  expect(last.has_more).toBe(true);
  const before = (await get(`${at(ids)}/bus?limit=2&before=${last.items[0].msg_id}`)).body;
  expect(before.items.map(({ type }: { type: string }) => type)).toEqual(["QUESTION", "USER"]);
  expect((await get(`${at(ids)}/bus?before=MSG-none`)).body.error.code).toBe("invalid_cursor");
  for (const type of ["START", "RUN_CRASH", "lower", ""])
    expect((await call("POST", `${at(ids)}/bus`, { type, message: "x" })).status, type).toBe(400);
});

test("the same key posts once", async () => {
  const { root, get, call } = open();
  const ids = fillTask(root, "garden");
  const post = (message: string) => call("POST", `${at(ids)}/bus`, { message }, { "idempotency-key": "k1" });
  const [one, two] = await Promise.all([post("Hello"), post("Hello")]);
  expect(one.body.msg_id).toBe(two.body.msg_id);
  expect((await post("Other")).status).toBe(422);
  expect((await get(`${at(ids)}/bus`)).body.items).toHaveLength(2);
});

test("a bus that is binary, torn or no file is told of, and the task is still shown", async () => {
  const { root, get } = open();
  const binary = fillTask(root, "garden");
  appendFileSync(inTask(taskAt(root, binary), "bus"), Buffer.from([0xff, 0xfe, 0, 1, 2, 10]));
  const read = (await get(`${at(binary)}/bus`)).body;
  expect(read.items).toHaveLength(1);
  expect(read.damages).toMatchObject([{ why: expect.any(String) }]);
  const folder = fillTask(root, "garden");
  rmSync(inTask(taskAt(root, folder), "bus"));
  mkdirSync(inTask(taskAt(root, folder), "bus"));
  expect((await get(at(folder))).body).toMatchObject({ task_id: folder.task, problems: [expect.any(String)] });
  expect((await get(`${at(folder)}/bus`)).status).toBe(422);
});

test("torn, missing and foreign files leave the rest of the task readable", async () => {
  const { root, get } = open();
  const ids = fillTask(root, "garden");
  const task = taskAt(root, ids);
  writeFileSync(inTask(task, "config"), "depends_on: {");
  writeFileSync(inTask(task, "task"), Buffer.from([0xff, 0xfe]));
  mkdirSync(inTask(task, "done"));
  writeFileSync(path.join(task.path, "runs", ids.run, "run-info.yaml"), "status: [");
  rmSync(path.join(task.path, "runs", ids.run, "agent-stdout.txt"));
  const { status, body } = await get(at(ids));
  expect(status).toBe(200);
  expect(body).toMatchObject({ text: "", run_list: [{ status: "unknown", run_id: ids.run }] });
  expect(body.problems.length).toBeGreaterThanOrEqual(3);
  expect((await get(`${at(ids)}/runs/${ids.run}`)).body).toMatchObject({
    status: "unknown",
    error: expect.any(String),
  });
  expect((await get(`${at(ids)}/runs/${ids.run}/log?from=0`)).body).toMatchObject({ lines: [], size: 0 });
});

const names = [
  "../config.hcl",
  "..%2f..%2fconfig.hcl",
  "%2e%2e/TASK.md",
  "config.hcl",
  "TASK.md%00.txt",
  "/etc/passwd",
  "C:%5cboot.ini",
  "runs",
  ".",
  "TASK-MESSAGE-BUS.md.lock",
  "prompt.md",
];

test.for(names)("a file named %j is not shown", async (name) => {
  const { root, get } = open();
  writeFileSync(path.join(root.folder, "config.hcl"), 'token = "secret"');
  const ids = fillTask(root, "garden");
  const { status, body } = await get(`${at(ids)}/file?name=${name}`);
  expect([400, 404]).toContain(status);
  expect(JSON.stringify(body)).not.toContain("secret");
});

test("links are not followed, neither as a file nor as a project or a task", async () => {
  const { root, get } = open();
  const ids = fillTask(root, "garden");
  const outside = path.join(root.folder, "..", "outside");
  mkdirSync(path.join(outside, ids.task), { recursive: true });
  writeFileSync(path.join(outside, "secret.txt"), "secret");
  symlinkSync(outside, path.join(root.folder, "linked"));
  symlinkSync(path.join(outside, "secret.txt"), inTask(taskAt(root, ids), "state"));
  expect((await get("/api/agents/projects")).body.items).toHaveLength(1);
  expect((await get("/api/agents/projects/linked")).status).toBe(404);
  expect((await get(`/api/agents/projects/linked/tasks/${ids.task}`)).status).toBe(404);
  const state = await get(`${at(ids)}/file?name=TASK_STATE.md`);
  expect(state.status).toBe(422);
  expect(JSON.stringify((await get(at(ids))).body)).not.toContain("secret");
});

const ids = ["..", "%2e%2e", "%2e%2e%2f%2e%2e", "_agents", ".git", "a%00b", "x".repeat(65), "a b", "%ff", "-p"];

test.for(ids)("a project named %j does not exist, and is not made", async (id) => {
  const { get, call, started } = open();
  expect((await get(`/api/agents/projects/${id}`)).status).toBe(404);
  const made = await call("POST", `/api/agents/projects/${id}/tasks`, { prompt: "x", new_project: true });
  expect(made.status).toBe(404);
  expect(started).toEqual([]);
});

test("a task is created and started; a project only where that is asked for", async () => {
  const { root, call, started } = open();
  const start = (body: object) => call("POST", "/api/agents/projects/garden/tasks", body);
  expect((await start({ prompt: "Water" })).status).toBe(404);
  const made = await start({ prompt: "Water the roses", new_project: true, agent: "claude" });
  expect(made).toMatchObject({ status: 201, body: { status: "started" } });
  expect(started).toMatchObject([{ isRestart: false, agent: "claude", workFolder: null }]);
  expect(root.disk.read(inTask(taskAt(root, { project: "garden", task: made.body.task_id }), "task"))?.toString()).toBe(
    "Water the roses",
  );
  const again = await start({ attach_mode: "restart", task_id: made.body.task_id });
  expect(again.body.task_id).toBe(made.body.task_id);
  expect(started[1]).toMatchObject({ isRestart: true });
  for (const body of [{ prompt: " " }, {}, { prompt: "x", project_root: "relative" }, { prompt: "x", agent: "--yes" }])
    expect((await start(body)).status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  expect((await start({ prompt: "x", project_root: "/nowhere/at/all" })).status).toBe(422);
  expect((await start({ prompt: "x", depends_on: ["task-20200101-000000-nothing"] })).status).toBe(422);
  expect(started).toHaveLength(2);
});

test("agents work only in folders where they may, also behind a link", async () => {
  const folder = makeFolder();
  symlinkSync("/", path.join(folder, "link"));
  const { call, started } = open(makeRoot(), null, {
    folderProblem: (asked) => (asked === realpathSync(folder) ? null : `${asked} is not allowed`),
  });
  const start = (project_root: string) =>
    call("POST", "/api/agents/projects/garden/tasks", { prompt: "x", new_project: true, project_root });
  expect((await start(path.join(folder, "link"))).body.error.message).toBe(
    "Agents cannot work there: / is not allowed.",
  );
  expect((await start("/")).status).toBe(422);
  expect((await start(folder)).status).toBe(201);
  expect(started).toHaveLength(1);
});

test("a stop is on the disk before the answer, with who asked and why", async () => {
  const { root, get, call } = open();
  const one = fillTask(root, "garden");
  const stopped = await call("POST", `${at(one)}/stop`, { reason: "Enough" });
  expect(stopped.body).toEqual({ task_id: one.task, runs: [] });
  expect((await get(at(one))).body).toMatchObject({
    status: "stopped",
    stop_requested: { by: "Ada", reason: "Enough" },
    restart: { will_restart: "no" },
  });
});

test("a stop reaches what the task has started below it", async () => {
  const { root, call } = open();
  const one = fillTask(root, "garden");
  const below = createTask(root, "garden", "Rake the leaves");
  const agent = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  const gone = once(agent, "exit");
  const pid = agent.pid ?? 0;
  const process_started = identify(pid)?.started ?? "";
  const child = makeRun(root, below, { parent_run_id: one.run, pid, pgid: pid, process_started });
  const stopped = await call("POST", `${at(one)}/stop`, { reason: "Enough" });
  expect(stopped.body).toEqual({ task_id: one.task, runs: [child.runId] });
  // Its shim obeys it; here there is none.
  expect(readStop(root, child)).toMatchObject({ by: "Ada", reason: "Enough" });
  agent.kill();
  await gone;
});

test("where nothing can be started, that is said", async () => {
  const { call, get } = open(makeRoot(), null, { startTask: null, whyNotStart: "Only for looking." });
  expect((await get("/api/agents")).body.why_not_start).toBe("Only for looking.");
  const refused = await call("POST", "/api/agents/projects/garden/tasks", { prompt: "x", new_project: true });
  expect(refused.body.error).toMatchObject({ code: "forbidden", message: "Only for looking." });
});

test("what a run has open is in its own folder", async () => {
  const { root, get } = open();
  const ids = fillTask(root, "garden");
  const run = makeRun(root, taskAt(root, ids));
  writeFileSync(inRun(run, "stderr"), "warning\n");
  const body = (await get(`${at(ids)}/runs/${run.runId}`)).body;
  expect(body).toMatchObject({ status: "running", is_active: true, ended_at: null, exit_code: null });
  expect(body.last_output_at).toEqual(expect.any(String));
});
