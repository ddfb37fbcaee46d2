import { expect, test } from "vitest";
import type { RunEntry } from "../../../../../src/protocol/api.ts";
import { makeWireEntry } from "../../../../../test/helpers/make-wire-entry.ts";
import { entryFacts, technicalFacts } from "./entry-facts.ts";

test.for<[string, Partial<RunEntry>, readonly string[]]>([
  ["only its time where nothing else is known", {}, ["1.0s"]],
  ["neither model nor tokens", { model: "lab/model", role: "planner", tokens: 1_234 }, ["1.0s"]],
  ["what of the user's it read", { messages: 2 }, ["1.0s", "read 2 messages of yours"]],
  ["nothing where it read none", { messages: 0 }, ["1.0s"]],
  ["nothing where the call failed", { messages: 2, is_error: true }, ["1.0s"]],
])("an entry tells %s", ([, over, facts]) => expect(entryFacts(makeWireEntry(over))).toEqual(facts));

test.for<[string, Partial<RunEntry>, readonly string[]]>([
  ["its model and role", { model: "lab/model", role: "planner" }, ["lab/model as planner"]],
  ["tokens", { tokens: 1_234, cached_tokens: 0 }, ["1,234 tokens"]],
  ["tokens from the cache", { tokens: 1_234, cached_tokens: 1_000 }, ["1,234 tokens (1,000 from cache)"]],
])("an opened entry tells %s", ([, over, facts]) => expect(technicalFacts(makeWireEntry(over))).toEqual(facts));
