import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Instant } from "../lib/env.ts";
import type { AskJournal } from "./ask-model.ts";
import { findObject } from "./find-object.ts";
import type { ModelRequest, Models } from "./model.ts";
import { demoRef } from "./model-id.ts";
import { freeUsage } from "./outcome.ts";
import { askForObject, readObject, sayProblems } from "./structured.ts";

describe("the object is found", () => {
  const check = (text: string, value: unknown) => expect(findObject(text)).toEqual({ kind: "found", value });
  test("bare", () => check('{"a": 1}', { a: 1 }));
  test("fenced", () => check('Here it is:\n```json\n{"a": {"b": [1]}}\n```\nGood luck!', { a: { b: [1] } }));
  test("with words around it", () => check('I think {"a": 1} is best.', { a: 1 }));
  test("with braces and quotes inside its strings", () => check('{"a": "} \\" { \\\\"}', { a: '} " { \\' }));
  test("the last one, where there are several", () => check('First {"a": 1}, no: {"a": 2}', { a: 2 }));
  test("with a comma too many", () => check('{"a": [1, 2,], "b": "x,}",\n}', { a: [1, 2], b: "x,}" }));
  test("with comments", () =>
    check('{"a": 1, // one {of them\n /* " */ "b": "http://x//y"}', { a: 1, b: "http://x//y" }));
  test("past an address in braces", () => check('{"a": 1} (see {http://x})', { a: 1 }));
  test("past a path in braces in which a comment seems to begin", () =>
    check('I looked at {src/*.ts}.\n{"a": 1}', { a: 1 }));
  test("past words in braces", () => check('{"a": 1} (see {notes})', { a: 1 }));
});

describe("none is found", () => {
  const check = (text: string, why: RegExp) =>
    expect(findObject(text)).toMatchObject({ kind: "none", why: expect.stringMatching(why) });
  test("where there is none", () => check("I cannot do that.", /no JSON object/));
  test("where it broke off, however much of it is whole", () =>
    check('{"plan": {"a": 1}, "steps": [{"b": 2}', /closed/));
  test("where it broke off within a string", () => check('{"plan": "measure {the} wall', /closed/));
  test("where a whole one comes before the one that broke off", () => check('{"a": 1} or rather {"a": 2', /closed/));
  test("where the last one is not JSON, although an earlier one is", () => check('{"a": 1} {"a": 2 2}', /not JSON/));
});

prop.prop([fc.dictionary(fc.string(), fc.jsonValue()), fc.nat()])("nothing cut off is ever taken", (object, at) => {
  const text = JSON.stringify(object);
  expect(findObject(text)).toMatchObject({ kind: "found" });
  expect(findObject(text.slice(0, at % text.length)).kind).toBe("none");
});

test("problems are said with their place, a line each, and not without end", () => {
  const schema = z.object({ steps: z.array(z.object({ title: z.string() })), why: z.string().min(1) });
  expect(readObject('{"steps": [{"title": "a"}, {"title": 7}], "why": ""}', schema)).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^- steps\[1\]\.title: .*expected string.*\n- why: /),
  });
  const many = z.array(z.string()).safeParse(Array.from({ length: 40 }, () => 1));
  expect(many.error && sayProblems(many.error).split("\n")).toHaveLength(13);
});

/** A journal that remembers, and models that say these things one after the other. */
function world(answers: readonly string[]) {
  const requests: ModelRequest[] = [];
  const kept = new Map<string, unknown>();
  const models: Models = {
    chainOf: () => [demoRef],
    isPriced: () => true,
    reservationOf: () => 0,
    call: async (_model, request) => {
      const text = answers[requests.length] ?? expect.fail("asked too often");
      requests.push(request);
      return { kind: "answered", answer: { text, toolCalls: [], native: null }, usage: freeUsage };
    },
  };
  const journal: AskJournal = {
    signal: new AbortController().signal,
    ask: async (call, ask) => {
      if (kept.has(call.key)) return kept.get(call.key) as never;
      const { result, isKept } = await ask("id", new AbortController().signal, () => {});
      if (isKept) kept.set(call.key, result);
      return result;
    },
  };
  return { models, journal, requests, kept };
}

const request: ModelRequest = {
  role: "planner",
  system: "",
  messages: [{ role: "user", text: "Plan." }],
  tools: [],
  format: "json",
  maxOutputTokens: 100,
  cacheKey: "test",
  view: null,
};
const schema = z.object({ next: z.string() });

function ask({ models, journal }: ReturnType<typeof world>) {
  const env = { now: () => 0 as Instant, sleep: async () => {} };
  return askForObject({ models, journal, env, key: "plan", request, schema, describe: (why) => `Again: ${why}` });
}

test("what fits is taken", async () => {
  expect(await ask(world(['{"next": "measure"}']))).toMatchObject({ kind: "object", object: { next: "measure" } });
});

test("what does not fit goes back with the reason, under a key of its own", async () => {
  const told = world(['{"next": 7}', 'Sorry: {"next": "measure"}']);
  expect(await ask(told)).toMatchObject({ kind: "object", object: { next: "measure" } });
  expect(told.requests[1]?.messages.slice(1)).toEqual([
    { role: "assistant", text: '{"next": 7}', toolCalls: [], native: null },
    { role: "user", text: expect.stringMatching(/^Again: - next: /) },
  ]);
  expect([...told.kept.keys()]).toEqual(["plan", "plan/again:1"]);
});

test("after the third try it is malformed", async () => {
  const told = world(["no", "no", "no"]);
  expect(await ask(told)).toMatchObject({ kind: "malformed", why: expect.stringContaining("no JSON object") });
  expect([...told.kept.keys()]).toEqual(["plan", "plan/again:1", "plan/again:2"]);
});

test("asked a second time, the journal answers and nobody is asked", async () => {
  const told = world(['{"next": 7}', '{"next": "measure"}']);
  const first = await ask(told);
  expect(await ask(told)).toEqual(first);
  expect(told.requests).toHaveLength(2);
});
