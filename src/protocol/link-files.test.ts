import { expect, test } from "vitest";
import { linkFiles } from "./link-files.ts";

const at = "/projects/p1/documents/d1";
const plan = { name: "The plan (2).md", ids: ["d1"], text: "" };

function check(text: string, expected: string, { name = "Report.md", origin = "https://home.test" } = {}): void {
  const [, linked] = linkFiles([plan, { name, ids: [], text }], origin);
  expect(linked?.text).toBe(expected);
}

test("a link to something among the files leads to its file", () => {
  check(`See [The plan](${at}).`, "See [The plan](The%20plan%20%282%29.md).");
  check(`See [The plan](https://home.test${at}#goal).`, "See [The plan](The%20plan%20%282%29.md).");
});
test("from a folder it leads out of it", () =>
  check(`[a \\] b](${at})`, "[a \\] b](../The%20plan%20%282%29.md)", { name: "Working notes/Log.md" }));
test("a link to something else leads to its page", () => {
  check("[Other](/projects/p1/tasks/t9)", "[Other](https://home.test/projects/p1/tasks/t9)");
  check("[Kitchen](/projects/p1)", "[Kitchen](https://home.test/projects/p1)");
});
test("without a server it is no link", () => check("[Other](/projects/p1/tasks/t9)", "Other", { origin: "" }));
test("other links stay as they are", () => {
  check("[Web](https://other.test/projects/p1/documents/d1)", "[Web](https://other.test/projects/p1/documents/d1)");
  check("[x](#goal) [ ] (/projects/p1)", "[x](#goal) [ ] (/projects/p1)");
});
