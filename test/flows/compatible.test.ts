// Whole runs on the chat protocol of servers of one's own, with their ways.

import { expect, test } from "vitest";
import { session, sessionEnd } from "./flows.ts";
import { playFlow, playFlows } from "./play-flows.ts";
import type { Stance } from "./stances.ts";

const world = await playFlows("openai-compatible");
// The script sees what is left of a request: without its rules it cannot tell the role and takes it for a chat.
const claude = "anthropic/claude-sonnet-5-5";
const small: Stance = { name: "ollama-4k", model: "ollama/qwen3", modes: [{ mode: "ollama-4k" }], pricedBy: "free" };

test.concurrent("ollama-4k: what was not read is no answer; the run stops and says what would help", async () => {
  const flow = {
    name: "ollama-4k",
    script: () => session,
    end: { status: "stopped" },
    written: [],
    asked: {},
  } as const;
  const { run } = await playFlow(world, small, { ...flow, asked: { chat: 4, summary: 1 } }, claude);
  expect(JSON.stringify(run.state)).toContain("OLLAMA_CONTEXT_LENGTH");
});

test.concurrent("ollama-4k: another provider does what does not fit", async () => {
  const flow = { name: "ollama-4k", script: () => session, breaksAt: "nowhere", ...sessionEnd };
  await playFlow(world, small, { ...flow, asked: { ...sessionEnd.asked, chat: 4 } }, claude);
});
