// `npm run chaos:outcomes`: the arguments, the figures, and whether every outcome went as if nobody had been killed.

import { parseArgs } from "node:util";
import { stopOnSignals } from "../../src/main/ports-signals.ts";
import { type OutcomesReport, runOutcomesChaos } from "./outcomes-chaos.ts";

const usage = `npm run chaos:outcomes -- [--kills 100] [--workers 3] [--open 4] [--minutes 30] [--seed N]
`;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    workers: { type: "string", default: "3" },
    open: { type: "string", default: "4" },
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    help: { type: "boolean", default: false },
  },
});

const number = (name: "kills" | "workers" | "open" | "minutes" | "seed", least: number): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  process.stderr.write(`--${name} has to be a whole number from ${least}\n${usage}`);
  process.exit(2);
};

const firstOf = (items: readonly string[]) => items.slice(0, 8).map((item) => `\n    ${item.slice(0, 600)}`);
const count = (items: readonly string[]) => `${items.length}${firstOf(items).join("")}`;

function print(report: OutcomesReport, seed: number): void {
  const { interrupted } = report;
  const lines: readonly (readonly [string, string])[] = [
    ["kills", `${report.kills} workers, with kill -9`],
    ["outcomes", `${report.achieved} of ${report.outcomes} achieved, with ${report.calls} calls of models`],
    ["iterations", `${interrupted.iterations}, of which ${interrupted.iterationsRepeated} were begun again`],
    ["turns of HOMЯ", `${interrupted.turns}, of which ${interrupted.turnsRepeated} were taken up by another worker`],
    ["not as the story says", count(report.storyFaults)],
    ["differs from the undisturbed one", count(report.differences)],
    ["invariant violations", count(report.violations)],
    ["ledger differs from the lab's", count(report.ledgerFaults)],
    ["unexpected questions", count(report.surprises)],
    ["times the owner was told to come again", String(report.timesToldToWait)],
    ["processes that ended by themselves", count(report.deaths)],
    ["duration", `${report.seconds} s; two undisturbed outcomes took ${report.calmSeconds} s`],
    ["seed", String(seed)],
  ];
  for (const [what, figure] of lines) process.stdout.write(`${what}: ${figure}\n`);
}

const isGood = (report: OutcomesReport): boolean =>
  [
    report.storyFaults,
    report.differences,
    report.violations,
    report.ledgerFaults,
    report.surprises,
    report.deaths,
  ].every(({ length }) => length === 0) && report.achieved === report.outcomes;

async function main(): Promise<number> {
  const seed = number("seed", 0);
  const kills = number("kills", 0);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const signal = stopOnSignals();
  const pace = { pauseMs: [1_000, 3_000], answerMs: [50, 300] } as const;
  say(`seed ${seed}`);
  try {
    const size = { workers: number("workers", 1), openAtOnce: number("open", 1), minutes: number("minutes", 1) };
    const report = await runOutcomesChaos({ kills, undisturbed: 2, ...size, ...pace, seed, say, signal });
    print(report, seed);
    if (report.kills < kills) say(`only ${report.kills} of ${kills} kills within the time`);
    return isGood(report) && report.kills === kills ? 0 : 1;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    say("interrupted: every process that was started has been ended");
    return 130;
  }
}

if (values.help) process.stdout.write(usage);
else process.exitCode = await main();
