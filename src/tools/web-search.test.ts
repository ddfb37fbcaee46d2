import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { noReader, startCanary, type WebCanary } from "../../test/helpers/web-canary.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";
import { systemDial } from "./web/dial.ts";
import { braveSearch, type SearchProvider, searxngSearch, tavilySearch } from "./web/search-provider.ts";
import { makeWebSearch } from "./web-search.ts";
import { makeWebTools, type WebSettings } from "./web-tools.ts";

const key = "s3cret-key";
let server: WebCanary;
let asked: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string; readonly url: string }[] = [];
let answer: { readonly status: number; readonly body: string; readonly location?: string };

beforeAll(async () => {
  server = await startCanary((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      asked.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), url: request.url ?? "" });
      response.writeHead(answer.status, answer.location ? { Location: answer.location } : {}).end(answer.body);
    });
  });
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

const base = () => server.url("", "127.0.0.1");
const get = (url: string, init: RequestInit) => fetch(url, { ...init, keepalive: false });

function search(provider: SearchProvider, args = { query: "repair café", count: 10 }): Promise<ToolOutcome> {
  const tool = makeWebSearch({ provider, isTrusted: false });
  if (tool.kind !== "outside") throw new Error("reaches outside");
  return tool.act({} as ToolContext, args, { idempotencyKey: "k", signal: new AbortController().signal });
}

const found = (field: string) => [
  {
    title: "One <strong>café</strong>",
    url: "https://One.example/a#b",
    [field]: "About\u200b one\nhttps://evil.example/?x",
  },
  { title: "Two", url: "javascript:alert(1)", [field]: "" },
  { title: "Three", url: "https://one.example/a", [field]: "the same page" },
  { title: 4, url: "https://four.example/", [field]: null },
  "nonsense",
];

const providers: readonly (readonly [string, () => SearchProvider, unknown])[] = [
  ["Brave", () => braveSearch(key, get, base()), { web: { results: found("description") } }],
  ["Tavily", () => tavilySearch(key, get, base()), { results: found("content") }],
  ["SearXNG", () => searxngSearch(`${base()}/`, get), { results: found("content") }],
];

describe.each(providers)("%s", (_name, provider, results) => {
  test("returns results whose addresses can be opened, each once, and nothing hidden", async () => {
    answer = { status: 200, body: JSON.stringify(results) };
    const outcome = await search(provider());
    expect(outcome).toMatchObject({
      ok: true,
      isUntrusted: true,
      text:
        "1. One café\n   https://one.example/a\n   About one https://evil.example/?x\n\n" +
        "2. (no title)\n   https://four.example/",
    });
  });

  test("vouches for the addresses of results only, not for those in their text", async () => {
    answer = { status: 200, body: JSON.stringify(results) };
    expect(await search(provider())).toMatchObject({
      foundUrls: ["https://one.example/a", "https://four.example/"],
    });
  });

  test.each([
    [401, "", "The search did not work"],
    [500, "s3cret-key is wrong", "HTTP status 500"],
    [200, "<html>", "could not be read"],
    [200, "x".repeat(1_100_000), "could not be reached"],
  ])("that answers %i with something else is unavailable, in our words", async (status, body, words) => {
    answer = { status, body };
    const outcome = await search(provider());
    expect(outcome).toMatchObject({ ok: false, code: "unavailable", text: expect.stringContaining(words) });
    expect(outcome.text).not.toContain("s3cret");
  });

  test("is not followed elsewhere, with or without the key", async () => {
    answer = { status: 302, body: "", location: "/elsewhere" };
    expect(await search(provider())).toMatchObject({ ok: false });
    expect(asked).toHaveLength(1);
  });
});

test("Brave and Tavily get their key in a header and never in the address", async () => {
  answer = { status: 200, body: "{}" };
  await search(braveSearch(key, get, base()));
  await search(tavilySearch(key, get, base()));
  expect(asked.map(({ headers }) => [headers["x-subscription-token"], headers.authorization])).toEqual([
    [key, undefined],
    [undefined, `Bearer ${key}`],
  ]);
  expect(asked.map(({ url }) => url).join()).not.toContain(key);
  expect(asked[0]?.url).toBe("/res/v1/web/search?q=repair+caf%C3%A9&count=10");
  expect(JSON.parse(asked[1]?.body ?? "")).toMatchObject({ query: "repair café", max_results: 10 });
});

test("no more results are returned than were asked for", async () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    title: "x",
    url: `https://a.example/${index}`,
    content: "",
  }));
  answer = { status: 200, body: JSON.stringify({ results: many }) };
  const outcome = await search(searxngSearch(base(), get), { query: "x", count: 3 });
  expect(outcome.ok && outcome.foundUrls).toHaveLength(3);
});

describe("which tools there are", () => {
  const none: WebSettings = {
    webFetch: false,
    webPorts: null,
    braveApiKey: null,
    tavilyApiKey: null,
    searxngUrl: null,
    isSearchTrusted: false,
  };
  const make = (settings: Partial<WebSettings>) =>
    makeWebTools({ settings: { ...none, ...settings }, dial: systemDial(), fetch: get, reader: noReader });
  const destination = (settings: Partial<WebSettings>) => {
    const { webSearch } = make(settings);
    return webSearch?.kind === "outside" ? webSearch.destination({}) : null;
  };

  test("none, where nothing is configured", () => {
    expect(make({})).toEqual({ webFetch: null, webSearch: null });
  });
  test("one for pages", () => {
    expect(make({ webFetch: true }).webFetch?.name).toBe("web_fetch");
  });
  test("one for searching, with the first provider that is configured", () => {
    expect(destination({ searxngUrl: "http://a.example" })).toBe("search:searxng");
    expect(destination({ searxngUrl: "http://a.example", tavilyApiKey: "t" })).toBe("search:tavily");
    expect(destination({ tavilyApiKey: "t", braveApiKey: "b" })).toBe("search:brave");
  });
  test("whose queries count as sending, unless the operator trusts the provider", () => {
    expect(make({ braveApiKey: "b" }).webSearch?.tags).toEqual(["untrusted", "egress"]);
    expect(make({ braveApiKey: "b", isSearchTrusted: true }).webSearch?.tags).toEqual(["untrusted"]);
  });
});
