// Outcomes under fire: a story of twelve tasks in real worker processes, with the lab as provider of the models, and a worker killed
// every other moment. The first ones are left in peace; whatever differs between them, or from them later on, is a fault.
// Run it: npm run chaos:outcomes -- --kills 100   (the suite runs a small one)

import { setTimeout as sleep } from "node:timers/promises";
import { findOutcomeViolations } from "../../src/store/outcome/outcome-invariants.ts";
import { findViolations } from "../../src/store/run/run-invariants.ts";
import { makeDataFolder, removeDataFolder } from "../helpers/served.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { canaryKey, labPrices } from "../lab/lab-models.ts";
import { type Random, seeded } from "../sim/random.ts";
import { embeddedDatabase, type Observer, observe } from "./chaos-database.ts";
import { Fleet, maxConcurrentRuns } from "./fleet.ts";
import { findLedgerFaults, type Interrupted, readInterrupted } from "./outcome-books.ts";
import { Owner } from "./outcome-owner.ts";
import { storyModel, tellStory } from "./outcome-story.ts";
import { readMoments, readTraces } from "./outcome-traces.ts";
import { compareTraces, findStoryFaults } from "./outcome-verdict.ts";

export type OutcomesChaosOptions = {
  /** Where the database is or will be; a new folder where none is given. Removed at the end. */
  readonly data?: string;
  readonly kills: number;
  /** Outcomes that are left in peace, before the first kill; at least one, with which the others are compared. */
  readonly undisturbed: number;
  readonly workers: number;
  /** Outcomes under way at the same time, while workers are killed. */
  readonly openAtOnce: number;
  readonly seed: number;
  /** No more kills after this long. */
  readonly minutes: number;
  /** Between two kills. */
  readonly pauseMs: readonly [number, number];
  /** Before the first word of an answer. */
  readonly answerMs: readonly [number, number];
  readonly say: (line: string) => void;
  /** Aborted: clean up and end. */
  readonly signal: AbortSignal;
};

export type OutcomesReport = {
  readonly kills: number;
  readonly outcomes: number;
  readonly achieved: number;
  readonly calls: number;
  readonly interrupted: Interrupted;
  /** Where an outcome is not as its story says. */
  readonly storyFaults: readonly string[];
  /** Where an outcome differs from the first, undisturbed one. */
  readonly differences: readonly string[];
  readonly violations: readonly string[];
  readonly ledgerFaults: readonly string[];
  /** Questions that the story does not ask. */
  readonly surprises: readonly string[];
  /** How often the owner was told to come again. */
  readonly timesToldToWait: number;
  /** Processes that ended although nobody killed them. */
  readonly deaths: readonly string[];
  /** Of one that nobody disturbs. */
  readonly calmSeconds: number;
  readonly seconds: number;
};

/** A killed worker is started again within this. */
const startAfterMs = 1_000;
/** On a slow machine kills wait for work to be done: those of workers that have not begun would prove nothing. */
const callsBetweenKills = [1, 8] as const;
const visitEveryMs = 200;
/** With recoveries of 15 s each; an outcome that is still open then has got lost. */
const outcomeMaxMs = 420_000;
const sayEvery = 10;

type Scene = {
  readonly options: OutcomesChaosOptions;
  readonly random: Random;
  readonly fleet: Fleet;
  readonly observer: Observer;
  readonly lab: Lab;
  readonly owner: Owner;
  readonly violations: string[];
  kills: number;
};

export async function runOutcomesChaos(options: OutcomesChaosOptions): Promise<OutcomesReport> {
  const { data = makeDataFolder() } = options;
  const lab = await startStoryLab(options);
  const fleet = new Fleet({ data, workers: options.workers, workerArgs: [], settings: settingsFor(lab) });
  let observer: Observer | null = null;
  try {
    await fleet.start();
    observer = await observe(embeddedDatabase(data));
    const owner = new Owner(`chaos-${options.seed}`, () => apiOf(fleet));
    const random = seeded(options.seed);
    return await play({ options, random, fleet, observer, lab, owner, violations: [], kills: 0 });
  } finally {
    await observer?.close();
    await fleet.close();
    await lab.close();
    await removeDataFolder(data);
  }
}

/** Every answer has figures of its own: whichever row of our books has them is about this answer. */
function startStoryLab({ answerMs, seed }: OutcomesChaosOptions): Promise<Lab> {
  const random = seeded(seed + 1);
  return startLab({
    prices: labPrices,
    script: async (request, at) => {
      await sleep(random.between(...answerMs));
      return { ...tellStory(request), usage: { input: 1_000 + at, output: 100 + (at % 97) } };
    },
  });
}

function settingsFor(lab: Lab): Readonly<Record<string, string>> {
  const [provider = ""] = storyModel.split("/");
  const name = `HOMEWORK_${provider.toUpperCase()}`;
  return { [`${name}_API_KEY`]: canaryKey, [`${name}_BASE_URL`]: lab.baseUrl(provider) };
}

