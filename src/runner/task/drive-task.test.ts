// The restart loop with real agents (scripts under shims) on a real folder.

import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { expectNoneLeft } from "../../../test/agents/expect-none-left.ts";
import { checksOf, makeRequest, processesOf, until } from "../../../test/agents/job-world.ts";
import { endOf, makeTaskWorld, type TaskWorld, writeDoneScript } from "../../../test/agents/task-world.ts";
import { makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { runIterationJob } from "../../loop/run-iteration-job.ts";
import type { Journal } from "../../runs/ports/engine.ts";
import { startJob } from "../job/start-job.ts";
import { createTask } from "../layout/runner-root.ts";
import { writeTaskConfig } from "../layout/task-config.ts";
import { isDone, requestStop, writeDone } from "../layout/task-files.ts";
import type { RunIteration } from "./drive-task.ts";
import { cancelTaskRun, resumeTaskRun, stopTaskRun } from "./task-run.ts";

afterEach(removeFolders);

const done = ({ task }: TaskWorld) => existsSync(path.join(task.path, "DONE"));

test("an agent that writes DONE is started once", async () => {
  const world = makeTaskWorld(`echo the beds are wet; ${writeDoneScript}`);
  expect(endOf(await world.play())).toBe("completed");
  expect(world.infos()).toMatchObject([{ status: "completed", chosen_because: "the only one", depth: 0 }]);
  expect(world.bodies("INFO")).toEqual(["The task is done: The agent says it is done. No check was given"]);
});

test("a child under another task is counted through its parents; after the timeout it is named and left alone", async () => {
  const root = makeRoot();
  const other = createTask(root, "shop", "Sell the harvest");
  const script = ['printf %s "$JRUN_ID" > id', `until [ -e go ]; do sleep 0.05; done`, writeDoneScript].join("; ");
  const world = makeTaskWorld(script, { root, set: { child_wait_timeout: "300ms" } });
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  const parentRunId = world.runs()[0]?.runId ?? "";
  const child = await startJob(world.deps.jobs, makeRequest(other, "sleep 30", { parentRunId }));
  world.write("go", "");
  expect(endOf(await driven)).toBe("completed");
  expect(world.bodies("WARNING")).toEqual([`DONE is there, but after 0 s these still run: ${child.run_id}`]);
  const run = { task: other, runId: child.run_id as never, path: path.join(other.path, "runs", child.run_id) };
  expect(processesOf(run).length).toBeGreaterThan(0);
  requestStop(root, run, "a test", "over");
  await until("the child is gone", () => processesOf(run).length === 0);
});

test("an agent that ends well and does nothing is stopped by the breaker, with a reason", async () => {
  const world = makeTaskWorld("echo I am done with it");
  const driven = await world.play();
  expect(endOf(driven)).toBe("stopped: no_progress");
  expect(world.runs()).toHaveLength(4);
  const [why = ""] = world.bodies("ERROR");
  expect(why).toContain("iterations in a row without any change of state");
  expect(why).toContain("To go on: say what it should do next");
});

test("files that change are progress: only the restarts end it", async () => {
  const world = makeTaskWorld('echo x >> "work.txt"', { set: { max_restarts: "4" } });
  expect(endOf(await world.play())).toBe("stopped: max_iterations");
  expect(world.runs()).toHaveLength(5);
});

test("DONE counts although the agent failed after it", async () => {
  const world = makeTaskWorld(`${writeDoneScript}; exit 1`);
  expect(endOf(await world.play())).toBe("completed");
  expect(world.runs()).toHaveLength(1);
});

test("DONE is not believed while a check says no: it is removed, the reason is told, and the agent goes on", async () => {
  const check = {
    id: "c",
    deliverableId: null,
    givenBy: "user",
    target: { kind: "command_succeeds", program: "test", args: ["-e", "wet"] },
  } as const;
  const world = makeTaskWorld(`[ -e tried ] && touch wet; touch tried; ${writeDoneScript}`, { checks: [check] });
  expect(endOf(await world.play())).toBe("completed");
  expect(world.runs()).toHaveLength(2);
  expect(world.bodies("WARNING")[0]).toContain("DONE was removed: The agent says it is done, but");
  expect(world.prompts()[1]).toContain("DONE was not accepted; why stands between the marks.");
  expect(world.prompts()[1]?.split("test -e wet ended with exit code 1")).toHaveLength(2);
});

test("a start that crashes is told with its cause, and one that ends well without", async () => {
  const script = "[ -e tried ] && { touch more; exit 0; }; touch tried; exit 3";
  const world = makeTaskWorld(script, { set: { max_restarts: "1" } });
  await world.play();
  expect(world.said.filter((line) => line.startsWith("Start"))).toEqual([
    expect.stringMatching(/^Start 1 failed\. The agent ended with exit code 3\. /),
    "Start 2 ended.",
  ]);
});

test("a task whose folder its agent removed ends with a sentence", async () => {
  const world = makeTaskWorld(`rm -rf "$JRUN_TASK_FOLDER"`);
  await expect(world.play()).rejects.toThrow(/^The folder of task .* was removed while the task was at work/);
});

test("of several first starts of a task one begins it, and of several resumes one begins it anew", async () => {
  const world = makeTaskWorld(writeDoneScript);
  const begun = await Promise.all([1, 2, 3].map(() => world.create()));
  expect(begun.map(({ isNew }) => isNew).toSorted()).toEqual([false, false, true]);
  expect(new Set(begun.map(({ run }) => run.id)).size).toBe(1);
  await world.drive();
  const resumed = await Promise.all([1, 2, 3].map(() => resumeTaskRun(world.root, world.task, world.given)));
  expect(resumed.toSorted()).toEqual(["begun anew", "goes on", "goes on"]);
});

test("open boxes in the state and a status block against it keep DONE from counting", async () => {
  const boxes = makeTaskWorld(
    `if [ -e tried ]; then echo '- [x] water' > TASK_STATE.md; else echo '- [ ] water' > TASK_STATE.md; fi; touch tried; ${writeDoneScript}`,
  );
  expect(endOf(await boxes.play())).toBe("completed");
  expect(boxes.runs()).toHaveLength(2);
  const block = "printf 'BUILDOS_HOMEWORK_STATUS:\\n  exit_signal: false\\n  remaining_work:\\n    - roses\\n'";
  const says = makeTaskWorld(`[ -e tried ] || { touch tried; ${block}; }; ${writeDoneScript}`);
  expect(endOf(await says.play())).toBe("completed");
  expect(says.runs()).toHaveLength(2);
});

test("what the user says while the agent works is not passed over: DONE is removed, and the next start has it", async () => {
  const world = makeTaskWorld(`until [ -e go ]; do sleep 0.05; done; ${writeDoneScript}`);
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  await world.post("USER", "The roses, too");
  world.write("go", "");
  expect(endOf(await driven)).toBe("completed");
  expect(world.runs()).toHaveLength(2);
  expect(world.prompts()[1]).toContain("> The roses, too");
  expect(world.bodies("WARNING")[0]).toContain("You wrote something that the run has to take up first");
});

test("what the agent has read on the bus need not be told again", async () => {
  const script = `until [ -e id ]; do sleep 0.05; done; printf '{"msg_id":"%s"}' "$(cat id)" > "$JRUN_RUN_FOLDER/bus-seen.json"; ${writeDoneScript}`;
  const world = makeTaskWorld(script);
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  const { msg_id: id } = await world.post("USER", "The roses, too");
  writeFileSync(path.join(world.task.path, "id"), id);
  expect(endOf(await driven)).toBe("completed");
  expect(world.runs()).toHaveLength(1);
});

test("what a child of the agent has read on the bus, the agent has not", async () => {
  const world = makeTaskWorld(
    `[ -e tried ] || { touch tried; until [ -e go ]; do sleep 0.05; done; }; ${writeDoneScript}`,
  );
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  const { msg_id: id } = await world.post("USER", "The roses, too");
  const mark = `printf '{"msg_id":"${id}"}' > "$JRUN_RUN_FOLDER/bus-seen.json"`;
  const child = await startJob(
    world.deps.jobs,
    makeRequest(world.task, mark, { parentRunId: world.runs()[0]?.runId ?? "" }),
  );
  await until("the child has read it", () =>
    existsSync(path.join(world.task.path, "runs", child.run_id, "bus-seen.json")),
  );
  world.write("go", "");
  expect(endOf(await driven)).toBe("completed");
  expect(world.prompts().some((prompt) => prompt.includes("> The roses, too"))).toBe(true);
});

test("a login that is refused stops the task at once, with what to do; resumed, it is tried again", async () => {
  const world = makeTaskWorld(
    `[ -e key ] && { ${writeDoneScript}; exit 0; }; echo '{"end":{"isError":true,"why":"401 no key"}}'; exit 1`,
  );
  const driven = await world.play();
  expect(endOf(driven)).toBe("stopped: provider_auth");
  expect(world.runs()).toHaveLength(1);
  expect(world.bodies("ERROR")[0]).toContain("401 no key. Sign in or set its token, then resume the task");
  world.write("key", "");
  expect(await resumeTaskRun(world.root, world.task, world.given)).toBe("resumed");
  expect(endOf(await world.drive())).toBe("completed");
  expect(world.runs()).toHaveLength(2);
});

test("a provider's limit holds the same iteration until it ends", async () => {
  const limit = `{"end":null,"limit":{"isRejected":true,"why":"5 hour limit","untilMs":'$(($(date +%s) * 1000 + 1500))'}}`;
  const world = makeTaskWorld(`[ -e tried ] && { ${writeDoneScript}; exit 0; }; touch tried; echo '${limit}'; exit 1`);
  const driven = await world.play();
  expect(endOf(driven)).toBe("completed");
  expect(driven).toMatchObject({ run: { state: { iteration: 1 } } });
  expect(world.bodies("INFO")[0]).toMatch(/^On hold until .*: 5 hour limit$/);
});

test("what it may cost ends it", async () => {
  const cost = `echo '{"end":null,"costUsd":0.6}'; echo x >> work`;
  const world = makeTaskWorld(cost, { set: { cost_budget: "1" } });
  const driven = await world.play();
  expect(endOf(driven)).toBe("stopped: cost");
  expect(world.runs()).toHaveLength(2);
  expect(driven).toMatchObject({ run: { spent: { costMicroUsd: 1_200_000 } } });
});

test("a stop is obeyed: the agent is ended, nothing is started again, and the task can be resumed", async () => {
  const world = makeTaskWorld(`[ -e go ] && { ${writeDoneScript}; exit 0; }; sleep 300`);
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  requestStop(world.root, world.task, "a person", "lunch");
  expect(endOf(await driven)).toBe("stopped: paused");
  expect(world.infos()).toMatchObject([{ status: "failed", stop_requested: { by: "run-agent task" } }]);
  for (const run of world.runs()) await expectNoneLeft(run);
  expect(endOf(await world.drive())).toBe("stopped: paused");
  expect(world.runs()).toHaveLength(1);
  world.write("go", "");
  expect(await resumeTaskRun(world.root, world.task, world.given)).toBe("resumed");
  expect(endOf(await world.drive())).toBe("completed");
  expect(world.runs()).toHaveLength(2);
});

test("a run that is stopped by itself stops the task: the loop does not start it again", async () => {
  const world = makeTaskWorld("sleep 300");
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  const [run] = world.runs();
  if (run) requestStop(world.root, run, "a person", "wrong branch");
  expect(endOf(await driven)).toBe("stopped: paused");
  expect(world.runs()).toHaveLength(1);
});

/** A loop that lets go of its agent, which ends with DONE once there is a file `go`. */
async function letGo() {
  const world = makeTaskWorld(
    `until [ -e go ]; do sleep 0.05; done; ${writeDoneScript}; echo '{"end":null,"costUsd":0.5}'`,
  );
  await world.create();
  const driven = world.drive({ isStop: false });
  await until("the root runs", () => world.infos()[0]?.status === "running");
  world.stop.abort();
  expect(endOf(await driven)).toBe("let_go");
  return world;
}

test("let go, the agent works on; the next loop adopts it, says so, and counts its result once", async () => {
  const world = await letGo();
  expect(world.infos()).toMatchObject([{ status: "running" }]);
  const again = makeTaskWorld("echo never", { root: world.root, task: world.task });
  const second = again.drive();
  await until("it is adopted", () => world.entries().some(({ type }) => type === "SUPERVISOR_RESTART"));
  world.write("go", "");
  const end = await second;
  expect(endOf(end)).toBe("completed");
  expect(end).toMatchObject({ run: { spent: { costMicroUsd: 500_000 } } });
  expect(world.runs()).toHaveLength(1);
});

test("an agent that ends with DONE while no loop is there is counted once by the next one", async () => {
  const world = await letGo();
  world.write("go", "");
  await until("the agent has ended", () => world.infos()[0]?.status === "completed");
  const again = makeTaskWorld("echo never", { root: world.root, task: world.task });
  const end = await again.drive();
  expect(endOf(end)).toBe("completed");
  expect(end).toMatchObject({ run: { spent: { costMicroUsd: 500_000 } } });
  expect([again.verdicts, world.runs().length]).toEqual([["ok"], 1]);
});

/** The loop ends where the agent of a try should be started: the try was begun, and nothing runs. */
function dieBeforeStart(end: () => void): RunIteration {
  const dying = <Writes>(journal: Journal<Writes>): Journal<Writes> => ({
    signal: journal.signal,
    has: (key) => journal.has(key),
    recall: (key) => journal.recall(key),
    once: (entry, work) => journal.once(entry, work),
    write: (entry, work) => journal.write(entry, work),
    ask: (call, ask) => journal.ask(call, ask),
    effect: (entry, isRepeatable, act, tell) => journal.effect(entry, isRepeatable, act, tell),
    hear: (entry, shown) => journal.hear(entry, shown),
    startOrAdopt: (entry, effect, tell) => {
      const start = async () => {
        end();
        await once(journal.signal, "abort");
        throw new Error("the loop dies here");
      };
      return journal.startOrAdopt(entry, { ...effect, start }, tell);
    },
  });
  return (deps, job, signal) => {
    const engineFor: typeof deps.engineFor = (run) => {
      const found = deps.engineFor(run);
      if ("missing" in found) return found;
      const { iterate } = found.engine;
      return { ...found, engine: { iterate: (input, journal) => iterate(input, dying(journal)) } };
    };
    return runIterationJob({ ...deps, engineFor }, job, signal);
  };
}

test("a try that was begun, but whose agent was not started, does not start it once DONE is there", async () => {
  const world = makeTaskWorld("echo never");
  await world.create();
  const runIteration = dieBeforeStart(() => world.stop.abort());
  expect(endOf(await world.drive({ isStop: false, deps: { runIteration } }))).toBe("let_go");
  writeDone(world.root, world.task);
  const again = makeTaskWorld("echo never", { root: world.root, task: world.task });
  expect(endOf(await again.drive())).toBe("completed");
  expect(world.runs()).toEqual([]);
});

const slowCheck = (script: string) =>
  ({
    id: "c",
    deliverableId: null,
    givenBy: "user",
    target: { kind: "command_succeeds", program: "sh", args: ["-c", script] },
  }) as const;

test.each([
  ["canceled", "canceled", (world: TaskWorld) => cancelTaskRun(world.root, world.task, "a person", "never mind")],
  ["stopped", "stopped: paused", (world: TaskWorld) => stopTaskRun(world.root, world.task, "a person", "lunch")],
])("a check that is under way when its task is %s is ended, and counts for nothing", async (_, end, give) => {
  const check = slowCheck("setsid sleep 300 & sleep 300");
  const world = makeTaskWorld(writeDoneScript, { checks: [check] });
  await world.create();
  const driven = world.drive();
  await until("the check works", () => checksOf(world.task).length > 1);
  await give(world);
  expect(endOf(await driven)).toBe(end);
  expect(checksOf(world.task)).toEqual([]);
  expect([done(world), world.bodies("WARNING")]).toEqual([true, []]);
});

test("only one loop drives a task", async () => {
  const world = makeTaskWorld("sleep 300");
  await world.create();
  const driven = world.drive();
  await until("the root runs", () => world.infos()[0]?.status === "running");
  expect(await world.drive()).toMatchObject({ kind: "driven", by: { pid: process.pid } });
  await cancelTaskRun(world.root, world.task, "a person", "never mind");
  expect(endOf(await driven)).toBe("canceled");
  for (const run of world.runs()) await expectNoneLeft(run);
  expect(await resumeTaskRun(world.root, world.task, world.given)).toBe("begun anew");
});

test("a task waits for those it depends on, and says which of them will not get done by itself", async () => {
  const root = makeRoot();
  const first = makeTask(root);
  const world = makeTaskWorld(writeDoneScript, { root });
  writeTaskConfig(root, world.task, { depends_on: [first.taskId] }, () => []);
  await world.create();
  const driven = world.drive();
  await until("it waits", () => world.bodies("WARNING").length === 1);
  expect(world.bodies("WARNING")[0]).toContain(`Waiting for ${first.taskId} (new: No run was started yet.)`);
  expect(world.runs()).toHaveLength(0);
  writeDone(root, first);
  expect(endOf(await driven)).toBe("completed");
  expect(isDone(root, world.task)).toBe(true);
  expect(done(world)).toBe(true);
});

test("DONE of a task that a loop drives counts for those that depend on it once its checks have passed", async () => {
  const root = makeRoot();
  const first = makeTaskWorld(writeDoneScript, {
    root,
    checks: [slowCheck("until [ -e ready ]; do sleep 0.05; done")],
  });
  const second = makeTaskWorld(writeDoneScript, { root });
  writeTaskConfig(root, second.task, { depends_on: [first.task.taskId] }, () => []);
  await first.create();
  await second.create();
  const drivenFirst = first.drive();
  await until("the check works", () => checksOf(first.task).length > 1);
  const drivenSecond = second.drive();
  await until("it waits", () => second.bodies("PROGRESS").length > 0 || second.runs().length > 0);
  expect(second.bodies("PROGRESS")[0]).toContain("finishing: DONE is there; its checks and its children come first.");
  expect(second.runs()).toHaveLength(0);
  first.write("ready", "");
  expect([endOf(await drivenFirst), endOf(await drivenSecond)]).toEqual(["completed", "completed"]);
});

test("a task that is begun anew keeps its checks", async () => {
  const world = makeTaskWorld(writeDoneScript, { checks: [slowCheck("test -e ready")], set: { max_restarts: "1" } });
  world.write("ready", "");
  expect(endOf(await world.play())).toBe("completed");
  rmSync(path.join(world.task.path, "ready"));
  const again = await resumeTaskRun(world.root, world.task, { ...world.given, checks: [] });
  expect([again, endOf(await world.drive())]).toEqual(["begun anew", "stopped: max_iterations"]);
});

test("tasks that wait for each other are refused", async () => {
  const root = makeRoot();
  const first = makeTask(root);
  const world = makeTaskWorld(writeDoneScript, { root });
  writeFileSync(path.join(world.task.path, "TASK-CONFIG.yaml"), `depends_on: [${first.taskId}]\n`);
  writeFileSync(path.join(first.path, "TASK-CONFIG.yaml"), `depends_on: [${world.task.taskId}]\n`);
  await expect(world.play()).rejects.toThrow("The tasks wait for each other");
});
