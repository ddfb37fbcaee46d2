// One process that takes pages apart, from its start to its end: started with an empty environment and a limit on memory, given one page at a
// time, ended when it is late. What it says is checked like anything from outside.

import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isTooMuch } from "./too-much.ts";

export type ReadablePage = {
  readonly title: string;
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
  /** False: it could not be taken apart, and the text is all that stood between tags. */
  readonly isParsed: boolean;
};

export type HelperLimits = {
  /** Time of the processor for one page. */
  readonly parseMs: number;
  /** Of the heap; the process as a whole may take twice as much. */
  readonly memoryMb: number;
  /** How long a page is waited for. */
  readonly clockMs?: number;
};

export type PageHelper = {
  readonly pid: number | undefined;
  /** After anything but a page it takes no other: the page was too much for it, or it was lost for another reason. */
  readonly parse: (html: string, url: string) => Promise<ReadablePage | "too_much" | "lost">;
  readonly end: () => Promise<void>;
};

const program = fileURLToPath(new URL("../../../bin/read-pages.js", import.meta.url));
/** It loads in half a second; on a busy machine it takes its time. */
const startMs = 60_000;
/** The process ends itself by time of the processor; this is for one that is stopped or gets no turn at all. */
const usualClockMs = 60_000;

const answer = z.object({
  kind: z.literal("page"),
  page: z.object({
    title: z.string(),
    text: z.string(),
    links: z.array(z.object({ text: z.string(), url: z.string() })),
    isParsed: z.boolean(),
  }),
});

/** Rejects where it cannot be started. */
export async function startPageHelper({
  parseMs,
  memoryMb,
  clockMs = usualClockMs,
}: HelperLimits): Promise<PageHelper> {
  const child = fork(program, [process.pid, parseMs, memoryMb * 2].map(String), {
    execArgv: [`--max-old-space-size=${memoryMb}`, "--permission", "--allow-fs-read=*", "--allow-worker"],
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  child.on("error", () => {}); // its end follows
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => child.pid === undefined && resolve());
  });
  const end = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  if ((await hear(child, ended, startMs)) === null) {
    await end();
    throw new Error("the process that takes pages apart did not start");
  }
  sacrificeFirst(child);
  setWaiting(child);
  return { pid: child.pid, parse: (html, url) => parse({ child, ended, end, clockMs }, { html, url }), end };
}

type Helper = Pick<PageHelper, "end"> & {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  readonly clockMs: number;
};

async function parse(
  { child, ended, end, clockMs }: Helper,
  page: object,
): Promise<ReadablePage | "too_much" | "lost"> {
  child.ref();
  child.channel?.ref();
  const heard = hear(child, ended, clockMs);
  child.send(page, () => {}); // a failure is followed by its end
  const said = answer.safeParse(await heard);
  if (!said.success) {
    await end();
    return isTooMuch(child.signalCode) ? "too_much" : "lost";
  }
  setWaiting(child);
  return said.data.page;
}

/** What it says next; null where it ended, or said nothing in time. */
function hear(child: ChildProcess, ended: Promise<void>, ms: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (heard: unknown) => {
      clearTimeout(timer);
      child.removeListener("message", settle);
      resolve(heard);
    };
    const timer = setTimeout(() => settle(null), ms);
    child.once("message", settle);
    void ended.then(() => settle(null));
  });
}

/** An idle helper does not keep its parent from ending. */
function setWaiting(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Where the machine runs out of memory, the system ends this process before the server. */
function sacrificeFirst({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // Only Linux has it, and some containers do not let it be set.
  }
}
