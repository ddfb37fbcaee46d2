// Plays one seed: a time in which everything goes wrong, then a calm one in which every run has to come to rest.

import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { Engine, Prover } from "../../src/runs/ports/engine.ts";
import type { Backend } from "./backend.ts";
import { Crew } from "./crew.ts";
import { type FaultClass, swarm } from "./faults.ts";
import { checkAtRest, Watch } from "./invariants.ts";
import { memoryBackend, type StoreBug } from "./memory/memory-backend.ts";
import type { MemoryWrites } from "./memory/memory-journal-store.ts";
import { Outside } from "./provider.ts";
import { simulatedEngine } from "./simulated-engine.ts";
import type { ModelsBug } from "./simulated-models.ts";
import { simulatedProver } from "./simulated-prover.ts";
import { thinkAtRandom } from "./think.ts";
import { type Commands, rightCommands, Users } from "./users.ts";
import { type Violation, World } from "./world.ts";

/** Something wrong, planted to see whether it is found. */
export type PlantedBug = StoreBug & {
  readonly name: string;
  readonly commands?: Partial<Commands>;
  readonly models?: ModelsBug;
  readonly engine?: (engine: Engine<MemoryWrites>) => Engine<MemoryWrites>;
  readonly prover?: (prover: Prover<MemoryWrites>) => Prover<MemoryWrites>;
};

export type Outcome = {
  readonly seed: number;
  readonly violation: Violation | null;
  readonly hash: string;
  readonly simulatedMs: number;
  readonly points: number;
  readonly iterations: number;
  readonly runs: number;
  readonly faults: Readonly<Record<FaultClass, number>>;
};

const troubleMs = 110_000;
/** Holds grow to a quarter of an hour in it. */
const outageMaxMs = 2_400_000;
/** Longer than the longest hold, and than all that can be left to do. */
const calmMaxMs = 7_200_000;
/** After everything came to rest: what is still under way somewhere arrives. */
const restMs = 15_000;

export type PlayOptions = { readonly bug?: PlantedBug; readonly onTrace?: (line: string) => void };

export async function play(seed: number, { bug, onTrace }: PlayOptions = {}): Promise<Outcome> {
  const world = new World({ seed, faults: swarm, ...(onTrace ? { onTrace } : {}) });
  const { random } = world;
  const backend = memoryBackend(world, bug);
  const { database } = backend;
  const outside = new Outside(world, thinkAtRandom(random));
  const limits = { maxConcurrentRuns: random.between(1, 3) };
  const watch = new Watch(world, outside, database, limits);
  const crew = new Crew({
    world,
    backend,
    engineFor: (actor) => {
      const engine = simulatedEngine({ world, actor, outside, backend, modelsBug: bug?.models });
      return bug?.engine?.(engine) ?? engine;
    },
    proverFor: (actor) => {
      const prover = simulatedProver({ world, actor, outside, backend, modelsBug: bug?.models });
      return bug?.prover?.(prover) ?? prover;
    },
    limits,
    breakers: defaultBreakers,
    size: random.between(1, 3),
    concurrency: random.between(1, 3),
  });
  new Users({
    world,
    backend,
    limits,
    commands: { ...rightCommands, ...bug?.commands },
    userIds: Array.from({ length: random.between(1, 2) }, () => random.id() as UserId),
    runsPerUser: random.between(1, 4),
  });
  makeTrouble(world, crew, backend);
  breakProvider(world, outside);
  await world.timeline.play(() => world.violation !== null || world.timeline.nowMs >= troubleMs);
  world.isCalm = true;
  world.faults.calm();
  watch.calm();
  const calmFromMs = world.timeline.nowMs;
  const isOver = () => world.violation !== null || world.timeline.nowMs > calmFromMs + calmMaxMs;
  await world.timeline.play(() => isOver() || (world.timeline.nowMs > calmFromMs + restMs && watch.isAtRest()));
  // However its clock has jumped meanwhile.
  await backend.giveUpOldCalls(-calmMaxMs);
  if (world.violation === null) checkAtRest(world, outside, database);
  return {
    seed,
    violation: world.violation,
    hash: world.hash([...database.runs.values()]),
    simulatedMs: world.timeline.nowMs,
    points: world.points,
    iterations: watch.iterations,
    runs: database.runs.size,
    faults: world.faults.counts,
  };
}

/** Once in a while a provider is away for long: everyone's, or only that of the judge. */
function breakProvider({ faults, random, nowMs }: World, outside: Outside): void {
  if (!faults.strikes("provider_outage")) return;
  const role = random.pick([null, "judge", "judge"] as const);
  outside.outage = { untilMs: nowMs + random.between(60_000, outageMaxMs), role };
}

/**
 * Now and then something happens to everyone: clocks jump, workers are restarted, or all of them are gone. With a
 * `jumpsFrom` of 0 clocks jump forward only.
 */
export function makeTrouble<Writes>(world: World, crew: Crew<Writes>, backend: Backend<Writes>, jumpsFrom = -60): void {
  const { faults, random, timeline } = world;
  const next = () => {
    if (world.isCalm) return;
    if (faults.strikes("clock_jump")) {
      world.databaseClockOffMs += random.between(jumpsFrom, 60) * random.pick([500, 5_000]);
      world.trace(`the database's clock is off by ${world.databaseClockOffMs} ms`);
      void world.io(backend.setClock());
    }
    void world.io(backend.giveUpOldCalls(random.between(5_000, 60_000))).catch(() => {});
    if (faults.strikes("restart")) void crew.restart();
    if (faults.strikes("blackout")) crew.blackOut();
    timeline.at(timeline.nowMs + random.between(5_000, 40_000), next);
  };
  timeline.at(random.between(1_000, 30_000), next);
}
