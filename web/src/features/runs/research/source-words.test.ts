import { expect, test } from "vitest";
import type { ReadSource } from "../../../../../src/protocol/run-sources.ts";
import { sourceFacts } from "./source-words.ts";

const page: ReadSource = {
  ...{ id: "1/a", kind: "page", title: "Halls", url: "https://halls.example/a", host: "halls.example" },
  ...{ state: "opened", why: null, results: null, at: "2026-01-01T10:00:00Z", iterations: [2], times: 1 },
};
const check = (over: Partial<ReadSource>, facts: string) =>
  expect(sourceFacts({ ...page, ...over }).join(" · ")).toBe(facts);

test("a page says where it was", () => check({}, "halls.example/a"));
test("a page that was opened again says how often", () =>
  check({ iterations: [1, 3], times: 3 }, "halls.example/a · opened 3 times"));
test("a page without a title has its address as its name", () => check({ title: "" }, ""));
test("a long address is cut", () =>
  check({ url: `https://halls.example/${"a".repeat(100)}` }, `halls.example/${"a".repeat(65)}…`));
test("a page that failed says why", () =>
  check({ state: "failed", why: "the server answered 404" }, "halls.example/a · Not opened: the server answered 404"));
test("a page under way says so", () => check({ state: "under_way" }, "halls.example/a · Opening"));
test("a search says how much it found", () => check({ kind: "search", url: null, host: "", results: 1 }, "1 result"));
test("what was no address has no host", () =>
  check({ url: null, host: "", state: "failed", why: "no address" }, "Not opened: no address"));
