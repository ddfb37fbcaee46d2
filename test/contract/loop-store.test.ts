// The narrow loop's one contract, for everything that keeps runs: PostgreSQL, the memory of simulations, a folder of files. What a
// folder has to survive beyond that, a crash between any two operations of its disk, is in src/runner/folder-store.test.ts.

import { afterAll, expect, test } from "vitest";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import { cancel, pause, respond, resume, steer } from "../../src/domain/run/commands.ts";
import type { IterationResult, WorkedIteration } from "../../src/domain/run/iteration-result.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { realEnv } from "../../src/main/env.ts";
import type { LoopStore } from "../../src/runs/loop-store.ts";
import {
  type Lease,
  plannerLane,
  type RecordedEntry,
  type TakenRun,
  type Usage,
} from "../../src/runs/ports/run-store.ts";
import { makeClaim, makeQuestion, makeResult } from "../helpers/make-run.ts";
import { type GoldenOptions, playGolden } from "./loop-golden.ts";
import { type Keeper, keepInFolder, keepInMemory, keepInPostgres, removeFolder } from "./loop-keepers.ts";

const head = (key: string) => ({ key, lane: plannerLane, tool: null, args: null });
const entry = (key: string, iteration = 1): RecordedEntry => ({
  ...head(key),
  kind: "tool",
  result: { result: key, artifacts: [] },
  did: key,
  error: null,
  tookMs: 1,
  event: { type: "entry_recorded", iteration, entry: key, summary: key },
});
const call = (callId: string, reservedMicroUsd = 10) => ({
  callId,
  key: `llm:${callId}`,
  role: "planner",
  model: "none",
  reservedMicroUsd,
});
const usage: Usage = {
  costMicroUsd: 4,
  inputTokens: 3,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 2,
  pricedBy: "table",
};
const worked = (over: Partial<WorkedIteration> = {}): WorkedIteration => makeResult({ wasHeard: true, ...over });
const done = (run: Run): WorkedIteration =>
  worked({
    claim: makeClaim(),
    proofs: run.checks.map(({ id: checkId }) => ({
      checkId,
      isGreen: true,
      seen: "there",
      artifacts: [{ kind: "document", id: "made" }],
      iteration: 1,
    })),
  });
const held: IterationResult = {
  kind: "provider_fault",
  fault: { kind: "hold", untilMs: 1, why: "busy" },
  atMs: 1,
  artifacts: [],
  wasHeard: true,
};
const id = realEnv.newId;

type AnyKeeper = Keeper<unknown>;
type Make = () => Promise<AnyKeeper>;

const inPostgres = await keepInPostgres();
const keepers = [
  ["PostgreSQL", inPostgres],
  ["memory", keepInMemory],
  ["a folder of files", keepInCleanFolder],
] as readonly (readonly [string, Make])[];

const folders: { readonly folder: string }[] = [];
afterAll(() => folders.forEach(removeFolder));

async function keepInCleanFolder() {
  const keeper = await keepInFolder();
  folders.push(keeper);
  return keeper;
}

/** The last of them plays a run for every verb, on a machine that may be slow. */
const onEach = (title: string, check: (make: Make) => Promise<void>) =>
  test.each(keepers)(`${title}: %s`, (_name, make) => check(make));

/** A run of its own, taken by a process of its own. */
async function begin(make: Make, over: Partial<Run> = {}) {
  const keeper = await make();
  const run = await keeper.create(over);
  const first = await takeNext(keeper, run);
  return { keeper, run, ...first };
}

async function takeNext(keeper: AnyKeeper, run: Run) {
  const store = keeper.open();
  const job = await keeper.fetch(run);
  if (job === null) throw new Error("something is due");
  const taken = await store.take(job);
  if (taken === null) throw new Error("it can be taken");
  return { store, job, taken, lease: taken.lease };
}

