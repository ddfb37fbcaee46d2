// `npm run chaos`: the arguments, the figures, and whether they are good enough to be proud of.

import { parseArgs } from "node:util";
import { stopOnSignals } from "../../src/main/ports-signals.ts";
import { type ChaosReport, runChaos } from "./run-chaos.ts";

const usage = `npm run chaos -- [--kills 200] [--runs 100] [--iterations 10] [--seed N] [--minutes 30] [--postgres embedded|own]
`;
/** A dead worker's lease is free within 15 s (the design), and taken within two more. */
const recoveryMaxMs = 17_000;
/** Long enough that some are always under way, short enough that many kills hit the same run. */
const callMs = 900;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    runs: { type: "string", default: "100" },
    iterations: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    minutes: { type: "string", default: "30" },
    postgres: { type: "string", default: "embedded" },
    help: { type: "boolean", default: false },
  },
});

const number = (name: "kills" | "runs" | "iterations" | "seed" | "minutes", least: number): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  process.stderr.write(`--${name} has to be a whole number from ${least}\n${usage}`);
  process.exit(2);
};

function postgres(): "embedded" | "own" {
  if (values.postgres === "embedded" || values.postgres === "own") return values.postgres;
  process.stderr.write(`--postgres is embedded or own\n${usage}`);
  process.exit(2);
}

const seconds = (ms: number | null) => (ms === null ? "none" : `${(ms / 1_000).toFixed(1)} s`);
const firstOf = (items: readonly string[]) =>
  items.slice(0, 5).map((item) => `\n    ${item.split("\n").slice(0, 6).join("\n    ")}`);
const count = (items: readonly string[]) => `${items.length}${firstOf(items).join("")}`;

function print(report: ChaosReport, seed: number): void {
  const { kills, recovery, ledger, person, outagesMs } = report;
  const lines: readonly (readonly [string, string])[] = [
    [
      "kills",
      Object.entries(kills)
        .map(([fault, times]) => `${fault} ${times}`)
        .join(", "),
    ],
    ["runs", `${report.completed} completed, ${report.canceled} canceled`],
    ["iterations committed", `${report.iterationsCommitted} in ${report.attempts} attempts`],
    ["lost", count(report.lost)],
    ["doubled", count(report.doubled)],
    ["acknowledged and forgotten", count(report.forgotten)],
    [
      "invariant violations",
      `${count(report.violations.map((found) => JSON.stringify(found)))} (examined ${report.timesExamined} times)`,
    ],
    [
      "model calls",
      `${ledger.calls} made, ${ledger.unknown} paid at their reservation, ${report.lateCalls} settled by housekeeping`,
    ],
    ["ledger differs from the provider's", count(ledger.faults)],
    [
      "recovery from kill -9 of a worker",
      `p50 ${seconds(recovery.p50)}, p99 ${seconds(recovery.p99)}, max ${seconds(recovery.max)} over ${recovery.samples} interrupted iterations`,
    ],
    [
      "  not counted",
      `${recovery.inOutages} during an outage of something else (max ${seconds(recovery.maxInOutages)}), ${recovery.endedOtherwise} paused or canceled, ${recovery.idleKills} kills hit idle workers`,
    ],
    ["database away after its kill", `max ${seconds(outagesMs.length === 0 ? null : Math.max(...outagesMs))}`],
    [
      "the person",
      Object.entries(person)
        .map(([what, times]) => `${what} ${times}`)
        .join(", "),
    ],
    ["unexpected answers", count(report.surprises)],
    ["processes that ended by themselves", count(report.deaths)],
    ["starts that were tried again", count(report.failedStarts)],
    ["duration", `${report.seconds} s, of which calm ${report.calmSeconds} s`],
    ["seed", String(seed)],
  ];
  for (const [what, figure] of lines) process.stdout.write(`${what}: ${figure}\n`);
}

function isGood(report: ChaosReport): boolean {
  const { lost, doubled, forgotten, violations, ledger, surprises, deaths, recovery } = report;
  const faults = [lost, doubled, forgotten, violations, ledger.faults, surprises, deaths];
  return faults.every(({ length }) => length === 0) && (recovery.p99 ?? 0) <= recoveryMaxMs;
}

async function main(): Promise<number> {
  const options = { kills: number("kills", 1), runs: number("runs", 1), iterations: number("iterations", 2) };
  const seed = number("seed", 0);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const signal = stopOnSignals();
  const pace = { pauseMs: [1_500, 4_500], freezeMs: [12_000, 20_000], callMs } as const;
  say(`seed ${seed}`);
  try {
    const minutes = number("minutes", 1);
    const report = await runChaos({ ...options, ...pace, seed, minutes, postgres: postgres(), say, signal });
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
