// What a page says, as text. Parsing strangers' markup can take minutes if they want it to, so it happens in a thread of its
// own that is ended when its time is up; then the text without its tags has to do.

import { Worker } from "node:worker_threads";
import { z } from "zod";
import { stripTags } from "./strip-tags.ts";

export type ReadablePage = {
  readonly title: string;
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
  /** False: it could not be taken apart, and the text is all that stood between tags. */
  readonly isParsed: boolean;
};

export type ReadPage = (html: string, url: string) => Promise<ReadablePage>;

/** Each may take a processor and the memory below. */
const atOnceMax = 2;
/** Pages that come after these are given as plain text at once. */
const waitingMax = 50;
/** Pages of 2 MB need about half of it. */
const memoryMaxMb = 256;

const parsed = z.object({
  title: z.string(),
  text: z.string(),
  links: z.array(z.object({ text: z.string(), url: z.string() })),
});

export function makePageReader(parseMs: number): ReadPage {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return async (html, url) => {
    if (busy >= atOnceMax && waiting.length >= waitingMax) return plain(html);
    if (busy >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return (await parseApart(html, url, parseMs)) ?? plain(html);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

const plain = (html: string): ReadablePage => ({ ...stripTags(html), links: [], isParsed: false });

/** Null where the thread ran out of time or memory, or stumbled. */
function parseApart(html: string, url: string, parseMs: number): Promise<ReadablePage | null> {
  const worker = new Worker(new URL("./parse-page-thread.ts", import.meta.url), {
    workerData: { html, url },
    env: {},
    execArgv: [],
    stderr: true,
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
  });
  return new Promise((resolve) => {
    let answer: ReadablePage | null = null;
    const timer = setTimeout(() => void worker.terminate(), parseMs);
    worker.once("message", (message: unknown) => {
      const result = parsed.safeParse(message);
      answer = result.success ? { ...result.data, isParsed: true } : null;
      void worker.terminate();
    });
    worker.on("error", () => {}); // the exit follows
    worker.once("exit", () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}