const everyVerb = (keeper: AnyKeeper, store: LoopStore<unknown>, run: Run, lease: Lease) => ({
  recordEntry: () => store.recordEntry(lease, entry("late")),
  recordWrites: () =>
    store.recordWrites(lease, async (writes) => {
      await keeper.write(writes, run, "late");
      return entry("late-write");
    }),
  reserveCall: () => store.reserveCall(lease, call(id())),
  intendEffect: () => store.intendEffect(lease, head("late-effect")),
  finishEffect: () => store.finishEffect(lease, head("late-effect"), { kind: "uncertain" }),
  // Where nothing new was said, nothing is written, and whose lease it is need not be looked at.
  hear: async () => {
    const heard = await store.hear(lease, head("late-heard"), []);
    return heard.length === 0 ? "lost" : heard;
  },
  foresee: () => store.foresee(lease, done(run)),
  commit: () => store.commit(lease, done(run)),
});

async function expectAllLost(keeper: AnyKeeper, store: LoopStore<unknown>, run: Run, lease: Lease) {
  const answers: Record<string, unknown> = {};
  for (const [name, verb] of Object.entries(everyVerb(keeper, store, run, lease))) answers[name] = await verb();
  expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, "lost"])));
  expect(await keeper.listWritten(run)).toEqual([]);
}

onEach("taking raises the fence and counts the attempt; a lease that is lost writes nothing", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  const second = await takeNext(keeper, run);
  expect([lease.attempt, second.lease.attempt, second.lease.fence - lease.fence]).toEqual([1, 2, 1]);
  expect(second.taken.run.deaths).toBe(1);
  await keeper.command(run, (now) => steer(now, "and short"));
  expect(await store.hear(lease, head("heard:1"), [])).toBe("lost");
  await expectAllLost(keeper, store, run, lease);
  const third = await takeNext(keeper, run);
  expect(third.taken.journal).toEqual([]);
  expect(await third.store.commit(third.lease, worked())).toMatchObject({ kind: "continue" });
});

onEach("what was recorded is there for the next attempt, each thing once", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  const callId = id();
  await store.recordEntry(lease, entry("note"));
  await store.recordWrites(lease, async (writes) => {
    await keeper.write(writes, run, "page");
    return entry("page");
  });
  await store.reserveCall(lease, call(callId));
  await store.settleCall(lease, call(callId), usage, { ...entry("llm:0"), kind: "model" });
  await store.intendEffect(lease, head("sent"));
  await store.finishEffect(lease, head("sent"), { kind: "done", result: { n: 1 }, did: "sent", error: null });
  await store.intendEffect(lease, head("unknown"));
  await store.intendEffect(lease, head("agent"));
  await store.keepHandle(lease, head("agent"), { pid: 7 });
  const { taken } = await takeNext(keeper, run);
  expect(Object.fromEntries(taken.journal.map(({ key, ...rest }) => [key, rest]))).toEqual({
    note: { lane: "planner", kind: "tool", state: "done", result: { result: "note", artifacts: [] }, handle: null },
    page: { lane: "planner", kind: "tool", state: "done", result: { result: "page", artifacts: [] }, handle: null },
    "llm:0": {
      lane: "planner",
      kind: "model",
      state: "done",
      result: { result: "llm:0", artifacts: [] },
      handle: null,
    },
    sent: { lane: "planner", kind: "effect", state: "done", result: { n: 1 }, handle: null },
    unknown: { lane: "planner", kind: "effect", state: "intended", result: null, handle: null },
    agent: { lane: "planner", kind: "effect", state: "intended", result: null, handle: { pid: 7 } },
  });
  expect(await keeper.listWritten(run)).toEqual(["page"]);
  expect(taken.run.spent).toMatchObject({ costMicroUsd: 4, tokens: 5, toolCalls: 5 });
});

onEach("writes whose work fails leave nothing", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  const failing = store.recordWrites(lease, async (writes) => {
    await keeper.write(writes, run, "half");
    throw new Error("it fell over");
  });
  await expect(failing).rejects.toThrow("it fell over");
  expect(await keeper.listWritten(run)).toEqual([]);
  expect((await takeNext(keeper, run)).taken.journal).toEqual([]);
});

