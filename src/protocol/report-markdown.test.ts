import { expect, test } from "vitest";
import { makeReport } from "../../test/helpers/cli-runs.ts";
import { renderReportMarkdown } from "./report-markdown.ts";

test("a report says what was done, how it was checked, what it took and how it ended", () => {
  const report = makeReport({
    what_changed: {
      created: [{ type: "document", id: "d1", title: "Floor plan" }],
      updated: [{ type: "task", id: "t1", title: "Measure" }],
      linked: [{ from_id: "d1", to_id: "t1", relationship: "about" }],
    },
    checks: [
      { check: "document_has", about: "", is_green: true, seen: "412 words" },
      { check: "judge", about: "", is_green: false, seen: "No prices" },
    ],
  });
  expect(renderReportMarkdown(report)).toBe(`# Homework complete: Plan my kitchen

The plan is made.

## Objective

> Plan my kitchen

## Created

- document **Floor plan** (\`d1\`)

## Changed

- task **Measure** (\`t1\`)

## Linked

- \`d1\` about \`t1\`

## Checks

- [x] document_has: 412 words
- [ ] judge: No prices

## Figures

- 2 iterations
- 2m 05s
- $0.0123
- 12,345 tokens
- 1 tool call

## How it ended

completed: 1 checks are green
`);
});

test("what there is nothing of is left out", () => {
  const nothing = { created: [], updated: [], linked: [] };
  const text = renderReportMarkdown(makeReport({ what_changed: nothing, checks: [], summary: "" }));
  expect(text.match(/^#.*$/gm)).toEqual([
    "# Homework complete: Plan my kitchen",
    "## Objective",
    "## Figures",
    "## How it ended",
  ]);
});

test("a title stays on its line and is no markup", () => {
  const title = "A\n# [b](javascript:c) <i> `d` _e_ f_g";
  const what_changed = { created: [{ type: "document", id: "x`y", title }], updated: [], linked: [] };
  expect(renderReportMarkdown(makeReport({ what_changed }))).toContain(
    "- document **A # \\[b\\](javascript:c) \\<i\\> \\`d\\` \\_e\\_ f_g** (`x y`)",
  );
});

test("every line of an objective is quoted", () => {
  expect(renderReportMarkdown(makeReport({ objective: "One\n\nTwo" }))).toContain("> One\n>\n> Two\n");
});
