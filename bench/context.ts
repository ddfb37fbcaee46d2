// Does an old outcome cost more than a young one? One outcome is observed thousands of times: every attempt is a run of its own, and every
// observation finds facts, decides something and asks for the next task, so that tasks, memories, log and history grow all the while. What
// an observation asks of the database, how long the prompts are and how much is known is compared early and late in the same run.

import { sql } from "kysely";
import type { Database, Tx } from "../src/db/database.ts";
import { startOutcome } from "../src/domain/homr/commands/outcome-commands.ts";
import { defaultHomrConfig } from "../src/domain/homr/homr-config.ts";
import type { OutcomeId } from "../src/domain/homr/outcome.ts";
import type { TaskId } from "../src/domain/homr/tasks/task-id.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { defaultBreakers } from "../src/domain/run/gate/breakers.ts";
import type { RunId } from "../src/domain/run/run.ts";
import { openBrief } from "../src/engine/open-brief.ts";
import type { HomrDeps } from "../src/homr/homr-deps.ts";
import { runHomrJob } from "../src/homr/run-turn.ts";
import type { ModelOutcome, Models } from "../src/llm/model.ts";
import { runIterationJob } from "../src/loop/run-iteration-job.ts";
import { realEnv } from "../src/main/env.ts";
import { commandOutcome } from "../src/outcomes/command-outcome.ts";
import type { ObserverView } from "../src/prompts/observer-prompt.ts";
import type { JobQueue } from "../src/queue/job-queue.ts";
import { loopStore } from "../src/runs/loop-store.ts";
import type { Engine } from "../src/runs/ports/engine.ts";
import type { IterationJob } from "../src/runs/ports/run-store.ts";
import { homrJournalStore } from "../src/store/journal/homr-journal-store.ts";
import { toHomrJob } from "../src/store/outcome/homr-jobs.ts";
import { outcomeStore } from "../src/store/outcome/outcome-store.ts";
import { runStore } from "../src/store/run/run-store.ts";
import { ageOutcome } from "../test/helpers/age-outcome.ts";
import { makeOutcome, makeTask } from "../test/helpers/make-outcome.ts";
import { makeCheck, makeClaim } from "../test/helpers/make-run.ts";
import { scriptedEngine, scriptedProver } from "../test/helpers/scripted-engine.ts";
import { figuresOf, ratio, report } from "./figures.ts";
import { asSuperuser } from "./fill.ts";
import { databaseWork, gatherStatistics, type Worked } from "./growth.ts";
import { withLoop } from "./loop.ts";

/** Of a window; the early one begins when the context has reached its limits. */
const window = 50;
const earlyFrom = 101;
/** Of the outcome that was there before. */
const oldTasks = 10_000;
const limits = { maxConcurrentRuns: 3 };
const fact = "A part of the work behaves unlike its description, and whoever uses it has to allow for that. ";

type Seen = { observerChars: number; briefChars: number };

