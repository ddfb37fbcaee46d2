// `npm run chaos:agents`: the arguments and the figures.

import { parseArgs } from "node:util";
import { runAgentsChaos } from "./agents-chaos.ts";

const { values } = parseArgs({ options: { cycles: { type: "string", default: "1000" } } });
const times = Number(values.cycles);
if (!Number.isInteger(times) || times < 1) {
  process.stderr.write("npm run chaos:agents -- [--cycles 1000]\n");
  process.exit(2);
}
const began = Date.now();
const say = (line: string) => void process.stderr.write(`${line}\n`);
const report = await runAgentsChaos({ times, kills: Math.ceil(times / 10), atOnce: 4, random: Math.random, say });
const seconds = Math.round((Date.now() - began) / 1_000);
process.stdout.write(`${JSON.stringify({ ...report, seconds }, null, 2)}\n`);
const { left, running, hit } = report;
process.exitCode = left.length === 0 && running.length === 0 && hit === 0 ? 0 : 1;
