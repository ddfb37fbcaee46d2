// An entry of an iteration as the API answers with it, with boring defaults.

import type { RunEntry } from "../../src/protocol/api.ts";

export const makeWireEntry = (over: Partial<RunEntry> = {}): RunEntry => ({
  id: over.key ?? "llm:0",
  key: "llm:0",
  kind: "model",
  lane: "planner",
  lane_title: null,
  state: "done",
  summary: "Planned",
  tool: null,
  role: null,
  model: null,
  is_error: false,
  error: null,
  args: null,
  result: null,
  is_cut: false,
  calls: null,
  began_at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:01.000Z",
  cost_micro_usd: null,
  tokens: null,
  cached_tokens: null,
  messages: null,
  ...over,
});
