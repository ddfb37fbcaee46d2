// Models under fire: runs of the real planner engine in real worker processes, with the lab as four providers, and a worker
// killed every other moment. At the end our books are held against the lab's, and what was written against an undisturbed run.
// Run it: npm run chaos:models -- --kills 100   (the suite runs a small one)

import { setTimeout as sleep } from "node:timers/promises";
import { runModelRoles } from "../../src/domain/run/run-models.ts";
import { routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import { findViolations, type Violation } from "../../src/store/run/run-invariants.ts";
import { objective } from "../helpers/planner-scenario.ts";
import { readRequest, toReply } from "../helpers/role-script.ts";
import { makeDataFolder, removeDataFolder } from "../helpers/served.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { canaryKey, labPrices, players } from "../lab/lab-models.ts";
import { type Random, seeded } from "../sim/random.ts";
import { embeddedDatabase, type Observer, observe } from "./chaos-database.ts";
import { Fleet, maxConcurrentRuns } from "./fleet.ts";
import { longSessions } from "./long-sessions.ts";
import { countUnderWay, judgeModels, type ModelsVerdict, whoWorks } from "./models-verdict.ts";
import { describeRuns } from "./verdict.ts";

export type ModelsChaosOptions = {
  /** Where the database is or will be; a new folder where none is given. Removed at the end. */
  readonly data?: string;
  readonly kills: number;
  /** At least; while there are kills left, whatever ends is followed by another one. */
  readonly runs: number;
  /** How many rounds of research a run has: a session of four answers and two executors each. */
  readonly rounds: number;
  readonly workers: number;
  /** Runs that one worker works on at a time. */
  readonly concurrency: number;
  /** Runs under way, or waiting for a worker; no more than there are slots. */
  readonly openAtOnce: number;
  readonly seed: number;
  /** Between two kills. */
  readonly pauseMs: readonly [number, number];
  /** Before the first word of an answer. */
  readonly answerMs: readonly [number, number];
  readonly say: (line: string) => void;
  /** Aborted: clean up and end. */
  readonly signal: AbortSignal;
};

export type ModelsReport = ModelsVerdict & {
  readonly kills: number;
  readonly violations: readonly Violation[];
  /** Processes that ended although nobody killed them. */
  readonly deaths: readonly string[];
  readonly seconds: number;
};

/** With a price before the call, so that a lost answer has one; the fifth, a server of one's own, has none. */
const models = players.map(({ id }) => id).filter((id) => !id.startsWith("openai-compatible"));
/** A killed worker is started again within this. */
const startAfterMs = 1_000;
/** Between two words of an answer, so that some kills come in the middle of one. */
const wordMs = [0, 0, 2, 5] as const;
/** A run that nobody disturbs takes seconds; what is still open after this, with recoveries of 15 s each, has got lost. */
const calmMaxMs = 240_000;
const sayEvery = 10;
/** A run whose worker died is taken up again within 15 s; on a machine with other work to do, some more. */
const idleMaxMs = 120_000;
/** On a slow machine kills wait for work to be done: those of workers that have not begun would prove nothing. */
const callsBetweenKills = [2, 12] as const;

type Scene = {
  readonly options: ModelsChaosOptions;
  readonly random: Random;
  readonly fleet: Fleet;
  readonly observer: Observer;
  readonly lab: Lab;
  readonly violations: Violation[];
  kills: number;
  handedOver: number;
};

export async function runModelsChaos(options: ModelsChaosOptions): Promise<ModelsReport> {
  const { data = makeDataFolder() } = options;
  const lab = await startChaosLab(options);
  const fleet = new Fleet({ data, workers: options.workers, workerArgs: [], settings: settingsFor(lab, options) });
  let observer: Observer | null = null;
  try {
    await fleet.start();
    observer = await observe(embeddedDatabase(data));
    const random = seeded(options.seed);
    return await play({ options, random, fleet, observer, lab, violations: [], kills: 0, handedOver: 0 });
  } finally {
    await observer?.close();
    await fleet.close();
    await lab.close();
    await removeDataFolder(data);
  }
}

/** Every answer has figures of its own: whichever row of our books has them is about this answer. */
function startChaosLab({ rounds, answerMs, seed }: ModelsChaosOptions): Promise<Lab> {
  const random = seeded(seed + 1);
  const script = longSessions(rounds);
  return startLab({
    prices: labPrices,
    script: async (request, at) => {
      const asked = readRequest(request);
      const answer = toReply(script(asked), asked);
      await sleep(random.between(...answerMs));
      return { ...answer, usage: { input: 1_000 + at, output: 100 + (at % 97) }, slowMs: random.pick(wordMs) };
    },
  });
}

function settingsFor(lab: Lab, { concurrency }: ModelsChaosOptions): Readonly<Record<string, string>> {
  const providers = ["openrouter", "anthropic", "openai", "google"];
  const each = providers.flatMap((name) => [
    [`HOMEWORK_${name.toUpperCase()}_API_KEY`, canaryKey],
    [`HOMEWORK_${name.toUpperCase()}_BASE_URL`, lab.baseUrl(name)],
  ]);
  return { ...Object.fromEntries(each), HOMEWORK_WORKER_CONCURRENCY: String(concurrency) };
}

async function play(scene: Scene): Promise<ModelsReport> {
  const { options, fleet, observer, lab } = scene;
  const beganMs = Date.now();
  const projectId = await makeProject(fleet);
  await handOver(scene, projectId);
  await untilAllEnded(scene);
  options.say("the undisturbed run has ended");
  const over = new AbortController();
  const handing = keepHandingOver(scene, projectId, over.signal);
  try {
    await Promise.race([rage(scene), handing]);
    options.signal.throwIfAborted();
    over.abort();
    await handing;
    await fleet.settle();
    await untilAllEnded(scene);
    options.signal.throwIfAborted();
    await examine(scene);
    const verdict = await observer.ask((db) => judgeModels(db, lab.ledger.entries));
    const seconds = Math.round((Date.now() - beganMs) / 1_000);
    return { ...verdict, kills: scene.kills, violations: scene.violations, deaths: fleet.deaths, seconds };
  } finally {
    over.abort();
    await handing.catch(() => {});
  }
}

async function rage(scene: Scene): Promise<void> {
  const { options, random, fleet, lab } = scene;
  let busyMs = Date.now();
  let due = lab.requests.length + 1;
  while (scene.kills < options.kills && !options.signal.aborted) {
    await sleep(random.between(...options.pauseMs), undefined, { signal: options.signal }).catch(() => {});
    if (Date.now() - busyMs > idleMaxMs) throw new Error(`for ${idleMaxMs / 1_000} s nobody has worked on open runs`);
    if (lab.requests.length < due) continue;
    const busy = await findBusy(scene);
    if (busy.length === 0 || options.signal.aborted) continue;
    busyMs = Date.now();
    await fleet.killWorker(random.pick(busy), random.between(0, startAfterMs));
    scene.kills += 1;
    due = lab.requests.length + random.between(...callsBetweenKills);
    if (scene.kills % sayEvery === 0) await examine(scene);
  }
}

/** Workers in the middle of an iteration: a kill of any other would prove nothing. */
async function findBusy({ fleet, observer }: Scene): Promise<readonly number[]> {
  const names = await observer.ask(whoWorks);
  return fleet.workersAtWork().filter((slot) => names.includes(fleet.nameOf(slot)));
}

async function makeProject(fleet: Fleet): Promise<string> {
  return (await apiOf(fleet)(routes.projects.create, { body: { name: "Halls" } })).id;
}

/** The first one is the undisturbed one; after it each provider has its turn. */
async function handOver(scene: Scene, projectId: string): Promise<void> {
  const model = models[scene.handedOver % models.length];
  const body = {
    objective,
    project_ids: [projectId],
    models: Object.fromEntries(runModelRoles.map((role) => [role, model])),
  };
  await apiOf(scene.fleet)(routes.runs.create, { body }, { idempotencyKey: `models-run-${scene.handedOver}` });
  scene.handedOver += 1;
}

async function keepHandingOver(scene: Scene, projectId: string, over: AbortSignal): Promise<void> {
  const { options, observer } = scene;
  const isDue = () => scene.handedOver <= options.runs || !over.aborted;
  while (isDue() && !options.signal.aborted) {
    const open = await observer.ask(countUnderWay);
    for (let n = open; n < options.openAtOnce && isDue(); n++) await handOver(scene, projectId);
    await sleep(300);
  }
}

/** The server is not killed here, so it is always there. */
function apiOf(fleet: Fleet): Api {
  if (fleet.api === null) throw new Error("there is no server");
  return fleet.api;
}

async function examine(scene: Scene): Promise<void> {
  const { options, observer, violations, lab } = scene;
  const found = await observer.ask((db) => findViolations(db, maxConcurrentRuns));
  violations.push(...found);
  const progress = await observer.ask(describeRuns);
  options.say(`${scene.kills} kills, ${lab.requests.length} calls, ${progress}, ${found.length} violations`);
}

async function untilAllEnded({ observer, options }: Scene): Promise<void> {
  for (const end = Date.now() + calmMaxMs; Date.now() < end && !options.signal.aborted; await sleep(200))
    if ((await observer.ask(countUnderWay)) === 0) return;
}
