// What real providers refuse, the lab refuses, in their words; and the request beside it that differs in one fact is taken.

import { describe, expect, test } from "vitest";
import { post, rawLab } from "./raw-lab.ts";

const { open, checkRefusal: check } = rawLab();
const user = { role: "user", content: "Go on." };

const objectSchema = { type: "object", properties: { text: { type: "string" } } };
const unionSchema = { type: "object", anyOf: [objectSchema] };

describe("OpenAI", () => {
  const ask = (change: object) => ({ model: "gpt-6.1-sol", store: false, input: [user], ...change });
  const call = { type: "function_call", call_id: "c1", name: "note", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c1", output: "ok" };
  const talk = (...items: object[]) => ask({ input: [user, ...items] });
  const tool = (change: object) =>
    ask({ tools: [{ type: "function", name: "note", parameters: objectSchema, strict: false, ...change }] });
  const closed = (properties: object) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const strict = (parameters: object) => tool({ strict: true, parameters });

  test.each<[string, object, object, [string, string]]>([
    [
      "a call without a result",
      talk(call, user),
      talk(call, output, user),
      ["call-without-result", "No tool output found for function call c1."],
    ],
    [
      "a result before its call",
      talk(output, call),
      talk(call, output),
      ["misplaced-result", "No tool call found for"],
    ],
    ["a name with a dot", tool({ name: "web.read" }), tool({ name: "web-read" }), ["tool-name", "'tools[0].name'"]],
    ["a long name", tool({ name: "n".repeat(65) }), tool({ name: "n".repeat(64) }), ["tool-name", "{1,64}"]],
    [
      "anyOf at the root",
      tool({ parameters: unionSchema }),
      tool({ parameters: { type: "object", properties: { a: unionSchema } } }),
      [
        "root-schema",
        "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level",
      ],
    ],
    [
      "strict with an optional property",
      strict({ ...closed({ a: { type: "string" }, b: { type: "string" } }), required: ["a"] }),
      strict(closed({ a: { type: "string" }, b: { type: "string" } })),
      ["strict-schema", "an array including every key in properties. Missing 'b'."],
    ],
    [
      "strict with an open object inside",
      strict(closed({ a: { type: "array", items: objectSchema } })),
      strict(closed({ a: { type: "array", items: closed({}) } })),
      ["strict-schema", "In context=('properties', 'a', 'items'), 'additionalProperties' is required"],
    ],
    [
      "strict with propertyNames",
      strict(closed({ a: { ...closed({}), propertyNames: {} } })),
      tool({ parameters: { ...objectSchema, propertyNames: {} } }),
      ["strict-schema", "propertyNames"],
    ],
    [
      "strict with lookaround",
      strict(closed({ a: { type: "string", pattern: "^(?!x)" } })),
      strict(closed({ a: { type: "string", pattern: "^(?:x)" } })),
      ["strict-schema", "lookaround"],
    ],
  ])("refuses %s", (_name, refused, taken, refusal) => check("openai", [refused, taken], refusal));
});

describe("Gemini", () => {
  const gemini = (change: object, model = "gemini-3.8-flash") => ({ model, contents: [words("Go.")], ...change });
  const words = (text: string, role = "user") => ({ role, parts: [{ text }] });
  const calls = (count: number) => ({
    role: "model",
    parts: Array.from({ length: count }, () => ({ functionCall: { name: "note", args: {} } })),
  });
  const responses = (count: number) => ({
    role: "user",
    parts: Array.from({ length: count }, () => ({ functionResponse: { name: "note", response: {} } })),
  });
  const talk = (...contents: object[]) => gemini({ contents: [words("Go."), ...contents] });
  const named = (name: string) => ({ tools: [{ functionDeclarations: [{ name }] }] });
  const json = { ...named("note"), generationConfig: { responseMimeType: "application/json" } };

  test.each<[string, object, object, [string, string]]>([
    [
      "fewer results than calls",
      talk(calls(2), responses(1)),
      talk(calls(2), responses(2)),
      ["call-without-result", "number of function response parts is equal to the number of function call parts"],
    ],
    [
      "a result without a call",
      talk(words("so", "model"), responses(1)),
      talk(calls(1), responses(1)),
      ["misplaced-result", "function response turn comes immediately after a function call turn"],
    ],
    [
      "a call after the model's own words",
      talk(words("so", "model"), calls(1), responses(1)),
      talk(words("so", "model"), words("yes"), calls(1), responses(1)),
      ["misplaced-call", "function call turn comes immediately after a user turn"],
    ],
    [
      "a name that begins with a digit",
      gemini(named("2do")),
      gemini(named("_2do")),
      ["tool-name", "Invalid function name"],
    ],
    [
      "a long name",
      gemini(named("n".repeat(65))),
      gemini(named("n".repeat(64))),
      ["tool-name", "maximum length of 64"],
    ],
    [
      "JSON with tools before Gemini 3",
      gemini(json, "gemini-2.5-pro"),
      gemini(json, "gemini-3.8-flash"),
      ["json-with-tools", "is unsupported"],
    ],
  ])("refuses %s", (_name, refused, taken, refusal) => check("google", [refused, taken], refusal));
});

const callMessage = (id: string, content: string | null = null) => ({
  role: "assistant",
  content,
  tool_calls: [{ id, type: "function", function: { name: "note", arguments: "{}" } }],
});
const toolMessage = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const chatTool = (name: string, parameters: object = objectSchema) => ({
  type: "function",
  function: { name, parameters },
});

describe.each([
  ["openai-compatible", "house-model"],
  ["openrouter", "openai/gpt-6-luna"],
])("chat at %s", (provider, model) => {
  const chat = (...messages: object[]) => ({ model, messages: [user, ...messages] });

  test.each<[string, object, object, [string, string]]>([
    [
      "a call without a result",
      chat(callMessage("c1"), user),
      chat(callMessage("c1"), toolMessage("c1"), user),
      ["call-without-result", "The following tool_call_ids did not have response messages: c1"],
    ],
    [
      "a result without its call",
      chat(toolMessage("c1")),
      chat(callMessage("c1"), toolMessage("c1")),
      ["misplaced-result", "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"],
    ],
    [
      "a name with a blank",
      { ...chat(), tools: [chatTool("web read")] },
      { ...chat(), tools: [chatTool("web_read")] },
      ["tool-name", "string does not match pattern"],
    ],
    [
      "anyOf at the root",
      { ...chat(), tools: [chatTool("note", unionSchema)] },
      { ...chat(), tools: [chatTool("note")] },
      ["root-schema", "schema must have type 'object'"],
    ],
  ])("refuses %s", (_name, refused, taken, refusal) => check(provider, [refused, taken], refusal));
});

describe("Claude behind OpenRouter", () => {
  const chat = (...messages: object[]) => ({ model: "anthropic/claude-sonnet-5.5", messages: [user, ...messages] });
  const mark = { cache_control: { type: "ephemeral" } };
  const marks = (count: number) => ({
    role: "user",
    content: Array.from({ length: count }, (_, at) => ({ type: "text", text: `part ${at}`, ...mark })),
  });

  test.each<[string, object, object, [string, string]]>([
    [
      "blank text before a call",
      chat(callMessage("c1", "\n\n"), toolMessage("c1")),
      chat(callMessage("c1", ""), toolMessage("c1")),
      ["blank-text", "non-whitespace text"],
    ],
    [
      "another provider's ids",
      chat(callMessage("functions.w:0"), toolMessage("functions.w:0")),
      chat(callMessage("c1"), toolMessage("c1")),
      ["id-pattern", "tool_use.id"],
    ],
    [
      "an assistant message at the end",
      chat({ role: "assistant", content: "{" }),
      chat(),
      ["assistant-last", "prefill"],
    ],
    ["five cache marks", chat(marks(5)), chat(marks(4)), ["cache-marks", "Found 5"]],
    [
      "a forced tool",
      { ...chat(), tools: [chatTool("note")], tool_choice: "required" },
      { ...chat(), tools: [chatTool("note")], tool_choice: "auto" },
      ["forced-tool", "tool_choice"],
    ],
  ])("refuses %s", (_name, refused, taken, refusal) => check("openrouter", [refused, taken], refusal));

  test("says so as OpenRouter does: the provider's words stand in the metadata", async () => {
    const lab = await open(() => ({ text: "never" }));
    const { body } = await post(lab, "openrouter", chat({ role: "assistant", content: "{" }));
    expect(body).toMatchObject({
      error: { code: 400, message: "Provider returned error", metadata: { provider_name: "Anthropic" } },
    });
  });
});
