// `npm run chaos:models`: the arguments, the figures, and whether every micro-dollar is accounted for.

import { parseArgs } from "node:util";
import { stopOnSignals } from "../../src/main/ports-signals.ts";
import { type ModelsReport, runModelsChaos } from "./models-chaos.ts";

const usage = `npm run chaos:models -- [--kills 100] [--runs 16] [--rounds 3] [--workers 3] [--seed N]
`;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    runs: { type: "string", default: "16" },
    rounds: { type: "string", default: "3" },
    workers: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    help: { type: "boolean", default: false },
  },
});

const number = (name: "kills" | "runs" | "rounds" | "workers" | "seed", least: number): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  process.stderr.write(`--${name} has to be a whole number from ${least}\n${usage}`);
  process.exit(2);
};

const dollars = (microUsd: number) => `$${(microUsd / 1_000_000).toFixed(6)}`;
const firstOf = (items: readonly string[]) => items.slice(0, 8).map((item) => `\n    ${item.slice(0, 600)}`);
const count = (items: readonly string[]) => `${items.length}${firstOf(items).join("")}`;

function print(report: ModelsReport, seed: number): void {
  const { ledger } = report;
  const lines: readonly (readonly [string, string])[] = [
    ["kills", `${report.kills} workers, with kill -9`],
    ["runs", `${report.completed} of ${report.runs} completed`],
    ["not completed", count(report.unfinished)],
    ["iterations", `${report.iterations} in ${report.attempts} attempts`],
    ["carried on in the middle", `${report.carriedOn} iterations`],
    ["answers by the lab's count", `${ledger.answers}, of which ${ledger.unheard} nobody heard`],
    ["calls by our count", `${ledger.rows}: ${ledger.settled} settled, ${ledger.lost} lost, ${ledger.free} never sent`],
    [
      "cost of what was settled",
      `ours ${dollars(ledger.settledMicroUsd)}, the lab's ${dollars(ledger.labSettledMicroUsd)}`,
    ],
    [
      "cost of what was lost",
      `ours ${dollars(ledger.lostMicroUsd)} (reservations), the lab's ${dollars(ledger.labUnheardMicroUsd)}`,
    ],
    ["ledger differs from the lab's", count(report.ledgerFaults)],
    ["doubled or missing", count(report.writeFaults)],
    ["invariant violations", count(report.violations.map((found) => JSON.stringify(found)))],
    ["processes that ended by themselves", count(report.deaths)],
    ["duration", `${report.seconds} s`],
    ["seed", String(seed)],
  ];
  for (const [what, figure] of lines) process.stdout.write(`${what}: ${figure}\n`);
}

function isGood({ unfinished, ledgerFaults, writeFaults, violations, deaths, ledger }: ModelsReport): boolean {
  const faults = [unfinished, ledgerFaults, writeFaults, violations, deaths];
  return faults.every(({ length }) => length === 0) && ledger.settledMicroUsd === ledger.labSettledMicroUsd;
}

async function main(): Promise<number> {
  const seed = number("seed", 0);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const signal = stopOnSignals();
  const pace = { concurrency: 2, openAtOnce: 8, pauseMs: [1_000, 2_000], answerMs: [50, 400] } as const;
  say(`seed ${seed}`);
  try {
    const report = await runModelsChaos({
      kills: number("kills", 1),
      runs: number("runs", 4),
      rounds: number("rounds", 0),
      workers: number("workers", 1),
      seed,
      ...pace,
      say,
      signal,
    });
    print(report, seed);
    return isGood(report) ? 0 : 1;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    say("interrupted: every process that was started has been ended");
    return 130;
  }
}

if (values.help) process.stdout.write(usage);
else process.exitCode = await main();
