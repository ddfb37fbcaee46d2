// The tool that asks a search provider. The provider and its address come from the settings only; without one there is no tool.
// A query carries words of the run's choosing, so it counts as sending, unless the operator trusts the provider with them.

import { z } from "zod";
import { visibleText } from "../domain/policy/fence-text.ts";
import { normalUrl } from "../domain/policy/web-address.ts";
import { outsideTool, refuse, type Tool } from "./tool.ts";
import { type Found, resultsMax, type SearchProvider } from "./web/search-provider.ts";

export type SearchSettings = {
  readonly provider: SearchProvider;
  /** The operator has said that a run may tell the provider anything it knows. */
  readonly isTrusted: boolean;
};

const [titleMax, aboutMax] = [200, 500];

export function makeWebSearch({ provider, isTrusted }: SearchSettings): Tool {
  return outsideTool({
    name: "web_search",
    description:
      "Searches the web and returns titles, addresses and short descriptions; open one with web_fetch. " +
      "What it returns was written by strangers.",
    args: z.object({
      query: z.string().trim().min(1).max(400).describe("What to look for, as one would type it."),
      count: z.int().min(1).max(resultsMax).default(resultsMax).describe("How many results."),
    }),
    tags: isTrusted ? ["untrusted"] : ["untrusted", "egress"],
    stage: 1,
    isRepeatable: true,
    destination: () => `search:${provider.name}`,
    act: async (_context, { query, count }, { signal }) => {
      const answer = await provider.search(query, count, signal);
      if (answer.kind === "failed") return refuse("unavailable", `The search did not work: ${answer.why}.`);
      const found = usable(answer.found).slice(0, count);
      const text = found.length === 0 ? "No results." : found.map(lineOf).join("\n\n");
      const summary = `searched the web: ${found.length} results`;
      return { ok: true, text, artifacts: [], summary, isUntrusted: true, foundUrls: found.map(({ url }) => url) };
    },
  });
}

/** Results whose address is a plain one, each address once. */
function usable(found: readonly Found[]): readonly Found[] {
  const byUrl = new Map<string, Found>();
  for (const entry of found) {
    const url = normalUrl(entry.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, { ...entry, url });
  }
  return [...byUrl.values()];
}

function lineOf({ title, url, about }: Found, index: number): string {
  return `${index + 1}. ${oneLine(title, titleMax) || "(no title)"}\n   ${url}\n   ${oneLine(about, aboutMax)}`.trimEnd();
}

function oneLine(text: string, max: number): string {
  return visibleText(text)
    .replaceAll(/<\/?[a-z]{1,10}>/gi, "") // providers mark what was found with <strong>
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, max);
}
