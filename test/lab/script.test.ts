// Whole sessions with tools, scripted once and played on every protocol through the SDKs.

import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import type { LabMode } from "./lab-mode.ts";
import { ask, post, rawLab, resultsFor, sdkModel } from "./raw-lab.ts";
import { callTool, playTurns, readResults } from "./script.ts";

const { open } = rawLab();
const first: ModelMessage = { role: "user", content: "Measure the shelf." };

/** Two calls at once with text, one call that follows from their results, an answer that follows from its. */
const session = playTurns(
  {
    reasoning: [{ text: "Two sides." }],
    text: "I note both.",
    toolCalls: [callTool("note", { text: "a" }), callTool("note", { text: "b" })],
  },
  (request) => ({
    reasoning: [{ text: "Now the sum." }],
    toolCalls: [callTool("note", { text: `${readResults(request).length} results` })],
  }),
  (request) => ({ text: `It said: ${readResults(request).map(({ name, text }) => `${name}: ${text}`)}` }),
);

const everyMode: readonly LabMode[] = [
  { mode: "claude-bound" },
  { mode: "claude-strict" },
  { mode: "claude-omitted", silenceMs: 1 },
  { mode: "openai-stateless" },
  { mode: "gemini-sign" },
  { mode: "openrouter-details" },
  { mode: "deepseek-reasoning" },
  { mode: "roles-alternate" },
  { mode: "cache-meter" },
];

const players = [
  ["anthropic", "claude-sonnet-5-5"],
  ["openai", "gpt-6.1-sol"],
  ["google", "gemini-3.8-flash"],
  ["openrouter", "anthropic/claude-sonnet-5.5"],
  ["openrouter", "google/gemini-3.8-flash"],
  ["openai-compatible", "house-model"],
] as const;

describe.each(players)("%s %s", (provider, name) => {
  test.each([
    ["friendly", []],
    ["with all that its provider insists on", everyMode],
  ])("plays the session, %s", async (_how, modes) => {
    const lab = await open({ script: session, modes });
    const model = sdkModel(lab, provider, name);
    let messages: ModelMessage[] = [first];
    for (const expected of [2, 1]) {
      const { calls, messages: said } = await ask(model, messages);
      expect(calls).toHaveLength(expected);
      messages = [...messages, ...(JSON.parse(JSON.stringify(said)) as ModelMessage[]), resultsFor(calls)];
    }
    expect((await ask(model, messages)).text).toBe("It said: note: written by note");
    expect(lab.refusals).toEqual([]);
    const turns = lab.requests[2]?.turns ?? [];
    expect(turns.map(({ role, toolCalls, results }) => [role, toolCalls.length, results.length])).toEqual([
      ["user", 0, 0],
      ["assistant", 2, 0],
      ["tool", 0, 2],
      ["assistant", 1, 0],
      ["tool", 0, 1],
    ]);
    expect(turns[1]).toMatchObject({
      text: "I note both.",
      toolCalls: [{ args: { text: "a" } }, { args: { text: "b" } }],
    });
    expect(turns[3]?.toolCalls).toMatchObject([{ name: "note", args: { text: "2 results" } }]);
  });
});

test("a script that is asked for more than it has says so", async () => {
  const lab = await open(playTurns());
  const { status, text } = await post(lab, "openai-compatible", { model: "m", messages: [first] });
  expect([status, text]).toEqual([500, "lab: the script has 0 steps, not 1"]);
});

test("a call may have an id of the script's own", async () => {
  const lab = await open(() => ({ toolCalls: [{ ...callTool("note"), id: "functions.note:0" }] }));
  const { calls } = await ask(sdkModel(lab, "openai-compatible", "kimi"), [first]);
  expect(calls.map(({ toolCallId }) => toolCallId)).toEqual(["functions.note:0"]);
});
