// What the Claude API refuses, the lab refuses, in its words; and the request beside it that differs in one fact is taken.

import { test } from "vitest";
import { rawLab } from "./raw-lab.ts";

const { checkRefusal: check } = rawLab();
const user = { role: "user", content: "Go on." };
const objectSchema = { type: "object", properties: { text: { type: "string" } } };
const unionSchema = { type: "object", anyOf: [objectSchema] };
const claude = (change: object = {}, model = "claude-sonnet-5-5") => ({ model, messages: [user], ...change });
const use = (id = "t1") => ({ type: "tool_use", id, name: "note", input: {} });
const result = (id = "t1") => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const called = (...content: object[]) => ({ role: "assistant", content });
const told = (...content: object[]) => ({ role: "user", content });
const talk = (...messages: object[]) => claude({ messages: [user, ...messages] });
const text = (words: string) => ({ type: "text", text: words });
const tools = (name: string, schema: object = objectSchema) => claude({ tools: [{ name, input_schema: schema }] });
const marked = (count: number, ttl = "5m") =>
  Array.from({ length: count }, (_, at) => ({ ...text(`part ${at}`), cache_control: { type: "ephemeral", ttl } }));
const force = { tool_choice: { type: "any" } };
const budget = { thinking: { type: "enabled", budget_tokens: 1_024 } };

type Row = [string, object, object, [string, string]];

