import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBlocks } from "./agent-events.ts";

const recorded = (agent: string) =>
  readFileSync(new URL(`../../../../../test/agents/recordings/${agent}/ok/stdout.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line): readonly { readonly kind: string }[] => readBlocks(line) ?? [{ kind: "text" }]);

test.for(["claude", "codex", "gemini", "opencode"])("what %s printed is told as words and tools", (agent) => {
  const blocks = recorded(agent);
  expect(blocks).toContainEqual({ kind: "speech", text: "All done: the DONE marker is written." });
  expect(blocks.some(({ kind }) => kind === "tool")).toBe(true);
  expect(blocks.at(-1)).toMatchObject({ kind: "note", text: expect.stringContaining("Finished") });
  expect(blocks.filter(({ kind }) => kind === "text" || kind === "event").length).toBeLessThanOrEqual(1);
});

test("thinking and a failed tool are told apart", () => {
  const line = JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "thinking", thinking: "Hm" }] },
  });
  expect(readBlocks(line)).toEqual([{ kind: "thinking", text: "Hm" }]);
  const failed = { type: "user", message: { content: [{ type: "tool_result", content: "no", is_error: true }] } };
  expect(readBlocks(JSON.stringify(failed))).toMatchObject([{ kind: "result", text: "no", isFailed: true }]);
});

test.for(["", "plain words", "{ not json", "[1]", "{}{}", '"x"', "null"])("%j is no event", (line) => {
  expect(readBlocks(line)).toBeNull();
});

test.for([{ type: "assistant" }, { type: "item.completed" }, { type: 7 }, { type: "text", part: [] }, {}])(
  "an event like %j is shown, whatever is missing in it",
  (event) => expect(Array.isArray(readBlocks(JSON.stringify(event)))).toBe(true),
);
