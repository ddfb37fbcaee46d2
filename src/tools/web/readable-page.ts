// What a page says, as text. Taking strangers' markup apart can take all the time and memory there is, so it happens in processes of their
// own, kept warm, ended and replaced when a page is too much for them. Such a page is remembered for a while and not tried again.

import type { KilledPages } from "./killed-pages.ts";
import { type HelperLimits, type PageHelper, type ReadablePage, startPageHelper } from "./page-helper.ts";

/** `killer`: it took more than a page may, now or lately. `busy`: nothing is wrong with the page. */
export type PageRead =
  | { readonly kind: "page"; readonly page: ReadablePage }
  | { readonly kind: "killer" }
  | { readonly kind: "busy" };

export type PageReader = {
  readonly read: (html: string, url: string) => Promise<PageRead>;
  /** The processes that are alive, for tests and figures. */
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

/** Each may take a processor and the memory below. */
const atOnceMax = 2;
const waitingMax = 50;
/** Then it is replaced, so that nothing adds up over weeks. */
const pagesPerHelper = 200;
/** Pages of 2 MB need about half of it. */
export const helperMemoryMb = 256;

type Kept = { readonly helper: PageHelper; pages: number };

export function openPageReader(limits: HelperLimits, killed: KilledPages): PageReader {
  const idle: Kept[] = [];
  const alive = new Set<PageHelper>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let isClosed = false;

  async function take(): Promise<Kept | null> {
    const kept = idle.pop();
    if (kept) return kept;
    const helper = await startPageHelper(limits).catch(() => null);
    if (helper === null) return null;
    alive.add(helper);
    if (!isClosed) return { helper, pages: 0 };
    await drop(helper);
    return null;
  }

  async function drop(helper: PageHelper): Promise<void> {
    alive.delete(helper);
    await helper.end();
  }

  async function readWith(kept: Kept, html: string, url: string): Promise<PageRead> {
    const page = await kept.helper.parse(html, url);
    kept.pages += 1;
    const isPage = typeof page === "object";
    if (!isPage || isClosed || kept.pages >= pagesPerHelper) await drop(kept.helper);
    else idle.push(kept);
    if (isPage) return { kind: "page", page };
    // A machine that is short of time or memory says nothing about the page.
    if (isClosed || page === "lost") return { kind: "busy" };
    killed.add(html);
    return { kind: "killer" };
  }

  async function read(html: string, url: string): Promise<PageRead> {
    if (killed.has(html)) return { kind: "killer" };
    if (isClosed || (busy >= atOnceMax && waiting.length >= waitingMax)) return { kind: "busy" };
    if (busy >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      // Another run may have read the same page while this one was waiting.
      if (killed.has(html)) return { kind: "killer" };
      const kept = isClosed ? null : await take();
      return kept === null ? { kind: "busy" } : await readWith(kept, html, url);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  return {
    read,
    pids: () => [...alive].flatMap(({ pid }) => pid ?? []),
    close: async () => {
      isClosed = true;
      await Promise.all([...alive].map(drop));
    },
  };
}