onEach("a call whose answer got lost is paid at its reservation, once", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  const callId = id();
  await store.reserveCall(lease, call(callId, 70));
  const second = await takeNext(keeper, run);
  expect((await keeper.find(run)).spent.costMicroUsd).toBe(70);
  expect(await store.settleCall(lease, call(callId, 70), usage, null)).toBe("lost");
  await second.store.commit(second.lease, worked());
  expect((await keeper.find(run)).spent.costMicroUsd).toBe(70);
});

onEach("a hard limit refuses the call that could cross it", async (make) => {
  const budget = { ...defaultBudget, maxCostMicroUsd: 100, isCostHard: true };
  const { store, lease } = await begin(make, { budget });
  expect(await store.reserveCall(lease, call(id(), 60))).toBe("kept");
  expect(await store.reserveCall(lease, call(id(), 60))).toBe("refused");
  expect(await store.reserveCall(lease, call(id(), 40))).toBe("kept");
});

onEach("what the user says is heard once, and again at the same place by the next attempt", async (make) => {
  const keeper = await make();
  const run = await keeper.create();
  await keeper.command(run, (now) => steer(now, "in French"));
  const first = await takeNext(keeper, run);
  expect(texts(first.taken)).toEqual(["in French"]);
  await first.store.recordEntry(first.lease, entry("note"));
  await keeper.command(run, (now) => steer(now, "and short"));
  const shown = first.taken.messages.map((each) => each.id);
  const heard = await first.store.hear(first.lease, head("heard:1"), shown);
  expect(heard === "lost" ? heard : heard.map(({ text }) => text)).toEqual(["and short"]);
  const all = [...shown, ...(heard === "lost" ? [] : heard.map((each) => each.id))];
  expect(await first.store.hear(first.lease, head("heard:2"), all)).toEqual([]);
  const second = await takeNext(keeper, run);
  expect(second.taken.journal.find(({ key }) => key === "heard:1")?.result).toEqual({ result: heard, artifacts: [] });
  expect((await keeper.find(run)).unreadMessages).toBe(0);
  await second.store.commit(second.lease, worked({ heard: 2 }));
  const third = await takeNext(keeper, run);
  expect([third.taken.run.state.iteration, texts(third.taken)]).toEqual([2, []]);
});

onEach("what no one has heard is taken up by the next iteration", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  await store.recordEntry(lease, entry("note"));
  await keeper.command(run, (now) => steer(now, "and short"));
  expect(await store.commit(lease, done(run))).toMatchObject({ kind: "continue" });
  expect(texts((await takeNext(keeper, run)).taken)).toEqual(["and short"]);
});

onEach("a message that no model has read is unread again", async (make) => {
  const keeper = await make();
  const run = await keeper.create();
  await keeper.command(run, (now) => steer(now, "in French"));
  const { store, lease } = await takeNext(keeper, run);
  await store.commit(lease, worked({ wasHeard: false }));
  expect((await keeper.find(run)).unreadMessages).toBe(1);
  expect(texts((await takeNext(keeper, run)).taken)).toEqual(["in French"]);
});

onEach("a commit is the next job and everything else, once", async (make) => {
  const { keeper, run, store, job, lease } = await begin(make);
  await store.recordEntry(lease, entry("note"));
  expect(await store.commit(lease, worked({ summary: "first" }))).toMatchObject({ kind: "continue" });
  expect(await store.commit(lease, worked({ summary: "again" }))).toBe("lost");
  expect(await store.take(job)).toBeNull();
  expect(await keeper.find(run)).toMatchObject({
    state: { status: "running", iteration: 2 },
    spent: { toolCalls: 1 },
  });
  const second = await takeNext(keeper, run);
  expect([second.lease.iteration, second.lease.attempt, second.taken.journal]).toEqual([2, 1, []]);
});