const rows: readonly Row[] = [
  [
    "a call without a result",
    talk(called(use()), told(text("and?"))),
    talk(called(use()), told(result(), text("and?"))),
    [
      "call-without-result",
      "`tool_use` ids were found without `tool_result` blocks immediately after: t1. Each `tool_use` block must have a corresponding",
    ],
  ],
  [
    "one result of two",
    talk(called(use("t1"), use("t2")), told(result("t1"))),
    talk(called(use("t1"), use("t2")), told(result("t1")), told(result("t2"))),
    ["call-without-result", "immediately after: t2"],
  ],
  [
    "a result behind other words",
    talk(called(use()), told(text("here:"), result())),
    talk(called(use()), told(result())),
    ["call-without-result", "immediately after: t1"],
  ],
  [
    "a result without its call",
    talk(called(text("hm")), told(result("t9"))),
    talk(called(text("hm"), use("t9")), told(result("t9"))),
    ["misplaced-result", "unexpected `tool_use_id` found in `tool_result` blocks: t9"],
  ],
  [
    "two results of one call",
    talk(called(use()), told(result(), result())),
    talk(called(use()), told(result())),
    ["misplaced-result", "each tool_use must have a single result"],
  ],
  [
    "text of blanks only before a call",
    talk(called(text("\n\n"), use()), told(result())),
    talk(called(text("\n\nso"), use()), told(result())),
    ["blank-text", "text content blocks must contain non-whitespace text"],
  ],
  ["an empty text", talk(told(text(""))), talk(told(text("."))), ["blank-text", "must be non-empty"]],
  [
    "another provider's ids",
    talk(called(use("functions.w:0")), told(result("functions.w:0"))),
    talk(called(use("functions_w_0")), told(result("functions_w_0"))),
    ["id-pattern", "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  ],
  [
    "an id of 65 characters",
    talk(called(use("a".repeat(65))), told(result("a".repeat(65)))),
    talk(called(use("a".repeat(64))), told(result("a".repeat(64)))),
    ["id-pattern", "tool_use.id"],
  ],
  [
    "an assistant message at the end",
    claude({ messages: [user, called(text("{"))] }, "claude-opus-4-6"),
    claude({ messages: [user, called(text("{"))] }, "claude-opus-4-5"),
    ["assistant-last", "does not support assistant message prefill"],
  ],
  ["a name with a dot", tools("web.read"), tools("web_read"), ["tool-name", "tools.0.custom.name"]],
  [
    "a property with a blank",
    tools("note", { type: "object", properties: { "the text": {} } }),
    tools("note", { type: "object", properties: { "the.text": {} } }),
    ["tool-name", "Property keys should match pattern"],
  ],
  [
    "anyOf at the root",
    tools("note", unionSchema),
    tools("note", { type: "object", properties: { a: unionSchema } }),
    ["root-schema", "input_schema does not support oneOf, allOf, or anyOf at the top level"],
  ],
  ...["allOf", "oneOf"].map(
    (word): Row => [
      `${word} at the root`,
      tools("note", { type: "object", [word]: [{}] }),
      tools("note", { type: "object", properties: { a: { [word]: [{}] } } }),
      ["root-schema", "input_schema does not support oneOf, allOf, or anyOf at the top level"],
    ],
  ),
  [
    "five cache marks",
    claude({ system: marked(3), messages: [told(...marked(2))] }),
    claude({ system: marked(2), messages: [told(...marked(2))] }),
    ["cache-marks", "A maximum of 4 blocks with cache_control may be provided. Found 5."],
  ],
  [
    "an automatic mark as the fifth",
    claude({ system: marked(4), cache_control: { type: "ephemeral" } }),
    claude({ system: marked(3), cache_control: { type: "ephemeral" } }),
    ["cache-marks", "Found 5"],
  ],
  [
    "five minutes before an hour",
    claude({ system: marked(1, "5m"), messages: [told(...marked(1, "1h"))] }),
    claude({ system: marked(1, "1h"), messages: [told(...marked(1, "5m"))] }),
    ["cache-marks", "a ttl='1h' cache_control block must not come after a ttl='5m'"],
  ],
  [
    "a temperature",
    claude({ temperature: 0 }, "claude-opus-4-7"),
    claude({ temperature: 0 }, "claude-opus-4-6"),
    ["sampling", "`temperature` is not supported for this model"],
  ],
  ["top_p", claude({ top_p: 0.9 }), claude({ top_p: 0.9 }, "claude-sonnet-4-20250514"), ["sampling", "`top_p`"]],
  [
    "thinking switched off",
    claude({ thinking: { type: "disabled" } }),
    claude({ thinking: { type: "disabled" } }, "claude-sonnet-5"),
    ["thinking-type", '"disabled" is not supported'],
  ],
  [
    "thinking with a budget on 5.5",
    claude(budget),
    claude(budget, "claude-sonnet-4-5"),
    ["thinking-type", '"enabled" is not supported'],
  ],
  [
    "a forced tool on Sonnet 5.5",
    claude(force),
    claude(force, "claude-haiku-5-5"),
    ["forced-tool", "Thinking may not be enabled when tool_choice forces tool use."],
  ],
  [
    "a forced tool on Fable 5.1",
    claude(force, "claude-fable-5-1"),
    claude(force, "claude-fable-5"),
    ["forced-tool", ""],
  ],
  [
    "a forced tool with budget thinking",
    claude({ ...force, ...budget }, "claude-sonnet-4-5"),
    claude(budget, "claude-sonnet-4-5"),
    ["forced-tool", "tool_choice"],
  ],
  [
    "budget thinking that was left out",
    { ...talk(called(use()), told(result())), ...budget, model: "claude-sonnet-4-5" },
    { ...talk(called(use()), told(result()), called(text("so")), user), ...budget, model: "claude-sonnet-4-5" },
    ["missing-thinking", "Expected `thinking` or `redacted_thinking`, but found `tool_use`"],
  ],
  [
    "a signature of someone else",
    talk(called({ type: "thinking", thinking: "hm", signature: "EqoB" }, text("so")), user),
    talk(called(text("so")), user),
    ["foreign-signature", "Invalid `signature` in `thinking` block"],
  ],
];

test.each(rows)("refuses %s", (_name, refused, taken, refusal) => check("anthropic", [refused, taken], refusal));

test("with claude-strict, any name is the newest model", () =>
  check(
    "anthropic",
    [claude({ temperature: 0 }, "house-model"), claude({}, "house-model")],
    ["sampling", "temperature"],
    [{ mode: "claude-strict" }],
  ));
