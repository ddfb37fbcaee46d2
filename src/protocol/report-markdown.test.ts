import { expect, test } from "vitest";
import { makeReport } from "../../test/helpers/cli-runs.ts";
import type { RunReport, RunSource } from "./api.ts";
import { renderReportMarkdown } from "./report-markdown.ts";

const render = (report: RunReport, origin = "", sources: readonly RunSource[] = []) =>
  renderReportMarkdown(report, origin, sources);

const floorPlan = { type: "document", id: "d1", title: "Floor plan", project_id: "p1" };
const nothing = { created: [], updated: [], linked: [], counts: [] };
const full = makeReport({
  primary_output: { ...floorPlan, change: "created", opening: "The sink goes below the window." },
  open_questions: ["Gas or induction?"],
  unsure: ["The wall may be load-bearing."],
  messages: [
    { at: "2030-03-17T17:00:00Z", kind: "steer", question: null, text: "No island", how: "Left the island out" },
    { at: "2030-03-17T18:00:00Z", kind: "answer", question: "Which budget?", text: "8,000", how: null },
  ],
  what_changed: {
    created: [floorPlan, { type: "task", id: "t1", title: "Measure", project_id: "p1" }],
    updated: [{ type: "project", id: "p1", title: "Kitchen", project_id: "p1" }],
    linked: [{ from_id: "d1", to_id: "t1", relationship: "about" }],
    counts: [
      { type: "document", created: 1, updated: 0 },
      { type: "task", created: 9, updated: 0 },
      { type: "project", created: 0, updated: 1 },
    ],
  },
  checks: [
    { check: "document_has", about: "", is_green: true, state: "passed", seen: "412 words" },
    { check: "judge", about: "", is_green: false, state: "failed", seen: "No prices" },
    { check: "plan_complete", about: "", is_green: false, state: "pending", seen: "" },
  ],
});

test("the result comes first, then what stays open, what was said, checks, changes and cost", () => {
  expect(render(full)).toBe(`# Homework complete: Plan my kitchen

## Result

**[Floor plan](/projects/p1/documents/d1)** (document)

> The sink goes below the window.

The plan is made.

## Open questions

- Gas or induction?

## Not certain

- The wall may be load-bearing.

## What you said

- **Guidance**: No island
  - Left the island out
- **Answer** (Which budget?): 8,000
  - The run did not say how it took this up.

## Checks

1 of 3 checks passed.

- [x] document_has: 412 words
- [ ] judge: No prices
- [ ] plan_complete: pending

## What changed

- Created: 1 document and 9 tasks
  - [Floor plan](/projects/p1/documents/d1) (document)
  - [Measure](/projects/p1/tasks/t1) (task)
- Updated: 1 project
  - [Kitchen](/projects/p1) (project)
- Linked: 1 link

## Cost

- $0.01
- 12,345 tokens
- 2m 05s active
- 2 iterations
- 1 tool call

## How it ended

The check passed

## Objective

> Plan my kitchen
`);
});

const work = {
  repository: "/home/ada/garden",
  branch: "homework/1",
  files: [],
  file_count: 1,
  commits: [],
  facts: [],
  noticed: [],
  agents: ["codex"],
};
const ranTests = { check: "command_succeeds", about: "npm test", is_green: true, state: "passed", seen: "" } as const;

test.each<[string, Partial<RunReport>, boolean]>([
  ["checks of agents' files that ran no command say so", { work }, true],
  ["and so do files without any check", { work, checks: [] }, true],
  ["a command that ran is evidence", { work, checks: [ranTests] }, false],
  ["what a planner writes needs no command", { work: null }, false],
])("%s", (_, change, isTold) =>
  expect(render({ ...full, ...change }).includes("No command was run to check this.")).toBe(isTold),
);

test("outside of the application links name the server", () =>
  expect(render(full, "https://homework.test")).toContain(
    "**[Floor plan](https://homework.test/projects/p1/documents/d1)**",
  ));

test("a thing whose project is not known has no link", () => {
  const report = makeReport({ primary_output: { ...floorPlan, project_id: null, change: "created", opening: "" } });
  expect(render(report)).toContain("**Floor plan** (document)");
});

test("the headings are in the language of the objective", () => {
  const headings = render({ ...full, language: "de" }).match(/^## .*$/gm);
  expect(headings?.slice(0, 4)).toEqual(["## Ergebnis", "## Offene Fragen", "## Unsicher", "## Was du gesagt hast"]);
  expect(render({ ...full, language: "de" })).toContain("- Angelegt: 1 Dokument und 9 Aufgaben");
});

test("what there is nothing of is left out", () => {
  const text = render(makeReport({ what_changed: nothing, checks: [], summary: "" }));
  expect(text.match(/^#.*$/gm)).toEqual([
    "# Homework complete: Plan my kitchen",
    "## What changed",
    "## Cost",
    "## How it ended",
    "## Objective",
  ]);
  expect(text).toContain("Nothing was created or updated.");
});

test("cached tokens and calls without a price are told", () => {
  const { metrics } = makeReport();
  const report = makeReport({
    metrics: { ...metrics, cached_tokens: 10_000, total_cost_micro_usd: 0, unpriced_calls: 3 },
  });
  expect(render(report)).toContain("- no price known\n- 12,345 tokens (10,000 cached)\n");
});

test("no picture of another server is loaded", () => {
  const primary_output = { ...floorPlan, change: "created" as const, opening: "Look: ![x](https://evil.test/b.png)" };
  const text = render(makeReport({ summary: "![pixel](https://evil.test/a.png)", primary_output }));
  expect(text).toContain("\n[pixel: https://evil.test/a.png](https://evil.test/a.png)");
  expect(text).not.toContain("![");
});

test("a title stays on its line and is no markup", () => {
  const title = "A\n# [b](javascript:c) <i> `d` _e_ f_g";
  const created = [{ type: "document", id: "x", title, project_id: null }];
  expect(render(makeReport({ what_changed: { ...nothing, created } }))).toContain(
    "  - A # \\[b\\](javascript:c) \\<i\\> \\`d\\` \\_e\\_ f_g (document)",
  );
});

test("every line of an objective is quoted", () => {
  expect(render(makeReport({ objective: "One\n\nTwo" }))).toContain("> One\n>\n> Two\n");
});

const source = (over: Partial<RunSource>): RunSource => ({
  ...{ id: "1/a", kind: "page", title: "Sinks", url: "https://sinks.example/", state: "opened", why: null },
  ...{ results: null, iteration: 1, at: "2030-03-17T17:00:00Z" },
  ...over,
});

test("sources are the pages that were opened, each once, in words that cannot become markup", () => {
  const sources = [
    source({ title: "Sinks](https://evil.test) **now**" }),
    source({ id: "2/a", iteration: 2 }),
    source({ title: "", url: "https://taps.example/a_(b)" }),
    source({ url: "https://gone.example/", state: "failed", why: "it is gone" }),
    source({ kind: "search", title: "sinks", url: null, results: 3 }),
  ];
  expect(render(makeReport({ language: "de" }), "", sources)).toContain(
    "## Quellen\n\n- [Sinks](https://sinks.example/), sinks.example\n- <https://taps.example/a_%28b%29>\n\n##",
  );
  expect(render(makeReport(), "", sources.slice(0, 1))).toContain("- [Sinks\\](https://evil.test) \\*\\*now\\*\\*](");
});

test("many sources are counted", () => {
  const sources = Array.from({ length: 103 }, (_, n) => source({ url: `https://sinks.example/${n}` }));
  expect(render(makeReport(), "", sources)).toContain("sinks.example\n- and 3 more\n");
});
