// Whether the time of every exported function that takes text grows with its text and no faster: `npm run bench -- hostile-text`, and as part
// of `hostile`. Which functions those are is read from the sources (text-functions.ts); hostile-parsers.ts has those that need more than text.

import { pathToFileURL } from "node:url";
import { ratio, report } from "./figures.ts";
import { findTextFunctions, type Parameter, type TextFunction } from "./text-functions.ts";

const ratioMax = 2.5;
const firstLength = 64;
const longestLength = 131_072;
/** For what takes a few milliseconds with that. */
const fartherLength = 524_288;
/** Enough to see how it grows. */
const longMs = 120;
/** What is done in less, however long its text, is not looked at: the processor's caches decide there. */
const shortMs = 6;
const rounds = 7;

/** What parsers stumble over, again and again, with something else at the end. */
const alphabet = [
  ...['"', "'", '"\\', "\\", "[", "]", "{", "}", "(", ")", "[]", '{"a":', "[a](", "![]("],
  ...[" ", "\n", "\t", " \n", "\r\n", "`", "```\n", "~~~\n", "|", "| a |\n", "<", "<a ", "<!--", ">", "&amp;"],
  ...[
    "#",
    "# a\n",
    "*",
    "_",
    "- ",
    "- [ ] a\n",
    "1. ",
    "1",
    "0.",
    "a",
    "a ",
    "a,",
    "a. ",
    "A b\n",
    "a: ",
    "---\n",
    "--",
    ":",
    "=",
  ],
  ...[
    "/",
    "//",
    "/*",
    "@",
    "a@",
    "http://a",
    "https://a/ ",
    "?",
    "!",
    ".",
    "…",
    "$",
    "%",
    "\u001b",
    "\u001b[0",
    "\u0000",
    "\u200b",
  ],
  ...["\ud83d", "\ude00", "\ud83d\ude00", "\u0301", "é", "的"],
];

/** What these are given besides the text is ours. */
const ofOurs: readonly string[] = ["findBlocks"];

type Called = (...given: readonly unknown[]) => unknown;

export async function benchHostileText(): Promise<void> {
  const { called, needMore } = findTextFunctions();
  const grown: Record<string, string> = {};
  const notLoaded: string[] = [];
  for (const each of called.filter(({ name }) => !ofOurs.includes(name))) {
    const run = await load(each);
    if (run === null) notLoaded.push(each.file);
    else Object.assign(grown, measureFunction(each, run));
  }
  report("hostile: functions whose time grows faster than their text", {
    ...grown,
    "functions called": called.length - notLoaded.length,
    "that need more than text": needMore.length,
    "in modules for a browser": [...new Set(notLoaded)].length,
  });
}

async function load({ file, name }: TextFunction): Promise<Called | null> {
  try {
    const module: Record<string, unknown> = await import(pathToFileURL(file).href);
    return typeof module[name] === "function" ? (module[name] as Called) : null;
  } catch {
    return null;
  }
}

function measureFunction({ file, name, parameters }: TextFunction, run: Called): Record<string, string> {
  const seen = alphabet.map((shape) => ({ shape, ...grow((length) => callOnce(run, parameters, shape, length)) }));
  const worst = seen.reduce((one, other) => (other.times > one.times ? other : one));
  if (worst.times <= ratioMax) return {};
  const { shape, times, length, ms } = worst;
  const at = `${length.toLocaleString("en")} characters of ${JSON.stringify(shape)}, ${Math.round(ms)} ms`;
  return { [`${file} ${name}`]: `${times} TOO MUCH (${at})` };
}

type Grown = { readonly times: number; readonly length: number; readonly ms: number };

/**
 * Doubles the text until it takes long, then compares the last three lengths, again and again: what grows too fast does so each time and at
 * each step. At one step alone, it is the processor's caches or the collector.
 */
function grow(work: (length: number) => void): Grown {
  let length = firstLength;
  let ms = time(work, length);
  while (ms < longMs && length < (ms < shortMs ? longestLength : fartherLength)) {
    length *= 2;
    ms = time(work, length);
  }
  if (ms < shortMs) return { times: 0, length, ms };
  let times = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && times > ratioMax; round += 1) {
    const [whole, half, quarter] = [length, length / 2, length / 4].map((each) => Math.max(0.01, time(work, each)));
    times = Math.min(times, (whole ?? 0) / (half ?? 1), (half ?? 0) / (quarter ?? 1));
  }
  return { times: ratio(times, 1), length, ms };
}

/** Of the processor and of this thread: other work on the machine is not counted. */
function time(work: (length: number) => void, length: number): number {
  const before = process.threadCpuUsage();
  work(length);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const texts = new Map<string, string>();

function callOnce(run: Called, parameters: readonly Parameter[], shape: string, length: number): void {
  const key = `${length} ${shape}`;
  const text = texts.get(key) ?? `${shape.repeat(Math.ceil(length / shape.length))}x`;
  if (length > longestLength / 2) texts.set(key, text);
  try {
    run(...parameters.map((parameter) => standIn(parameter, text)));
  } catch {
    // Refused is as good as read: it is the time that counts.
  }
}

function standIn(parameter: Parameter, text: string): unknown {
  if (parameter === "text") return text;
  if (parameter === "texts") return [text];
  if (parameter === "number") return 1_000;
  return parameter === "flag" ? true : undefined;
}
