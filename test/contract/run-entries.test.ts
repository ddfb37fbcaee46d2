// What an iteration did, over HTTP: who did what with what, from when to when, what it cost, and what went wrong. The entries are
// written as engines write them.

import { expect, test } from "vitest";
import { type RunEntry, routes } from "../../src/protocol/api.ts";
import { allPages } from "../helpers/all-pages.ts";
import { makeHead } from "../helpers/make-entry.ts";
import { takenRun } from "../helpers/taken-run.ts";
import { testApp } from "../helpers/test-app.ts";

const app = await testApp({ maxConcurrentRuns: 50 });
const anna = await app.signUp("anna");
const runs = "/api/homework/runs";

async function entriesOf(runId: string, limit = 200): Promise<readonly RunEntry[]> {
  const url = `${runs}/${runId}/iterations/1`;
  return allPages(async ({ cursor }) => {
    const answer = await app.call("GET", `${url}?limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`, anna.session);
    return routes.runParts.entries.result.parse(answer.body);
  });
}

const platform = { kind: "platform", lane: { id: "platform", title: null } } as const;
const halls = { id: "exec:1", title: "Look at halls" };
const prices = { id: "exec:2", title: "Compare prices" };
const asksFor = (tool: string, args: unknown) => ({ text: "", toolCalls: [{ callId: "c", tool, args }], native: null });
const says = (text: string) => ({ text, toolCalls: [], native: { message: "what the provider wants back" } });

/** A planner, two executors side by side, and what the platform keeps for itself. */
async function playIteration() {
  const run = await takenRun(app, anna);
  await run.did("opening", "Opened the session", platform);
  await run.asked({ key: "llm:0", answer: asksFor("delegate", {}), did: "Asked for 1 tool call", cachedTokens: 600 });
  await run.asked({ key: "exec:1/llm:0", lane: halls, role: "executor", error: "529: overloaded" });
  await run.asked({
    ...{ key: "exec:1/llm:0", lane: halls, role: "executor", messages: 2 },
    ...{ answer: asksFor("write_note", { title: "Findings" }), did: "Asked for 1 tool call" },
  });
  await run.did("exec:1/tool:0.0", "Wrote the note “Findings”", {
    ...{ lane: halls, tool: "write_note", args: { title: "Findings", content: "x".repeat(9_000) } },
    result: { result: { tool: "write_note", outcome: { ok: true, text: "Wrote the note 17" } }, artifacts: [] },
  });
  await run.asked({
    ...{ key: "exec:2/llm:0", lane: prices, role: "executor", answer: says("Halls cost 300."), did: "Halls cost 300." },
  });
  const refusal = 'There is no tool "buy". Did you mean "search"?';
  await run.did("exec:1/tool:1.0", refusal, {
    ...{ lane: halls, tool: "buy", args: { hall: 1 }, error: refusal },
    result: { result: { tool: "buy", outcome: { ok: false, text: refusal } }, artifacts: [] },
  });
  await run.did("tool:0.0", "Sent 2 executors", { tool: "delegate", args: {} });
  return run;
}

const played = await playIteration();
const entries = await entriesOf(played.runId);
const only = (is: (entry: RunEntry) => boolean): RunEntry => {
  const [one, ...others] = entries.filter(is);
  if (one === undefined || others.length > 0) throw new Error("bug: not exactly one entry");
  return one;
};

