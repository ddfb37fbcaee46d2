// `npm run chaos:effects`: the arguments and the figures.

import { parseArgs } from "node:util";
import { runEffectsChaos } from "./effects-chaos.ts";

const { values } = parseArgs({ options: { times: { type: "string", default: "100" } } });
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1) {
  process.stderr.write("npm run chaos:effects -- [--times 100]\n");
  process.exit(2);
}
const say = (line: string) => void process.stderr.write(`${line}\n`);
const report = await runEffectsChaos({ times, random: Math.random, say });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const { adopted, startedAgain, wrong, violations, deaths } = report;
const isGood = adopted >= times && [startedAgain, wrong, violations, deaths].every(({ length }) => length === 0);
process.exitCode = isGood ? 0 : 1;
