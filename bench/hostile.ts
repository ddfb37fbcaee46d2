// Hostile input: whether work grows with its input and no faster, for every parser (hostile-parsers.ts) and for search, and what another user
// notices while one user and many strangers do their worst on a real server. `npm run bench -- hostile`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { routes } from "../src/protocol/api.ts";
import type { Served } from "../test/helpers/served.ts";
import { ratio, report } from "./figures.ts";
import { attackNames } from "./hostile-attacks.ts";
import { type Parser, parsers } from "./hostile-parsers.ts";
import { benchHostileText } from "./hostile-text.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const ratioMax = 2.5;
/** What is done in less, however long its text, is not looked at: the processor's caches decide there. */
const shortMs = 4;
/** Work shorter than this is done several times: noise would be larger than the difference. */
const noiseMs = 30;
const tries = 15;
const lateMs = 250;
/** Of the other user, while each attack goes on. */
const requests = 200;

export async function benchHostile(server: Served): Promise<void> {
  report("hostile: time at 2n : n, the worst text of each parser", Object.fromEntries(parsers.map(growthOf)));
  await benchHostileText();
  report("hostile: search at 2n : n", await searchGrowth(server));
  report("hostile: another user meanwhile", await beside(server));
}

function growthOf(parser: Parser): readonly [string, string] {
  const grown = parser.shapes.map((shape) => ({ shape, ...growth(parser, shape) }));
  const worst = grown.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const longest = Math.max(...grown.map(({ whole }) => whole));
  const verdict = worst.ratio > ratioMax ? " TOO MUCH" : "";
  return [
    `${parser.name}, ${parser.size.toLocaleString("en")} characters`,
    `${worst.ratio} (${JSON.stringify(worst.shape)}), longest ${Math.round(longest)} ms${verdict}`,
  ];
}

/** The middle one of several pairs: a processor's pace changes from second to second, hardly within one pair. */
function growth({ size, run }: Parser, shape: string): { readonly ratio: number; readonly whole: number } {
  const text = (length: number) => shape.repeat(Math.ceil(length / shape.length));
  const [large, small] = [text(size), text(size / 2)];
  const whole = Math.min(...[1, 2].map(() => measure(() => run(large))));
  if (whole < shortMs) return { ratio: 0, whole };
  const rounds = Math.ceil(noiseMs / whole);
  const pairs: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const once = measure(() => repeat(rounds, () => run(large)));
    pairs.push((2 * once) / measure(() => repeat(2 * rounds, () => run(small))));
    if (count > 1 && middle(pairs) <= 2.2) break;
  }
  return { ratio: ratio(middle(pairs), 1), whole };
}

function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time += 1) work();
}

const middle = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** What earlier texts left is collected before: it would be counted here. Both halves are measured together, so that as much is left behind. */
function measure(work: () => unknown): number {
  collect();
  const began = performance.now();
  work();
  return performance.now() - began;
}

const words = ["repair ", "a ", "repair, and ", "x"];

/** Twelve documents of one word over and over, half as long and whole. */
async function searchGrowth({ api }: Served): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const [index, word] of words.entries()) {
    const [half, whole] = [await searchMs(index, word, 50_000), await searchMs(index, word, 100_000)];
    rows[`twelve documents of ${JSON.stringify(word)}`] = `${ratio(whole, half)}, ${Math.round(whole)} ms`;
  }
  return rows;

  async function searchMs(index: number, word: string, length: number): Promise<number> {
    const project = await api(routes.projects.create, { body: { name: `Hostile ${index} ${length}` } });
    const content = word.repeat(length / word.length);
    for (let count = 0; count < 12; count += 1)
      await api(routes.document.create, {
        params: { projectId: project.id },
        body: { title: `repair ${count}`, content },
      });
    let best = Number.POSITIVE_INFINITY;
    for (let count = 0; count < tries; count += 1) {
      const began = performance.now();
      await api(routes.projects.search, { query: { q: "repair and", project_id: project.id, limit: 50 } });
      best = Math.min(best, performance.now() - began);
    }
    return best;
  }
}

/** What a request of another user takes, by the time of a clock; the attacker is a process of its own, as it would be. */
async function beside(server: Served): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const name of ["nothing, to compare", ...attackNames]) {
    const end = await beginAttack(name, server);
    const times: number[] = [];
    for (let count = 0; count < requests; count += 1) {
      const began = performance.now();
      await server.api(routes.projects.list, { query: {} });
      times.push(performance.now() - began);
    }
    await end();
    const sorted = times.sort((one, other) => one - other);
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => sorted[Math.ceil(share * requests) - 1] ?? 0);
    rows[name] = `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms${p99 > lateMs ? " TOO LATE" : ""}`;
  }
  return rows;
}

/** Until it has begun. */
async function beginAttack(name: string, { url, key }: Served): Promise<() => Promise<void>> {
  if (!attackNames.includes(name)) return async () => {};
  const file = fileURLToPath(new URL("hostile-attacks.ts", import.meta.url));
  const attacker = spawn(process.execPath, [file, name, url, key], { stdio: ["ignore", "pipe", "inherit"] });
  await once(attacker.stdout, "data");
  return async () => {
    attacker.kill();
    await once(attacker, "exit");
  };
}
