// Does HOMЯ pay for itself? Simulated outcomes of 20 tasks in which work drifts, facts are met and points are left open, each played once
// with HOMЯ and once without, over many seeds. What the worker, the observer, the reviewer and the person are like stands in
// steering-plan.ts, and is the same on both sides; everything between them is the product's own code.

import { ratio, report } from "./figures.ts";
import type { Prices } from "./steering-models.ts";
import { type Chances, usualChances } from "./steering-plan.ts";
import { type Played, playSteering } from "./steering-play.ts";

/** Micro-dollars a token: a worker's model at $3 and $15 a million, an observer's at $1 and $5. */
const usualPrices: Prices = { worker: { input: 3, output: 15 }, observer: { input: 1, output: 5 } };

type Scene = {
  readonly name: string;
  readonly chances: Chances;
  readonly prices: Prices;
  readonly maxCostMicroUsd: number | null;
};

const scene = (name: string, over: Partial<Chances> = {}, more: Partial<Scene> = {}): Scene => ({
  ...{ name, prices: usualPrices, maxCostMicroUsd: null },
  chances: { ...usualChances, ...over },
  ...more,
});

/** Twenty attempts without a mishap cost $3.90; this leaves three tenths for what goes wrong. */
const limit = 5_000_000;

const halfBlind: Partial<Chances> = {
  ...{ seesDrift: 0.37, seesInherited: 0.25, seesGuess: 0.15, seesFact: 0.4, seesDoubt: 0.35, namesTask: 0.4 },
  ...{ falseDrift: 0.08, falseFact: 0.2, falseDoubt: 0.06 },
};

const dearObserver = { prices: { ...usualPrices, observer: usualPrices.worker } };

const usual = scene("drift, facts and open points");
const limited = scene("the same with a limit of $5", {}, { maxCostMicroUsd: limit });

const scenes: readonly Scene[] = [
  usual,
  limited,
  scene("drift alone", { facts: 0, points: 0 }),
  scene("facts alone", { drifts: 0, points: 0 }),
  scene("open points alone", { drifts: 0, facts: 0 }),
  scene("nothing planted", { drifts: 0, facts: 0, points: 0 }),
  scene("an observer that sees half as much and errs twice as often", halfBlind),
  scene("an observer as dear as the worker", {}, dearObserver),
];

export async function benchSteering(seeds: number): Promise<void> {
  for (const each of scenes) {
    const pairs = await playPairs(each, seeds);
    tell(each, pairs);
    if (each === usual) demand("cost less", mean(pairs, "on", "microUsd") < mean(pairs, "off", "microUsd"));
    if (each === limited) demand("complete more", mean(pairs, "on", "right") > mean(pairs, "off", "right"));
  }
}

type Pair = { readonly on: Played; readonly off: Played };

async function playPairs({ name: _, ...played }: Scene, seeds: number): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const on = await playSteering({ ...played, seed, isOn: true });
    const off = await playSteering({ ...played, seed, isOn: false });
    pairs.push({ on, off });
  }
  return pairs;
}

const mean = (pairs: readonly Pair[], side: keyof Pair, what: Exclude<keyof Played, "isAchieved">): number =>
  pairs.reduce((sum, pair) => sum + pair[side][what], 0) / pairs.length;

function tell({ name }: Scene, pairs: readonly Pair[]): void {
  const round = (figure: number) => Math.round(figure * 100) / 100;
  const row = (what: Exclude<keyof Played, "isAchieved">, unit = 1) => {
    const [on, off] = [mean(pairs, "on", what) / unit, mean(pairs, "off", what) / unit];
    return { on: round(on), off: round(off), "on : off": off === 0 ? null : ratio(on, off) };
  };
  const share = (isSo: (pair: Pair) => boolean) => ratio(pairs.filter(isSo).length, pairs.length);
  report(`Steering: ${name}`, {
    outcomes: `${pairs.length} with HOMЯ and as many without`,
    "tasks done right, of 20": row("right"),
    "cost in dollars": row("microUsd", 1e6),
    "of it wasted": row("wastedMicroUsd", 1e6),
    "of it for HOMЯ and reviews": row("turnsMicroUsd", 1e6),
    "questions to a person": row("questions"),
    attempts: row("attempts"),
    reviews: row("reviews"),
    "dollars for a task done right": ratio(
      mean(pairs, "on", "microUsd") / mean(pairs, "on", "right"),
      mean(pairs, "off", "microUsd") / mean(pairs, "off", "right"),
    ),
    "share of outcomes dearer with HOMЯ": share(({ on, off }) => on.microUsd > off.microUsd),
    "share with fewer tasks right": share(({ on, off }) => on.right < off.right),
  });
}

function demand(what: string, isSo: boolean): void {
  if (isSo) return;
  process.stderr.write(`HOMЯ does not make outcomes ${what}.\n`);
  process.exitCode = 1;
}
