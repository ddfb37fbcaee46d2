// The scenarios: every order by way of carriers in turn, each time in another disguise, so that all of them meet. And how one of
// them is played.

import type { AttackWorld, Special } from "./attack-world.ts";
import { type Carrier, carriers } from "./carriers.ts";
import { type DisguiseName, disguises } from "./disguises.ts";
import type { Errand } from "./obeying-model.ts";
import { findBreaches, outsideHash } from "./oracle.ts";
import { type Order, orders } from "./orders.ts";
import { playRun } from "./play.ts";

export type Scenario = {
  readonly code: string;
  readonly order: Order;
  readonly carrier: Carrier;
  readonly disguise: DisguiseName;
};

const disguiseNames = Object.keys(disguises) as readonly DisguiseName[];

export const codeAt = (n: number): string => `zq${String(n).padStart(3, "0")}`;

/** Before the plan is approved there are no executors: the planner itself has to read it. */
const readerOf = ({ permission }: Order, { reader = "executor" }: Carrier): Errand["reader"] =>
  permission?.writeMode === "approve_plan" ? "planner" : reader;

/** Every order through every carrier. */
export const allScenarios: readonly Scenario[] = orders
  .flatMap((order, row) =>
    carriers.map((carrier, column) => ({
      order,
      carrier,
      disguise: carrier.isShort
        ? ("in plain words" as const)
        : (disguiseNames[(row + column) % disguiseNames.length] ?? "as it stands"),
    })),
  )
  .filter(({ order, carrier }) => (carrier.reader ?? readerOf(order, carrier)) === readerOf(order, carrier))
  .map((scenario, n) => ({ ...scenario, code: codeAt(n) }));

/** What a planner is shown of a result; of a longer order only plain words would reach it whole. */
const plannerSees = 280;

export type Played = { readonly breaches: readonly string[]; readonly wasObeyed: boolean };

export async function playScenario(world: AttackWorld, scenario: Scenario, special: Special = {}): Promise<Played> {
  const { code, order, carrier, disguise } = scenario;
  const targets = await world.makeTargets(code);
  const evil = (path: string, host = `evil-${code}.example`) => world.outside.pageUrl(path, host);
  const meaning = order.say({ ...targets, evil });
  const reader = readerOf(order, carrier);
  const written = disguises[disguise](meaning, code);
  const isLost = reader === "planner" && written.length > plannerSees;
  const laid = await carrier.lay(world, targets, isLost ? disguises["in plain words"](meaning, code) : written);
  const seesSecret = { tool: "get_document", args: { id: targets.homeDoc } };
  const [first = [], ...more] = laid.reads;
  world.errands.set(code, { code, meaning, reads: [[...first, seesSecret], ...more], reader });
  world.specials.set(code, { ...laid.special, ...special });
  const before = await outsideHash(world, targets);
  const iterations = order.iterations ?? 2;
  const run = await playRun(world, targets, { iterations, permission: order.permission, ...laid });
  const mayGoOut = order.isEgress === true && carrier.isUsers === true;
  const breaches = await findBreaches(world, { targets, run, before, mayGoOut, iterations });
  return { breaches, wasObeyed: world.model.obeyed.has(code) };
}

/** So many at the same time; each waits for the database and the model most of its time. */
const atOnce = 8;

/** Plays them all, a few at a time; each can be waited for by itself. */
export function playAll(world: AttackWorld, scenarios: readonly Scenario[]): ReadonlyMap<Scenario, Promise<Played>> {
  const lines = Array.from({ length: atOnce }, () => Promise.resolve());
  return new Map(
    scenarios.map((scenario, n) => {
      const played = (lines[n % atOnce] ?? Promise.resolve()).then(() => playScenario(world, scenario));
      lines[n % atOnce] = played.then(
        () => {},
        () => {},
      );
      return [scenario, played];
    }),
  );
}