export async function benchContext(observations: number): Promise<void> {
  await withLoop(async ({ db, queue, data }) => {
    const seen: Seen = { observerChars: 0, briefChars: 0 };
    await addOldOutcome(db, queue, data);
    const { id, observe } = await openOutcome(db, queue, seen);
    const taken: Seen[] = [];
    const go = async (to: number) => {
      for (let n = taken.length + 1; n <= to; n++) {
        await observe(n);
        taken.push({ ...seen });
      }
    };
    const measure = async (from: number) => {
      await go(from - 1);
      await asSuperuser(data, gatherStatistics);
      const before = await databaseWork(db);
      await go(from + window - 1);
      const after = await databaseWork(db);
      const each = (what: keyof Worked) => Math.round((10 * (after[what] - before[what])) / window) / 10;
      return { blocks: each("blocks"), rows: each("rows"), ...(await countContext(db, id)) };
    };
    const early = await measure(earlyFrom);
    const late = await measure(observations - window + 1);
    const median = (from: number, what: keyof Seen) =>
      figuresOf(taken.slice(from - 1, from + window - 1).map((each) => each[what])).p50;
    const lateFrom = observations - window + 1;
    const compared = (name: string, one: number, other: number) => ({
      [`${name}, observation ${earlyFrom}`]: one,
      [`${name}, observation ${lateFrom}`]: other,
      [`${name}, ratio`]: ratio(other, one),
    });
    const { contextCompactionThreshold, maxDiscoveries } = defaultHomrConfig;
    report("Growth of an outcome", {
      observations: late.observations,
      ...compared("blocks looked at", early.blocks, late.blocks),
      ...compared("rows read and written", early.rows, late.rows),
      ...compared(
        "characters of the observer's prompt",
        median(earlyFrom, "observerChars"),
        median(lateFrom, "observerChars"),
      ),
      ...compared("characters of a worker's brief", median(earlyFrom, "briefChars"), median(lateFrom, "briefChars")),
      [`items of the context (at most ${contextCompactionThreshold})`]: late.items,
      [`discoveries among them (at most ${maxDiscoveries})`]: late.discoveries,
      "longest observer's prompt": Math.max(...taken.map(({ observerChars }) => observerChars)),
      "longest brief": Math.max(...taken.map(({ briefChars }) => briefChars)),
    });
    const isWithin = late.items <= contextCompactionThreshold && late.discoveries <= maxDiscoveries;
    if (isWithin && late.observations === observations && late.rows / early.rows < flatMax) return;
    process.stderr.write("The context or the cost of an observation grows with the age of its outcome.\n");
    process.exitCode = 1;
  });
}

/** Rows of an observation, late beside early: indexes get a level deeper, and nothing else may grow. */
const flatMax = 1.2;

/**
 * Another outcome has lived in the same database before: among a handful of rows PostgreSQL reads them all to find one, and that the
 * first ones are found otherwise says nothing about an outcome's age. Nothing here is about time, so nothing waits for the disk.
 */
async function addOldOutcome(db: Database, queue: JobQueue, data: string): Promise<void> {
  const { id } = await insertOutcome(db, queue);
  await asSuperuser(data, async (admin) => {
    await admin.query("alter system set fsync = off");
    await admin.query("select pg_reload_conf()");
    await ageOutcome(admin, id, oldTasks);
  });
}

async function insertOutcome(db: Database, queue: JobQueue): Promise<{ id: OutcomeId; userId: UserId }> {
  const userId = realEnv.newId() as UserId;
  await sql`insert into auth_users (id, name, email) values (${userId}, 'Bench', ${`${userId}@example.test`})`.execute(
    db.system,
  );
  const id = realEnv.newId() as OutcomeId;
  const task = makeTask(1, { id: realEnv.newId() as TaskId });
  const outcome = makeOutcome({ id, userId, status: "dormant", nextNumber: 2, workers: 1, approach: null });
  await outcomeStore(db, queue).transaction((tx) => tx.insertOutcome(outcome, [task]));
  return { id, userId };
}

async function openOutcome(db: Database, queue: JobQueue, seen: Seen) {
  const { id, userId } = await insertOutcome(db, queue);
  const store = outcomeStore(db, queue);
  const now = { limits, world: { nowMs: realEnv.now(), newId: realEnv.newId } };
  await store.transaction((tx) => commandOutcome(tx, userId, id, startOutcome, now));
  const homr: HomrDeps<Tx> = {
    outcomes: store,
    journal: homrJournalStore(db),
    readWork: async () => work,
    readReviewWork: async () => ({ tasks: [], more: 0, redChecks: [], earlier: [] }),
    readLiveness: async () => [],
    models: busyObserver(seen),
    env: realEnv,
    limits,
    logger: { debug: () => {}, warn: () => {} },
  };
  const loop = {
    runs: loopStore(
      runStore(db, queue, () => {}),
      { workerName: "bench", breakers: defaultBreakers, limits },
    ),
    engineFor: () => ({ engine: briefed(seen), prover: scriptedProver<Tx>(), workFolder: null }),
    newId: realEnv.newId,
    now: realEnv.now,
  };
  const { signal } = new AbortController();
  const next = async (kind: "iteration" | "homr") => (await queue.fetch(kind, 1))[0] ?? null;
  const observe = async (n: number): Promise<void> => {
    for (let job = await next("iteration"); job !== null; job = await next("iteration")) {
      const { run_id: runId, iteration } = job.data as { readonly run_id: RunId; readonly iteration: number };
      await runIterationJob(loop, { ...job, runId, iteration } as unknown as IterationJob, signal);
    }
    let observed = 0;
    for (let job = await next("homr"); job !== null; job = await next("homr")) {
      const turn = toHomrJob(job);
      const ended = await runHomrJob(homr, turn, signal);
      if (turn.turn.kind === "observe" && ended === "done") observed += 1;
    }
    if (observed !== 1) throw new Error(`${observed} attempts were observed, not one, after ${n - 1}`);
  };
  return { id, observe };
}

