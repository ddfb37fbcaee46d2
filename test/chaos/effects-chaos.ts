// Processes that outlive their workers: runs start one in each iteration, then the worker and the server are killed with SIGKILL
// and started again. Each process must be started once, adopted, and its result written down once.
// Run it: npm run chaos:effects -- --times 100   (the suite runs a few)

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { routes } from "../../src/protocol/api.ts";
import { findViolations, type Violation } from "../../src/store/run/run-invariants.ts";
import { makeDataFolder, removeDataFolder } from "../helpers/served.ts";
import { embeddedDatabase, type Observer, observe } from "./chaos-database.ts";
import { objectiveOf } from "./effects-engine.ts";
import { Fleet, maxConcurrentRuns } from "./fleet.ts";

export type EffectsReport = {
  readonly kills: number;
  /** Processes of iterations that a kill interrupted after the process had been started. */
  readonly adopted: number;
  readonly effects: number;
  /** Starts under a key that was taken: somebody did not adopt. */
  readonly startedAgain: readonly string[];
  /** Entries that are not done once, with one line of the history and one document. */
  readonly wrong: readonly string[];
  readonly violations: readonly Violation[];
  readonly deaths: readonly string[];
};

export type EffectsOptions = {
  /** Where the database is or will be; a new folder where none is given. Removed at the end. */
  readonly data?: string;
  /** So many processes have to be adopted. */
  readonly times: number;
  readonly random: () => number;
  readonly say: (line: string) => void;
};

/** A kill that comes too early or too late interrupts nothing; so many more rounds are tried. */
const roundsMore = 20;
const roundMaxMs = 240_000;

type Scene = { readonly fleet: Fleet; readonly observer: Observer; readonly projectId: string };

export async function runEffectsChaos({
  data = makeDataFolder(),
  times,
  random,
  say,
}: EffectsOptions): Promise<EffectsReport> {
  const root = mkdtempSync(path.join(tmpdir(), "homework-effects-"));
  const fleet = new Fleet({ data, workers: 1, workerArgs: ["effects", root], settings: {} });
  let observer: Observer | null = null;
  try {
    await fleet.start();
    observer = await observe(embeddedDatabase(data));
    const { id: projectId } = await apiOf(fleet)(routes.projects.create, { body: { name: "Effects" } });
    let kills = 0;
    let adopted = 0;
    for (const most = Math.ceil(times / maxConcurrentRuns) + roundsMore; kills < most && adopted < times; kills++) {
      await playRound({ fleet, observer, projectId }, kills, random);
      adopted = await observer.ask(countAdopted);
      say(`${kills + 1} kills, ${adopted} adopted`);
    }
    const { effects, wrong } = await observer.ask(judgeEffects);
    const violations = await observer.ask((db) => findViolations(db, maxConcurrentRuns));
    const startedAgain = readdirSync(root).filter((name) => name.endsWith(".late"));
    return { kills, adopted, effects, startedAgain, wrong, violations, deaths: fleet.deaths };
  } finally {
    await observer?.close();
    await fleet.close();
    await removeDataFolder(data);
    rmSync(root, { recursive: true, force: true });
  }
}

function apiOf({ api }: Fleet) {
  if (api === null) throw new Error("there is no server");
  return api;
}

/** A worker full of runs, a kill at any moment of their first or second process, and the end of all of them. */
async function playRound({ fleet, observer, projectId }: Scene, round: number, random: () => number): Promise<void> {
  const api = apiOf(fleet);
  for (let n = 0; n < maxConcurrentRuns; n++) {
    const objective = objectiveOf(round * maxConcurrentRuns + n, Math.round(10 + random() * 150) / 10);
    await api(routes.runs.create, { body: { objective, project_ids: [projectId] } });
  }
  await untilCounted(observer, countStarted, 1);
  await sleep(random() * 1_500);
  await fleet.killWorker(0, 0);
  await fleet.killServer(0);
  await fleet.settle();
  await untilCounted(observer, countEnded, (round + 1) * maxConcurrentRuns);
}

type Count = Parameters<Observer["ask"]>[0] extends (db: infer Db) => unknown ? (db: Db) => Promise<number> : never;

async function untilCounted(observer: Observer, count: Count, wanted: number): Promise<void> {
  for (let waitedMs = 0; (await observer.ask(count)) < wanted; waitedMs += 50) {
    if (waitedMs > roundMaxMs) throw new Error(`${await observer.ask(count)} of ${wanted} after ${waitedMs} ms`);
    await sleep(50);
  }
}

const countOf =
  (from: ReturnType<typeof sql>): Count =>
  async (db) =>
    Number((await sql<{ count: string }>`select count(*) as count from ${from}`.execute(db.system)).rows[0]?.count);

const countStarted = countOf(sql`journal_entries where state = 'intended' and handle is not null`);
const countEnded = countOf(sql`homework_runs where status in ('completed', 'stopped', 'failed')`);
/** The intent is of an older lease than what was written with its result. */
const countAdopted = countOf(sql`journal_entries e join journal_entries w
  on w.run_id = e.run_id and w.iteration = e.iteration and w.key = 'write:0' and w.fence > e.fence
  where e.key = 'process' and e.handle is not null`);

async function judgeEffects(db: Parameters<Count>[0]): Promise<Pick<EffectsReport, "effects" | "wrong">> {
  const { rows } = await sql<{ id: string; state: string; told: number; made: number; status: string }>`
    select e.run_id || '/' || e.iteration as id, e.state, r.status,
           (select count(*)::int from homework_run_events v where v.run_id = e.run_id and v.iteration = e.iteration
              and v.type = 'entry_recorded' and v.event->>'entry' = e.key) as told,
           (select count(*)::int from onto_documents d
             where d.title like e.run_id || ' iteration ' || e.iteration || ': by %' and d.deleted_at is null) as made
      from journal_entries e join homework_runs r on r.id = e.run_id where e.key = 'process'`.execute(db.system);
  const isRight = ({ state, told, made, status }: (typeof rows)[number]) =>
    state === "done" && told === 1 && made === 1 && status === "completed";
  return { effects: rows.length, wrong: rows.filter((row) => !isRight(row)).map((row) => JSON.stringify(row)) };
}
