import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { saidByModel } from "./said.ts";

const result = (text: unknown, over: object = {}) => JSON.stringify({ type: "result", result: text, ...over });

test.each([
  ["plain text", "Hello.\n", "Hello.\n"],
  ["an answer in an envelope", result("Hello."), "Hello."],
  ["an envelope over several lines", JSON.stringify({ result: "Hello." }, null, 2), "Hello."],
  ["an envelope in an envelope", result(result("Hello.")), "Hello."],
  ["a JSON string", JSON.stringify("Hello."), "Hello."],
  ["a list of events", `[{"type":"system"},${result("Hello.")}]`, "Hello."],
  ["a stream of events", `{"type":"system"}\n{"type":"user"}\n${result("Hello.")}\n`, "Hello."],
  ["an object for an answer", result({ a: 1 }), '{"a":1}'],
  ["the model's own JSON", '{"a":1}', '{"a":1}'],
  ["text that begins with a brace", "{not JSON\nHello.", "{not JSON\nHello."],
  ["a tool's words", "A <tool_result>\nx\n</tool_result> B", "A  B"],
  ["a tool's words, with attributes", 'A <event topic="x">y</event> B', "A  B"],
  ["a tool's words that never end", "A <stdout>x", "A "],
  ["other elements", "A <answer>x</answer> B", "A <answer>x</answer> B"],
])("of %s", (_what, output, said) => expect(saidByModel(output)).toBe(said));

test.each([
  ["an error in the place of an answer", result("Hello.", { is_error: true })],
  ["a stream without an answer", '{"type":"system"}\n{"type":"user","message":"Hello."}'],
  ["a stream whose answer is cut off", `{"type":"system"}\n${result("Hello.").slice(0, -2)}`],
])("nothing is said by %s", (_what, output) => expect(saidByModel(output)).toBe(""));

property.prop([fc.string({ maxLength: 500 }), fc.json()])(
  "any text and any JSON are read without an error",
  (text, json) => {
    saidByModel(text);
    saidByModel(json);
    saidByModel(`${json}\n${text}`);
  },
);