onEach("what would be committed is foreseen, and nothing is changed by that", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  expect(await store.foresee(lease, worked())).toBeNull();
  expect(await store.foresee(lease, done(run))).toMatchObject({ status: "completed", run: { id: run.id } });
  expect((await keeper.find(run)).state).toMatchObject({ status: "running", iteration: 1 });
});

onEach("a run that is completed has ended: nothing is due, nothing is written, nothing is taken", async (make) => {
  const { keeper, run, store, job, lease } = await begin(make);
  expect(await store.commit(lease, done(run))).toMatchObject({ kind: "complete" });
  expect((await keeper.find(run)).state).toMatchObject({ status: "completed", iteration: 1 });
  expect(await keeper.fetch(run)).toBeNull();
  expect(await store.take(job)).toBeNull();
  expect(await keeper.command(run, cancel)).toMatchObject({ outcome: "refused" });
  await expectAllLost(keeper, store, run, lease);
});

onEach("cancel takes the run away; only the money of what is under way is settled after it", async (make) => {
  const { keeper, run, store, job, lease } = await begin(make);
  const callId = id();
  await store.reserveCall(lease, call(callId));
  expect(await keeper.command(run, cancel)).toMatchObject({ outcome: "done" });
  await expectAllLost(keeper, store, run, lease);
  expect(await store.settleCall(lease, call(callId), usage, { ...entry("llm:0"), kind: "model" })).toBe("lost");
  expect(await keeper.find(run)).toMatchObject({ state: { status: "canceled" }, spent: { costMicroUsd: 4 } });
  expect([await keeper.fetch(run), await store.take(job)]).toEqual([null, null]);
});

onEach("a paused run goes on where it was, with what it has done", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  await store.recordEntry(lease, entry("note"));
  await keeper.command(run, pause);
  expect(await keeper.fetch(run)).toBeNull();
  await keeper.command(run, (now) => resume(now, {}));
  const { taken } = await takeNext(keeper, run);
  expect(taken.run.state.iteration).toBe(1);
  expect(taken.journal.map(({ key }) => key)).toEqual(["note"]);
});

onEach("a held iteration is due again, with what it has done", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  await store.recordEntry(lease, entry("note"));
  expect(await store.commit(lease, held)).toMatchObject({ kind: "hold" });
  expect((await keeper.find(run)).holds).toMatchObject({ count: 1 });
  const { taken } = await takeNext(keeper, run);
  expect([taken.run.state.iteration, taken.journal.map(({ key }) => key), taken.run.deaths]).toEqual([1, ["note"], 0]);
});

onEach("a question waits for its answer, which the next iteration takes up", async (make) => {
  const { keeper, run, store, lease } = await begin(make);
  const question = makeQuestion({ id: "which" });
  expect(await store.commit(lease, worked({ questions: [question] }))).toMatchObject({ kind: "ask" });
  expect(await keeper.fetch(run)).toBeNull();
  await keeper.command(run, (now) => respond(now, [{ questionId: "which", text: "the second" }]));
  const { taken } = await takeNext(keeper, run);
  expect([taken.run.state.iteration, texts(taken)]).toEqual([2, ["the second"]]);
});

onEach("a process may die before and after every verb", async (make) => {
  const play = async (options: GoldenOptions = {}) => playGolden(await make(), options);
  const quiet = await play();
  expect(quiet.end).toMatchObject({
    status: "completed",
    iteration: 3,
    written: ["one", "two"],
    said: ["be brief"],
    toolCalls: 4,
  });
  const wrong: string[] = [];
  for (let at = 1; at <= quiet.verbs * 2; at++) {
    const { end, diedAt } = await play({ diesAt: at });
    if (JSON.stringify(end) !== JSON.stringify(quiet.end)) wrong.push(`${diedAt}: ${JSON.stringify(end)}`);
    expect(diedAt).not.toBeNull();
  }
  expect(wrong).toEqual([]);
  expect(quiet.verbs).toBeGreaterThan(15);
});

const texts = ({ messages }: TakenRun): readonly string[] => messages.map(({ text }) => text);
