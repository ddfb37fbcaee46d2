// What a run read on the web, as people look at it: every page and every search once, however often the run came back to it.

import { type RunSource, routes } from "./api.ts";
import type { Api } from "./client.ts";
import { limits } from "./kinds.ts";

/** One page or search, with the iterations in which it was opened or made. */
export type ReadSource = Pick<RunSource, "kind" | "title" | "url" | "state" | "why" | "results" | "at"> & {
  /** Of its first time. */
  readonly id: string;
  readonly host: string;
  readonly iterations: readonly number[];
  readonly times: number;
};

/** More than a run's limits allow for. */
const sourcesMax = 5_000;

export async function readSources(api: Api, runId: string): Promise<readonly RunSource[]> {
  const readPage = (cursor?: string) =>
    api(routes.runParts.sources, {
      params: { runId },
      query: { limit: limits.pageMax, ...(cursor === undefined ? {} : { cursor }) },
    });
  let page = await readPage();
  const sources = [...page.items];
  while (page.next_cursor !== null && sources.length < sourcesMax) {
    page = await readPage(page.next_cursor);
    sources.push(...page.items);
  }
  return sources;
}

/** In the order of their first time. A page that was opened once counts as opened, whatever came of other times. */
export function groupSources(sources: readonly RunSource[]): readonly ReadSource[] {
  const byKey = Map.groupBy(sources, ({ kind, url, title }) => `${kind} ${url ?? title}`);
  return [...byKey.values()].flatMap((times) => {
    const [first] = times;
    if (first === undefined) return [];
    const best = times.findLast(({ state }) => state === "opened") ?? times.at(-1) ?? first;
    return [
      {
        ...best,
        id: first.id,
        at: first.at,
        host: best.url === null ? "" : new URL(best.url).host,
        iterations: [...new Set(times.map(({ iteration }) => iteration))],
        times: times.length,
      },
    ];
  });
}

/** The pages that a run has really read. */
export const listOpened = (sources: readonly RunSource[]): readonly ReadSource[] =>
  groupSources(sources).filter(({ kind, state }) => kind === "page" && state === "opened");
