// Runs under fire: a server, two workers and a PostgreSQL as real processes, runs handed over through the API, and a nemesis
// that kills and freezes them at random. At the end, after a calm phase, everything is compared with what must be true.
// Run it: npm run chaos -- --kills 200   (the suite runs a small one)

import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { giveUpOldCalls } from "../../src/store/journal/lost-call-store.ts";
import { findViolations, type Violation } from "../../src/store/run/run-invariants.ts";
import { makeDataFolder, removeDataFolder } from "../helpers/served.ts";
import { seeded } from "../sim/random.ts";
import { readLedger } from "./call-ledger.ts";
import { type ChaosDatabase, embeddedDatabase, type Observer, observe, ownDatabase } from "./chaos-database.ts";
import { Fleet, maxConcurrentRuns } from "./fleet.ts";
import { type Fault, Nemesis } from "./nemesis.ts";
import { Person } from "./person.ts";
import { measureRecovery, type Recovery } from "./recovery.ts";
import { countOpenRuns, describeRuns, findLeftCalls, judge, type Verdict } from "./verdict.ts";

export type ChaosOptions = {
  /** Where the database is or will be; a new folder where none is given. Removed at the end. */
  readonly data?: string;
  readonly kills: number;
  readonly runs: number;
  readonly iterations: number;
  readonly seed: number;
  /** No more kills after this long. */
  readonly minutes: number;
  readonly postgres: "embedded" | "own";
  /** Between two kills. */
  readonly pauseMs: readonly [number, number];
  readonly freezeMs: readonly [number, number];
  /** Mean time of a model call; a run has two in each iteration. */
  readonly callMs: number;
  readonly say: (line: string) => void;
  /** Aborted: clean up and end. */
  readonly signal: AbortSignal;
};

export type ChaosReport = Verdict & {
  readonly kills: Readonly<Record<Fault, number>>;
  readonly violations: readonly Violation[];
  readonly timesExamined: number;
  readonly recovery: Recovery;
  /** How long the database was away after its postmaster was killed. */
  readonly outagesMs: readonly number[];
  readonly person: Person["counts"] & { readonly answered: number; readonly canceled: number };
  readonly surprises: readonly string[];
  /** Processes that ended although nobody killed them. */
  readonly deaths: readonly string[];
  /** Starts that had to be tried again, such as while the database was down. */
  readonly failedStarts: readonly string[];
  /** Calls that only housekeeping settled: their runs had ended, and their workers died. */
  readonly lateCalls: number;
  readonly seconds: number;
  readonly calmSeconds: number;
};

const workers = 2;
const examineEveryMs = 30_000;
const visitEveryMs = 500;
/** What is still open then has got lost. */
const calmMaxMs = 240_000;
/** Of the runs, so many may be canceled by the person. */
const canceledShare = 0.1;

/** Everything that takes part, once it is up. */
type Scene = {
  readonly options: ChaosOptions;
  readonly fleet: Fleet;
  readonly observer: Observer;
  readonly nemesis: Nemesis;
  readonly person: Person;
  readonly violations: Violation[];
  timesExamined: number;
};

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { data = makeDataFolder() } = options;
  const ledgerFolder = `${data}-ledger`;
  const database = options.postgres === "own" ? await ownDatabase() : embeddedDatabase(data);
  const workerArgs = ["calls", ledgerFolder, String(options.callMs)];
  const fleet = new Fleet({ data, workers, workerArgs, settings: database.settings });
  let observer: Observer | null = null;
  try {
    await fleet.start();
    observer = await observe(database);
    return await play(sceneOf(options, fleet, database, observer), ledgerFolder);
  } finally {
    await observer?.close();
    await fleet.close();
    await database.close();
    await removeDataFolder(data);
    rmSync(path.resolve(ledgerFolder), { recursive: true, force: true });
  }
}