/** The server is not killed here, so it is always there. */
function apiOf({ api }: Fleet) {
  if (api === null) throw new Error("there is no server");
  return api;
}

async function play(scene: Scene): Promise<OutcomesReport> {
  const { options, owner, fleet } = scene;
  const beganMs = Date.now();
  while (owner.outcomes.length < options.undisturbed) await owner.handOver();
  await untilAllOver(scene);
  const calmSeconds = Math.round((Date.now() - beganMs) / 1_000);
  options.say(
    `${options.undisturbed} undisturbed outcomes ended after ${calmSeconds} s, ${scene.lab.requests.length} calls`,
  );
  if (options.kills > 0) await disturb(scene);
  await fleet.settle();
  await untilAllOver(scene);
  options.signal.throwIfAborted();
  await examine(scene);
  const report = await reportOf(scene);
  return { ...report, calmSeconds, seconds: Math.round((Date.now() - beganMs) / 1_000) };
}

async function disturb(scene: Scene): Promise<void> {
  const over = new AbortController();
  const owning = keepOwning(scene, over.signal);
  try {
    await Promise.race([rage(scene), owning]);
  } finally {
    over.abort();
    await owning;
  }
}

/** While there are kills left, whatever ends is followed by another one. */
async function keepOwning({ owner, options }: Scene, over: AbortSignal): Promise<void> {
  while (!over.aborted && !options.signal.aborted) {
    for (let n = owner.open.length; n < options.openAtOnce; n++) await owner.handOver();
    await owner.visitAll();
    await sleep(visitEveryMs);
  }
}

async function rage(scene: Scene): Promise<void> {
  const { options, random, fleet, lab } = scene;
  const until = Date.now() + options.minutes * 60_000;
  let due = lab.requests.length + 1;
  while (scene.kills < options.kills && Date.now() < until && !options.signal.aborted) {
    await sleep(random.between(...options.pauseMs), undefined, { signal: options.signal }).catch(() => {});
    const atWork = fleet.workersAtWork();
    if (lab.requests.length < due || atWork.length === 0) continue;
    await fleet.killWorker(random.pick(atWork), random.between(0, startAfterMs));
    scene.kills += 1;
    due = lab.requests.length + random.between(...callsBetweenKills);
    if (scene.kills % sayEvery === 0) await examine(scene);
  }
}

async function untilAllOver({ owner, options }: Scene): Promise<void> {
  for (const end = Date.now() + outcomeMaxMs; Date.now() < end && !options.signal.aborted; await sleep(visitEveryMs)) {
    await owner.visitAll();
    if (owner.open.length === 0) return;
  }
}

async function examine({ options, observer, violations, owner, lab, kills }: Scene): Promise<void> {
  const ofRuns = await observer.ask((db) => findViolations(db, maxConcurrentRuns));
  const ofOutcomes = await observer.ask(findOutcomeViolations);
  const found = [...ofRuns, ...ofOutcomes].map((violation) => JSON.stringify(violation));
  violations.push(...found);
  const over = owner.outcomes.length - owner.open.length;
  options.say(
    `${kills} kills, ${lab.requests.length} calls, ${over} of ${owner.outcomes.length} outcomes ended, ${found.length} violations`,
  );
}

async function reportOf(scene: Scene): Promise<Omit<OutcomesReport, "seconds" | "calmSeconds">> {
  const { owner, observer, fleet, lab, kills, violations } = scene;
  const prompts = lab.requests.flatMap(({ messages }) => messages.slice(0, 1).map(({ text }) => text));
  const storyFaults: string[] = [];
  const differences: string[] = [];
  let achieved = 0;
  const first = await readFirst(scene);
  for (const [n, { id, standstills }] of owner.outcomes.entries()) {
    const traces = await observer.ask((db) => readTraces(db, id));
    const moments = await observer.ask((db) => readMoments(db, id));
    const told = (faults: readonly string[]) => faults.map((fault) => `outcome ${n + 1}: ${fault}`);
    if (traces.status === "achieved") achieved += 1;
    storyFaults.push(...told(findStoryFaults({ traces, moments, standstills, prompts })));
    differences.push(...told(compareTraces(first, traces)));
  }
  return {
    ...{ kills, achieved, outcomes: owner.outcomes.length, calls: lab.requests.length },
    ...{ storyFaults, differences, violations, surprises: owner.surprises, deaths: fleet.deaths },
    timesToldToWait: owner.timesToldToWait,
    interrupted: await observer.ask(readInterrupted),
    ledgerFaults: await observer.ask((db) => findLedgerFaults(db, lab.ledger.entries)),
  };
}

async function readFirst({ owner, observer }: Scene) {
  const [first] = owner.outcomes;
  if (first === undefined) throw new Error("nothing was handed over");
  return observer.ask((db) => readTraces(db, first.id));
}
