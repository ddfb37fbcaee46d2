// `npm run sim -- --minutes 10`: plays seeds for that long, then hunts the planted bugs, and prints what it did.
// `--seeds N` plays that many instead, from `--from N`; `--seed N` replays one with everything that happened. With `--outcomes` it plays
// outcomes and HOMЯ; with `--sweep` it plays the golden run with each kind of fault at each boundary, of which the suite takes a share.

import { parseArgs } from "node:util";
import { type FaultClass, faultClasses, noCounts } from "./faults.ts";
import { playGolden } from "./golden-run.ts";
import { type Hunted, hunt, plantedBugs } from "./planted-bugs.ts";
import { type Outcome, play } from "./simulate.ts";
import { playOutcomes } from "./simulate-outcomes.ts";
import { sweep, sweepKinds } from "./sweep.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seeds: { type: "string" },
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    /** Without hunting the planted bugs. */
    outcomes: { type: "boolean", default: false },
    sweep: { type: "boolean", default: false },
    "no-bugs": { type: "boolean", default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

type Sum = { seeds: number; simulatedMs: number; iterations: number; runs: number; points: number; wrong: Outcome[] };

async function playMany(isOver: (seeds: number) => boolean): Promise<void> {
  const sum: Sum = { seeds: 0, simulatedMs: 0, iterations: 0, runs: 0, points: 0, wrong: [] };
  const counts = noCounts();
  const beganAt = Date.now();
  for (let seed = Number(values.from); !isOver(sum.seeds); seed++) add(sum, counts, await play(seed));
  const seconds = (Date.now() - beganAt) / 1_000;
  const faults = faultClasses.reduce((total, fault) => total + counts[fault], 0);
  say(`seeds             ${sum.seeds} (${(sum.seeds / seconds).toFixed(1)} a second), from ${values.from}`);
  say(`simulated         ${(sum.simulatedMs / 3_600_000).toFixed(1)} hours in ${seconds.toFixed(0)} s`);
  say(`runs, iterations  ${sum.runs}, ${sum.iterations}`);
  say(`points            ${sum.points}`);
  say(`faults            ${faults}: ${faultClasses.map((fault) => `${fault} ${counts[fault]}`).join(", ")}`);
  const hunted = values["no-bugs"] ? [] : await huntAll();
  say(`violations        ${sum.wrong.length}`);
  for (const { seed, violation } of sum.wrong) say(`  --seed ${seed}: ${violation?.invariant}: ${violation?.detail}`);
  if (sum.wrong.length > 0 || hunted.some(({ foundBy }) => foundBy === null)) process.exitCode = 1;
}

function add(sum: Sum, counts: Record<FaultClass, number>, outcome: Outcome): void {
  sum.seeds += 1;
  sum.simulatedMs += outcome.simulatedMs;
  sum.iterations += outcome.iterations;
  sum.runs += outcome.runs;
  sum.points += outcome.points;
  for (const fault of faultClasses) counts[fault] += outcome.faults[fault];
  if (outcome.violation === null) return;
  sum.wrong.push(outcome);
  say(`seed ${outcome.seed}: ${outcome.violation.invariant}: ${outcome.violation.detail}`);
}

async function huntAll(): Promise<readonly Hunted[]> {
  const hunted: Hunted[] = [];
  for (const bug of plantedBugs) hunted.push(await hunt(bug));
  const found = hunted.filter(({ foundBy }) => foundBy !== null).length;
  say(`planted bugs      ${found} of ${hunted.length} found; seeds needed:`);
  for (const { bug, seed, foundBy } of hunted) say(`  ${String(seed).padStart(4)}  ${bug}: ${foundBy ?? "SURVIVED"}`);
  return hunted;
}

async function replay(seed: number): Promise<void> {
  const { violation, hash } = await (values.outcomes ? playOutcomes : play)(seed, { onTrace: say });
  say(violation === null ? "no violation" : `${violation.invariant}: ${violation.detail}`);
  say(`hash ${hash}`);
  if (violation !== null) process.exitCode = 1;
}

async function playManyOutcomes(isOver: (seeds: number) => boolean): Promise<void> {
  const sum = { seeds: 0, outcomes: 0, observations: 0, achieved: 0, wrong: 0 };
  for (let seed = Number(values.from); !isOver(sum.seeds); seed++) {
    const { violation, outcomes, observations, achieved } = await playOutcomes(seed);
    sum.seeds += 1;
    sum.outcomes += outcomes;
    sum.observations += observations;
    sum.achieved += achieved;
    if (violation === null) continue;
    sum.wrong += 1;
    say(`--outcomes --seed ${seed}: ${violation.invariant}: ${violation.detail}`);
  }
  say(`seeds             ${sum.seeds}, from ${values.from}`);
  say(`outcomes          ${sum.outcomes}, ${sum.achieved} achieved; ${sum.observations} observations`);
  say(`violations        ${sum.wrong}`);
  if (sum.wrong > 0) process.exitCode = 1;
}

async function sweepAll(): Promise<void> {
  const quietEnd = JSON.stringify((await playGolden()).state);
  for (const kind of sweepKinds) {
    const { boundaries, wrong } = await sweep(kind, quietEnd);
    say(`${kind.padEnd(22)}${boundaries} boundaries, ${wrong.length} wrong`);
    for (const { at, where, end } of wrong) say(`  ${at}: ${where}: ${end.violation?.invariant ?? "another end"}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
}

const endsAt = Date.now() + Number(values.minutes) * 60_000;
if (values.sweep) await sweepAll();
else if (values.seed !== undefined) await replay(Number(values.seed));
else {
  const isOver = (seeds: number): boolean =>
    values.seeds === undefined ? Date.now() >= endsAt : seeds >= Number(values.seeds);
  await (values.outcomes ? playManyOutcomes : playMany)(isOver);
}
