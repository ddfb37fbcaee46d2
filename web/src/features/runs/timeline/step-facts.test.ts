import { expect, test } from "vitest";
import type { RunStep } from "../../../../../src/protocol/api.ts";
import { makeWireStep } from "../../../../../test/helpers/make-wire-step.ts";
import { stepFacts } from "./step-facts.ts";

test.for<[string, Partial<RunStep>, readonly string[]]>([
  ["only its time where nothing else is known", {}, ["1.0s"]],
  ["its model and role", { model: "lab/model", role: "planner" }, ["lab/model as planner", "1.0s"]],
  ["tokens", { tokens: 1_234, cached_tokens: 0 }, ["1.0s", "1,234 tokens"]],
  ["tokens from the cache", { tokens: 1_234, cached_tokens: 1_000 }, ["1.0s", "1,234 tokens (1,000 from cache)"]],
  ["what of the user's it read", { messages: 2 }, ["1.0s", "read 2 messages of yours"]],
  ["nothing where it read none", { messages: 0 }, ["1.0s"]],
  ["nothing where the call failed", { messages: 2, is_error: true }, ["1.0s"]],
])("a step tells %s", ([, over, facts]) => expect(stepFacts(makeWireStep(over))).toEqual(facts));
