import { expect, test } from "vitest";
import type { RunSource } from "./api.ts";
import { groupSources, listOpened } from "./run-sources.ts";

let made = 0;
const source = (over: Partial<RunSource> = {}): RunSource => ({
  id: `1/tool:${made++}`,
  kind: "page",
  title: "Halls",
  url: "https://halls.example/",
  state: "opened",
  why: null,
  results: null,
  iteration: 1,
  at: "2026-01-01T10:00:00.000Z",
  ...over,
});

test("a page that was opened again is listed once, with both iterations", () => {
  const [page, ...others] = groupSources([source(), source({ iteration: 3, at: "2026-01-02T10:00:00.000Z" })]);
  expect(others).toEqual([]);
  expect(page).toMatchObject({ host: "halls.example", iterations: [1, 3], times: 2, at: "2026-01-01T10:00:00.000Z" });
});

test("a page that was opened at the second try counts as opened", () => {
  const failed = source({ state: "failed", why: "it took too long", title: "" });
  expect(groupSources([failed, source()])).toMatchObject([{ state: "opened", why: null, title: "Halls" }]);
  expect(groupSources([source(), failed])).toMatchObject([{ state: "opened", why: null, title: "Halls" }]);
});

test("pages, searches and what was no address stay apart, in the order of their first time", () => {
  const search = source({ kind: "search", title: "halls nearby", url: null, results: 4 });
  const wrong = source({ title: "javascript:alert(1)", url: null, state: "failed", why: "no address" });
  const all = [search, source(), wrong, source({ url: "https://halls.example/b" }), source()];
  expect(groupSources(all).map(({ kind, title, url }) => [kind, url ?? title])).toEqual([
    ["search", "halls nearby"],
    ["page", "https://halls.example/"],
    ["page", "javascript:alert(1)"],
    ["page", "https://halls.example/b"],
  ]);
  expect(listOpened(all).map(({ url }) => url)).toEqual(["https://halls.example/", "https://halls.example/b"]);
});