function sceneOf(options: ChaosOptions, fleet: Fleet, database: ChaosDatabase, observer: Observer): Scene {
  const { runs, iterations, seed } = options;
  const nemesis = new Nemesis(options, seeded(seed), fleet, database, observer);
  const cancels = Math.ceil(runs * canceledShare);
  const person = new Person({ runs, iterations, cancels }, seeded(seed + 1), () => fleet.api);
  return { options, fleet, observer, nemesis, person, violations: [], timesExamined: 0 };
}

async function play(scene: Scene, ledgerFolder: string): Promise<ChaosReport> {
  const { options, fleet, observer, nemesis, person } = scene;
  const beganMs = Date.now();
  const capped = AbortSignal.any([options.signal, AbortSignal.timeout(options.minutes * 60_000)]);
  const over = new AbortController();
  const visiting = keepVisiting(scene, over.signal);
  const examining = keepExamining(scene, over.signal);
  try {
    await Promise.race([nemesis.rage(capped), visiting, examining]);
    options.signal.throwIfAborted();
    const calmMs = Date.now();
    person.isCalm = true;
    await fleet.settle();
    await Promise.race([untilAllEnded(scene), visiting, examining]);
    over.abort();
    await Promise.all([visiting, examining]);
    options.signal.throwIfAborted();
    const leftCalls = await observer.ask(findLeftCalls);
    const lateCalls = await observer.ask((db) => db.asSystem((tx) => giveUpOldCalls(tx, 0)));
    await examine(scene);
    const report = await reportOf(scene, ledgerFolder, { beganMs, calmMs, lateCalls });
    return { ...report, ledger: { ...report.ledger, faults: [...leftCalls, ...report.ledger.faults] } };
  } finally {
    over.abort();
    await Promise.allSettled([visiting, examining]);
  }
}

async function keepVisiting({ person, nemesis, options }: Scene, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await person.visit(nemesis.kills / options.kills);
    await sleep(visitEveryMs, undefined, { signal: over }).catch(() => {});
  }
}

async function keepExamining(scene: Scene, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(examineEveryMs, undefined, { signal: over }).catch(() => {});
    if (!over.aborted) await examine(scene);
  }
}

async function examine(scene: Scene): Promise<void> {
  const { options, observer, nemesis, violations } = scene;
  const found = await observer.ask((db) => findViolations(db, maxConcurrentRuns));
  scene.timesExamined += 1;
  violations.push(...found);
  const progress = await observer.ask(describeRuns);
  options.say(`${nemesis.kills} kills, ${progress}, ${found.length} violations`);
  for (const { invariant, runId, detail } of found.slice(0, 5)) options.say(`  ${invariant} ${runId ?? ""}: ${detail}`);
}

async function untilAllEnded({ observer, person, options }: Scene): Promise<void> {
  for (const end = Date.now() + calmMaxMs; Date.now() < end && !options.signal.aborted; await sleep(200)) {
    const open = await observer.ask(countOpenRuns);
    if (open === 0 && person.hasHandedOverAll) return;
  }
}

type Moments = { readonly beganMs: number; readonly calmMs: number; readonly lateCalls: number };

async function reportOf(scene: Scene, ledgerFolder: string, moments: Moments): Promise<ChaosReport> {
  const { fleet, observer, nemesis, person, violations, timesExamined } = scene;
  const verdict = await observer.ask((db) => judge(db, readLedger(ledgerFolder), person));
  const { workerKills, outages, counts } = nemesis;
  const { canceled, answered } = person.acknowledged;
  return {
    ...verdict,
    kills: counts,
    violations,
    timesExamined,
    recovery: await observer.ask((db) => measureRecovery(db, { workerKills, outages, away: fleet.away })),
    outagesMs: outages.map(({ fromMs, untilMs }) => untilMs - fromMs),
    person: { ...person.counts, canceled: canceled.size, answered: answered.size },
    surprises: person.surprises,
    deaths: fleet.deaths,
    failedStarts: fleet.failedStarts,
    lateCalls: moments.lateCalls,
    seconds: Math.round((Date.now() - moments.beganMs) / 1_000),
    calmSeconds: Math.round((Date.now() - moments.calmMs) / 1_000),
  };
}
