import { expect, test } from "vitest";
import { hastyEnv } from "../../test/helpers/faulty-models.ts";
import { makeClaim } from "../../test/helpers/make-run.ts";
import { fine, type HomrScript, outcomeWorld } from "../../test/helpers/outcome-world.ts";
import { scriptedEngine } from "../../test/helpers/scripted-engine.ts";
import type { Tx } from "../db/database.ts";
import type { RunId } from "../domain/run/run.ts";
import type { ModelFault, ModelOutcome } from "../llm/model.ts";
import { toHomrJob } from "../store/outcome/homr-jobs.ts";
import { runHomrJob } from "./run-turn.ts";

const world = await outcomeWorld();
const user = await world.makeUser();

world.work(
  scriptedEngine<Tx>(
    () => ({ notes: 1, ends: { claim: makeClaim() } }),
    async () => ({ kind: "document", id: "none" }),
  ),
);

const faulty = (fault: ModelFault): ModelOutcome => ({ kind: "fault", fault, usage: "unknown" });
const cutOff: ModelOutcome = { kind: "cut_off", text: "half", outputTokens: 9, why: "length", usage: "unknown" };

/** One attempt that has ended, and the job that tells of it. */
async function ended() {
  const id = await world.open(user, [{}]);
  await world.start(id);
  const { tasks } = await world.read(id);
  await world.until(tasks[0]?.runId as RunId, "completed");
  const job = (await world.queue.fetch("homr", 100)).map(toHomrJob).find(({ outcomeId }) => outcomeId === id);
  if (job === undefined) throw new Error("no job");
  return { id, job };
}

const play = (
  job: Awaited<ReturnType<typeof ended>>["job"],
  script: HomrScript,
  signal = new AbortController().signal,
) => runHomrJob({ ...world.homrDeps(script), env: hastyEnv }, job, signal);

const untilMs = 4_000_000_000_000;

test.each([
  ["limit", faulty({ kind: "limit", why: "slow down", untilMs })],
  ["outage", faulty({ kind: "transient", why: "503" })],
])("%s postpones the observation, and the attempt stays open", async (_name, outcome) => {
  const { id, job } = await ended();
  expect(await play(job, () => outcome)).toBe("postponed");
  expect((await world.read(id)).tasks).toMatchObject([{ status: "running" }]);
  expect(await world.countObservations(id)).toEqual([]);
});

test.each([
  ["auth", faulty({ kind: "auth", why: "401" })],
  ["quota", faulty({ kind: "quota", why: "402" })],
  ["refused", faulty({ kind: "refused", why: "400" })],
  ["too_long", faulty({ kind: "too_long", why: "big" })],
  ["filtered", faulty({ kind: "filtered", why: "no" })],
  ["cut_off", cutOff],
])("%s: rules observe, and the attempt is settled", async (_name, outcome) => {
  const { id, job } = await ended();
  expect(await play(job, () => outcome)).toBe("done");
  expect(await world.countObservations(id)).toEqual(["1:1:rules"]);
});

test("an answer that cannot be read is asked for twice more, then rules observe", async () => {
  const { id, job } = await ended();
  let asked = 0;
  const script: HomrScript = () => {
    asked += 1;
    return { nonsense: true };
  };
  expect(await play(job, script)).toBe("done");
  expect(asked).toBe(3);
  expect(await world.countObservations(id)).toEqual(["1:1:rules"]);
});

test("a model that throws does not hold up the outcome", async () => {
  const { id, job } = await ended();
  expect(await play(job, () => Promise.reject(new Error("a bug")))).toBe("done");
  expect(await world.countObservations(id)).toEqual(["1:1:rules"]);
});

test("a worker that is told to stop gives the job back, and nothing is settled", async () => {
  const { id, job } = await ended();
  const controller = new AbortController();
  const script: HomrScript = () => {
    controller.abort();
    return Promise.reject(controller.signal.reason);
  };
  expect(await play(job, script, controller.signal)).toBe("aborted");
  expect(await world.countObservations(id)).toEqual([]);
});

test("a worker whose turn another one took meanwhile writes nothing", async () => {
  const { id, job } = await ended();
  const other = world.homrDeps(() => fine);
  const script: HomrScript = async () => {
    await runHomrJob(other, job, new AbortController().signal);
    return fine;
  };
  expect(await play(job, script)).toBe("lost");
  expect(await world.countObservations(id)).toEqual(["1:1:model"]);
});