test("entries come in the order in which they ended, each with its lane and its words", () => {
  expect(
    entries.map(({ lane, lane_title, kind, summary, is_error }) => [lane, lane_title, kind, summary, is_error]),
  ).toEqual([
    ["platform", null, "platform", "Opened the session", false],
    ["planner", null, "model", "Asked for 1 tool call", false],
    ["exec:1", "Look at halls", "model", "No answer: 529: overloaded", true],
    ["exec:1", "Look at halls", "model", "Asked for 1 tool call", false],
    ["exec:1", "Look at halls", "tool", "Wrote the note “Findings”", false],
    ["exec:2", "Compare prices", "model", "Halls cost 300.", false],
    ["exec:1", "Look at halls", "tool", 'There is no tool "buy". Did you mean "search"?', true],
    ["planner", null, "tool", "Sent 2 executors", false],
  ]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

test("a call of a model that failed says why, and what it cost all the same", () =>
  expect(only(({ kind, is_error }) => kind === "model" && is_error)).toMatchObject({
    key: "exec:1/llm:0",
    state: "done",
    role: "executor",
    model: "lab/model",
    error: "529: overloaded",
    result: null,
    calls: null,
    cost_micro_usd: 7,
  }));

test("a refused call is an entry with its tool, its arguments and the reason", () => {
  const refused = only(({ tool }) => tool === "buy");
  expect(refused).toMatchObject({ kind: "tool", is_error: true, args: JSON.stringify({ hall: 1 }, null, 2) });
  expect(refused.error).toBe(refused.result);
});

test("a call of a tool shows its text and the beginning of long arguments, and how long it took", () => {
  const noted = only(({ tool }) => tool === "write_note");
  expect(noted).toMatchObject({ result: "Wrote the note 17", error: null, is_cut: true, calls: null });
  expect(noted.args).toHaveLength(4_000);
  expect(Date.parse(noted.ended_at ?? "") - Date.parse(noted.began_at)).toBe(5);
});

test("an answer shows its words and the calls it asked for, and nothing of what its provider wants back", () => {
  const answer = only(({ key, is_error }) => key === "exec:1/llm:0" && !is_error);
  expect(answer).toMatchObject({ calls: 1, messages: 2, result: 'write_note {\n  "title": "Findings"\n}' });
  expect(only(({ key }) => key === "exec:2/llm:0")).toMatchObject({ calls: 0, result: "Halls cost 300." });
});

test("tokens from the cache are told by entry and in the sum of the run", async () => {
  expect(only(({ key }) => key === "llm:0")).toMatchObject({ tokens: 1_010, cached_tokens: 600, cost_micro_usd: 7 });
  const { body } = await app.call("GET", `${runs}/${played.runId}`, anna.session);
  expect(body.usage).toContainEqual(
    expect.objectContaining({ role: "planner", input_tokens: 1_000, cached_tokens: 600, output_tokens: 10 }),
  );
});

test("pages of any size bring the same", async () => expect(await entriesOf(played.runId, 2)).toEqual(entries));

test("what the outside world was asked for is under way, then done, or may have happened", async () => {
  const run = await takenRun(app, anna);
  const head = (key: string) => makeHead({ key, tool: "web_fetch", args: { url: "https://example.org" } });
  await run.store.intendEffect(run.lease, head("tool:0.0"));
  await run.store.intendEffect(run.lease, head("tool:0.1"));
  await run.store.intendEffect(run.lease, head("tool:0.2"));
  const result = { tool: "web_fetch", outcome: { ok: true, text: "A page" } };
  const done = { kind: "done", result, did: "Opened example.org", error: null } as const;
  await run.store.finishEffect(run.lease, head("tool:0.0"), done);
  await run.store.finishEffect(run.lease, head("tool:0.1"), { kind: "uncertain" });
  const effects = await entriesOf(run.runId);
  expect(effects.map(({ state, summary, is_error, result: text }) => [state, summary, is_error, text])).toEqual([
    ["done", "Opened example.org", false, "A page"],
    ["uncertain", "Interrupted: it may or may not have happened", true, null],
    ["intended", "In progress", false, null],
  ]);
  expect(effects.map(({ tool }) => tool)).toEqual(["web_fetch", "web_fetch", "web_fetch"]);
});

const pageText = (url: string, title: string) => `Address: ${url}\nTitle: ${title}\n\nTitle: Not this one`;

/** Opens two pages in an order of its own, fails to open others, searches, and has one under way. */
async function playReading() {
  const run = await takenRun(app, anna);
  const reach = async (key: string, tool: string, args: object, outcome: object, error: string | null = null) => {
    const head = makeHead({ key, tool, args });
    await run.store.intendEffect(run.lease, head);
    await run.store.finishEffect(run.lease, head, { kind: "done", result: { tool, outcome }, did: "", error });
    // Times are kept in milliseconds: what comes next began later.
    await app.admin.query("select pg_sleep(0.002)");
  };
  const open = (key: string, url: string, outcome: object, error: string | null = null) =>
    reach(key, "web_fetch", { url }, outcome, error);
  const page = (url: string, title: string) => ({ ok: true, text: pageText(url, title) });
  await open("tool:0.1", "https://halls.example/a#rent", page("https://halls.example/b", "Halls to rent"));
  const why = "The page was not read: the server answered 404.";
  await open("tool:0.0", "https://halls.example/gone", { ok: false, text: why }, why);
  await run.did("tool:1.0", "", {
    ...{ tool: "web_fetch", args: { url: "javascript:alert(1)" }, error: "must be a whole address", tookMs: 0 },
    result: { result: { tool: "web_fetch", outcome: { ok: false, text: "must be a whole address" } }, artifacts: [] },
  });
  const search = { ok: true, text: "1. Halls", foundUrls: ["https://halls.example/", "https://rooms.example/"] };
  await reach("exec:1/tool:0.0", "web_search", { query: "halls nearby" }, search);
  await run.did("tool:1.1", "Wrote a note", { tool: "write_note", args: { url: "https://other.example" } });
  await run.store.intendEffect(
    run.lease,
    makeHead({ key: "tool:2.0", tool: "web_fetch", args: { url: "https://slow.example/" } }),
  );
  return run;
}

test("the pages a run opened, those it could not open and its searches come in order, and nothing else", async () => {
  const { runId } = await playReading();
  const list = (limit: number) =>
    allPages(async ({ cursor }) => {
      const url = `${runs}/${runId}/sources?limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`;
      return routes.runParts.sources.result.parse((await app.call("GET", url, anna.session)).body);
    });
  const sources = await list(200);
  const shown = sources.map(({ kind, title, url, state, why, results }) => [kind, title, url, state, why, results]);
  expect(shown).toEqual([
    ["page", "Halls to rent", "https://halls.example/b", "opened", null, null],
    ["page", "", "https://halls.example/gone", "failed", "the server answered 404", null],
    ["page", "javascript:alert(1)", null, "failed", "must be a whole address", null],
    ["search", "halls nearby", null, "opened", null, 2],
    ["page", "", "https://slow.example/", "under_way", null, null],
  ]);
  expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
  expect(sources.every(({ iteration, at }) => iteration === 1 && !Number.isNaN(Date.parse(at)))).toBe(true);
  expect(await list(2)).toEqual(sources);
});

test("the pages of somebody else's run are not found", async () => {
  const cleo = await app.signUp("cleo");
  expect((await app.call("GET", `${runs}/${played.runId}/sources`, cleo.session)).status).toBe(404);
});

test("what has no known price has no cost, and what is under way has none yet", async () => {
  const run = await takenRun(app, anna);
  const insert = (key: string, state: string, pricedBy: string | null) =>
    app.admin.query(
      `insert into homework.llm_usage_logs (call_id, run_id, user_id, iteration, entry_key, role, model, state, reserved_micro_usd,
         priced_by, settled_at, lane)
       values (gen_random_uuid(), $1, $2, 1, $3, 'judge', 'lab/model', $4, 0, $5, case when $4 <> 'reserved' then now() end, 'judge')`,
      [run.runId, anna.id, key, state, pricedBy],
    );
  await insert("judge:a", "settled", "free");
  await insert("judge:b", "settled", "unpriced");
  await insert("judge:c", "reserved", null);
  const judged = await entriesOf(run.runId);
  expect(judged.map(({ key, lane, cost_micro_usd }) => [key, lane, cost_micro_usd]).toSorted()).toEqual([
    ["judge:a", "judge", 0],
    ["judge:b", "judge", null],
    ["judge:c", "judge", null],
  ]);
});

test("an iteration that is not there, and one of somebody else's run, are not found", async () => {
  const ben = await app.signUp("ben");
  expect((await app.call("GET", `${runs}/${played.runId}/iterations/7`, anna.session)).status).toBe(404);
  expect((await app.call("GET", `${runs}/${played.runId}/iterations/1`, ben.session)).status).toBe(404);
});