/** It reads its brief as the real engines do, promises something, and is done with it in its second iteration. */
function briefed(seen: Seen): Engine<Tx> {
  const checks = [makeCheck({ givenBy: "planner" })];
  const proposed = { deliverables: [{ id: "report", title: "The work" }], checks, drops: [], why: "as asked" };
  const script = () => ({ notes: 1, ends: { claim: makeClaim(), proposed } });
  const engine = scriptedEngine<Tx>(script, async () => ({ kind: "document", id: realEnv.newId() }));
  return {
    ...engine,
    iterate: async (input, journal) => {
      seen.briefChars = (await openBrief({ env: realEnv }, input.run, journal))?.text.length ?? 0;
      return engine.iterate(input, journal);
    },
  };
}

const work = {
  ...{
    summary: "It is done. ",
    openQuestions: [],
    unsure: [],
    artifacts: [],
    diff: "",
    failedChecks: [],
    remaining: [],
  },
  iterations: [{ iteration: 1, summary: "worked", text: fact.repeat(100) }],
  ...{ said: [], isTainted: false },
};

const usage = {
  ...{ costMicroUsd: 10, inputTokens: 10, cachedTokens: 0, writtenTokens: 0, outputTokens: 5 },
  pricedBy: "table",
} as const;

function busyObserver(seen: Seen): Models {
  return {
    chainOf: () => [{ provider: "scripted", id: "scripted/observer", isDemo: false }],
    isPriced: () => true,
    reservationOf: () => 20,
    call: async (_model, { system, messages, view }): Promise<ModelOutcome> => {
      const { state, taskId } = view as ObserverView;
      seen.observerChars = [system, ...messages.map((each) => ("text" in each ? each.text : ""))].join("").length;
      const number = state.tasks.find(({ id }) => id === taskId)?.number ?? 0;
      return {
        kind: "answered",
        answer: { text: JSON.stringify(observe(number)), toolCalls: [], native: null },
        usage,
      };
    },
  };
}

const observe = (number: number) => ({
  ...{
    onTrack: true,
    alignmentScore: 90,
    quality: "good",
    summary: `Task ${number} is done well`,
    drift: [],
    issues: [],
  },
  discoveries: ["constraint", "pattern", "dependency"].map((type, n) => ({
    ...{ type, content: `${fact}(${number}.${n})`, relevantTasks: ["*"], source: "the end" },
  })),
  decisions: [{ content: `In ${number} the second form was taken`, context: fact, affectedAreas: ["the parts"] }],
  wishes: [{ type: "create_task", title: `Task ${number + 1}`, description: fact, reason: "The work goes on" }],
  ambiguity: null,
});

async function countContext(db: Database, id: OutcomeId) {
  const { rows } = await sql<{ items: number; discoveries: number; observations: number }>`
    select count(*)::int as items, count(*) filter (where kind = 'discovery')::int as discoveries,
           (select count(*)::int from homr_observations where outcome_id = ${id}) as observations
      from homr_context_items where outcome_id = ${id}`.execute(db.system);
  return rows[0] ?? { items: 0, discoveries: 0, observations: 0 };
}
