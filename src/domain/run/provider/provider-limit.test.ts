import { expect, test } from "vitest";
import { type AgentSpeech, type EndingFacts, endingOf } from "./provider-limit.ts";

const failed: EndingFacts = {
  exitCode: 1,
  wasTimedOut: false,
  hasGoodResult: false,
  hasClaim: false,
  limitEvent: null,
  providerStatus: null,
  speech: [],
};
const notice = "You have hit your 5-hour usage limit. It resets at 9pm.";
const agent = (...texts: readonly string[]): AgentSpeech[] => texts.map((text) => ({ by: "agent", text }));
const check = (facts: Partial<EndingFacts>, expected: string) =>
  expect(endingOf({ ...failed, ...facts })).toBe(expected);

test("a result and exit code 0 are well", () => check({ exitCode: 0, hasGoodResult: true }, "well"));
test("exit code 0 alone is not", () => check({ exitCode: 0 }, "error"));
test("what it said about limits does not matter if it ended well", () =>
  check({ exitCode: 0, hasGoodResult: true, speech: agent(notice) }, "well"));
test("a request that was rejected is a limit, whatever the exit code", () => {
  for (const exitCode of [0, 1, 124, null]) check({ exitCode, limitEvent: "rejected", hasGoodResult: true }, "limit");
});
test.each([429, 503, 529])("status %d of the provider is a limit", (providerStatus) =>
  check({ providerStatus }, "limit"),
);
test.each([400, 401, 500])("status %d of the provider is none", (providerStatus) => check({ providerStatus }, "error"));

test.each([
  [notice],
  ["Claude usage limit reached"],
  ["You're out of extra usage · resets 9pm"],
  ["429 Too Many Requests"],
  ["API error: status 429"],
  ["Rate limit exceeded, try again in 20s"],
  ["Quota exceeded. Check your plan."],
])("%j as its last words is a limit", (text) => check({ speech: agent("I begin.", text) }, "limit"));

test.each([
  ["see line 429"],
  ["added @upstash/ratelimit"],
  ["The rate limit middleware is tested"],
  ["error 4290 at start"],
  [`I wrote a page. ${"It explains much. ".repeat(30)} Requests answer that the rate limit exceeded.`],
])("%j is no limit", (text) => check({ speech: agent(text) }, "error"));

test("the words of a tool are not the provider's", () => check({ speech: [{ by: "tool", text: notice }] }, "error"));
test("a limit it has got over is none", () => check({ speech: agent(notice, "Going on.", "Broken.") }, "error"));
test("a tool's output between does not make its last words old", () =>
  check({ speech: [...agent(notice), { by: "tool", text: "x" }, ...agent("Ending.")] }, "limit"));
test("silence is a timeout", () => check({ wasTimedOut: true, exitCode: null }, "timeout"));
test("exit code 124 is a timeout", () => check({ exitCode: 124, speech: [{ by: "tool", text: notice }] }, "timeout"));
test("silence after a limit is the limit", () => check({ wasTimedOut: true, speech: agent(notice) }, "limit"));
test("who was let through is not limited", () => check({ limitEvent: "allowed", speech: agent(notice) }, "error"));
test("who claims to be done was not kept from working", () =>
  check({ hasClaim: true, speech: agent(notice) }, "error"));
