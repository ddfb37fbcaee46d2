// The search providers we know: how each is asked and what its answer looks like. Keys go into headers only and never into a
// text; what a provider says about an error is not passed on.

import { z } from "zod";
import { readJson } from "../../lib/json.ts";

export type Found = { readonly title: string; readonly url: string; readonly about: string };

export type SearchAnswer =
  | { readonly kind: "found"; readonly found: readonly Found[] }
  | { readonly kind: "failed"; readonly why: string };

export type SearchProvider = {
  readonly name: "brave" | "tavily" | "searxng";
  readonly search: (query: string, count: number, signal: AbortSignal) => Promise<SearchAnswer>;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export const resultsMax = 10;
const searchMs = 15_000;
/** Ten results take some 20 kB. */
const answerBytesMax = 1_000_000;

const text = z.string().catch("");
const results = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.slice(0, 50));

type Asking = {
  readonly name: SearchProvider["name"];
  readonly request: (query: string, count: number) => { readonly url: string; readonly init: RequestInit };
  readonly resultsIn: z.ZodType<readonly unknown[]>;
  readonly result: z.ZodType<Found>;
  readonly hint: Readonly<Record<number, string>>;
};

const plainAnswer = {
  resultsIn: z.object({ results }).transform((answer) => answer.results),
  result: z
    .object({ title: text, url: z.string(), content: text })
    .transform(({ title, url, content }) => ({ title, url, about: content })),
};

export function braveSearch(key: string, fetch: Fetch, base = "https://api.search.brave.com"): SearchProvider {
  return makeProvider(fetch, {
    name: "brave",
    request: (query, count) => ({
      url: `${base}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
      init: { headers: { Accept: "application/json", "X-Subscription-Token": key } },
    }),
    resultsIn: z.object({ web: z.object({ results }).optional() }).transform(({ web }) => web?.results ?? []),
    result: z
      .object({ title: text, url: z.string(), description: text })
      .transform(({ title, url, description }) => ({ title, url, about: description })),
    hint: { 401: "its key is not accepted", 422: "its key is not accepted" },
  });
}

export function tavilySearch(key: string, fetch: Fetch, base = "https://api.tavily.com"): SearchProvider {
  return makeProvider(fetch, {
    name: "tavily",
    request: (query, count) => ({
      url: `${base}/search`,
      init: {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, max_results: count, search_depth: "basic" }),
      },
    }),
    ...plainAnswer,
    hint: { 401: "its key is not accepted", 432: "its quota is used up" },
  });
}

/** `base` is the operator's own server, so it may well be on this machine. */
export function searxngSearch(base: string, fetch: Fetch): SearchProvider {
  return makeProvider(fetch, {
    name: "searxng",
    request: (query) => ({
      url: `${base.replace(/\/+$/, "")}/search?${new URLSearchParams({ q: query, format: "json" })}`,
      init: { headers: { Accept: "application/json" } },
    }),
    ...plainAnswer,
    hint: { 403: "it does not answer in JSON; its operator has to allow the format json" },
  });
}

function makeProvider(fetch: Fetch, asking: Asking): SearchProvider {
  const search: SearchProvider["search"] = async (query, count, signal) => {
    const { url, init } = asking.request(query, count);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(searchMs)]);
    const answer = await ask(fetch, url, { ...init, signal: deadline, redirect: "error" });
    if (typeof answer === "number") return failed(asking.hint[answer] ?? `it answered with HTTP status ${answer}`);
    const listed = answer === null ? null : asking.resultsIn.safeParse(answer.json);
    if (listed === null) return failed(deadline.aborted ? "it took too long" : "it could not be reached");
    if (!listed.success) return failed("its answer could not be read");
    const found = listed.data.flatMap((entry) => asking.result.safeParse(entry).data ?? []);
    return { kind: "found", found };
  };
  return { name: asking.name, search };
}

const failed = (why: string): SearchAnswer => ({ kind: "failed", why });

/** The status where it is not a good one, null where there was no answer at all. */
async function ask(fetch: Fetch, url: string, init: RequestInit): Promise<{ readonly json: unknown } | number | null> {
  try {
    const response = await fetch(url, init);
    if (!response.ok) {
      await response.body?.cancel();
      return response.status;
    }
    return { json: readJson(await readWhole(response)) };
  } catch {
    return null; // refused, cut, too late: the caller says which, and asking again is the model's to decide
  }
}

/** Throws where there is more than the limit: half an answer is of no use. */
async function readWhole(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > answerBytesMax) throw new Error(`more than ${answerBytesMax} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
