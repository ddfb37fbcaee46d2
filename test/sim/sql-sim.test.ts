import { expect, test } from "vitest";
import { runWorld } from "../helpers/run-world.ts";
import { playSql, type SqlOutcome } from "./sql/simulate-sql.ts";
import { takeOverClock } from "./sql/sql-backend.ts";

// Another seed: SIM_SEED=42 npx vitest run test/sim/sql-sim.test.ts; more of them: SIM_SEEDS=100.

const world = await runWorld();
await takeOverClock(world);
const one = process.env.SIM_SEED;
const seeds = one ? [Number(one)] : Array.from({ length: Number(process.env.SIM_SEEDS ?? 8) }, (_, n) => n + 1);

test(`${seeds.length} seeds on a real database keep every invariant`, async () => {
  const outcomes: SqlOutcome[] = [];
  for (const seed of seeds) {
    const trace = one ? (line: string) => process.stdout.write(`${line}\n`) : undefined;
    outcomes.push(await playSql(seed, world, trace));
    const { violation } = outcomes.at(-1) as SqlOutcome;
    expect(violation, `replay it with SIM_SEED=${seed}`).toBeNull();
  }
  const sum = (of: (outcome: SqlOutcome) => number) => outcomes.reduce((total, each) => total + of(each), 0);
  const [points, looks] = [sum(({ points }) => points), sum(({ looks }) => looks)];
  const [runs, iterations] = [sum(({ runs }) => runs), sum(({ iterations }) => iterations)];
  process.stdout.write(
    `sql: ${seeds.length} seeds, ${points} points, ${runs} runs, ${iterations} iterations, ${looks} looks\n`,
  );
  if (!one) expect(iterations).toBeGreaterThan(60);
});
