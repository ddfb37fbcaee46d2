// `npm run bench -- hostile-text` finds the functions that take text by itself; here is checked that it finds them, and that each of the others
// has a reason.

import { expect, test } from "vitest";
import { moreThanText } from "../bench/more-than-text.ts";
import { findTextFunctions } from "../bench/text-functions.ts";

const { called, needMore } = findTextFunctions();
const reasonFor = ({ file }: { file: string }) =>
  Object.keys(moreThanText).find((folder) => file.startsWith(`${folder}/`));

test.each([
  "src/domain/run/output/status-block.ts parseStatusBlock",
  "src/domain/run/checks/approval-answer.ts readApproval",
  "src/domain/run/checks/judge-answer.ts readJudgeAnswer",
  "src/lib/yaml/parse-yaml.ts parseYaml",
  "src/runner/config/parse-hcl.ts parseHcl",
  "web/src/ui/portions.ts portionsOf",
])("%s is called with hostile text", (name) =>
  expect(called.map((each) => `${each.file} ${each.name}`)).toContain(name),
);

test("what reaches beyond the processor is not called", () => {
  const files = new Set([...called, ...needMore].map(({ file }) => file));
  for (const file of ["src/files/regular-file.ts", "src/main/read-input.ts", "src/runner/layout/tree-disk.ts"])
    expect(files).not.toContain(file);
});

test("every function that takes text is called, or has a reason", () => {
  expect(needMore.filter((each) => reasonFor(each) === undefined)).toEqual([]);
  const used = new Set(needMore.map(reasonFor));
  expect(Object.keys(moreThanText).filter((folder) => !used.has(folder))).toEqual([]);
});
