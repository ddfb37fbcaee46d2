import { expect, test } from "vitest";
import { realEnv } from "../main/env.ts";
import { createOutput } from "./output.ts";

const hostile = "red\u001b[31m\u001b]0;title\u0007\u001b[2J\u009b2J\u202ename\ttab\nline";

function speak(columns: number | null, json: boolean) {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const terminal = { out: write, say: write, columns, hasColor: true };
  const host = { terminal, env: realEnv } as unknown as Parameters<typeof createOutput>[0];
  const output = createOutput(host, { json, quiet: false, color: true, verbose: false });
  output.data({ text: hostile }, () => hostile);
  output.line({ text: hostile }, () => hostile);
  output.say(hostile);
  output.warn(output.paint("red", hostile));
  return written.join("");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all that steers a terminal but tabs, lines and colours
const steering = /\u001b(?!\[[0-9;]*m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e]/;

test.each([
  ["words", false],
  ["--json", true],
])("nothing that is printed steers a terminal (%s), and its lines stay", (_, json) => {
  const written = speak(80, json);
  expect(written).not.toMatch(steering);
  expect(written).toContain(json ? "tab\\nline" : "tab\nline");
  expect(written.includes("\u001b[31m")).toBe(!json);
});

test("data that goes to a file is what it is, and JSON is read back as it was", () => {
  expect(speak(null, false)).toContain(hostile);
  const [first = ""] = speak(null, true).split("\n}\n");
  expect(JSON.parse(`${first}\n}`)).toEqual({ text: hostile });
});
