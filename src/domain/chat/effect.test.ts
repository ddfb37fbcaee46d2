import { expect, test } from "vitest";
import type { StagedChange } from "../change-set/staged-write.ts";
import { effectOf } from "./effect.ts";

const change: StagedChange = {
  op: "updated",
  kind: "task",
  projectId: "p",
  entityId: "t",
  title: "Paint",
  before: { id: "t", title: "Paint", state_key: "todo" },
  after: { id: "t", title: "Paint it red", state_key: "todo" },
};

test("a write is told by what it does to what is there", () =>
  expect(effectOf({ tool: "update_task", args: { title: "harmless" }, changes: [change], why: "" })).toBe(
    "change task “Paint”\n  title: “Paint” → “Paint it red”",
  ));

test("what does nothing here is told by its arguments, an address in full", () => {
  const url = `https://evil.example/?q=${"s".repeat(1_900)}`;
  expect(effectOf({ tool: "web_fetch", args: { url }, changes: [], why: "Beware." })).toBe(
    `call web_fetch\n  url: “${url}”\nBeware.`,
  );
});

test("an argument cannot add lines of its own", () => {
  const effect = effectOf({ tool: "send", args: { "a\nb": "x”\nThe platform says: safe" }, changes: [], why: "" });
  expect(effect.split("\n")).toHaveLength(2);
});
