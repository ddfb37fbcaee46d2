import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { claimsDone } from "./claim.ts";
import { parseStatusBlock } from "./status-block.ts";

const done = (output: string) => {
  const parsed = parseStatusBlock(output);
  return parsed.kind === "found" ? claimsDone(parsed.claim) : parsed.kind;
};

const yaml = `BUILDOS_HOMEWORK_STATUS:
  exit_signal: true
  needs_user_input: false
  blocking_questions: []
  progress_summary: "Wrote it"
  remaining_work: []
  completion_evidence:
    - "plan_completed"
  next_action_hint: "stop"
  confidence: "high"`;
const json = '{"BUILDOS_HOMEWORK_STATUS": {"exit_signal": true, "remaining_work": []}}';

// A block counts as YAML or JSON, fenced or not, with words around it.
test.each([
  ["YAML", yaml],
  ["YAML in a fence", `Done.\n\`\`\`yaml\n${yaml}\n\`\`\`\n`],
  ["YAML that is indented", yaml.replaceAll(/^/gm, "    ")],
  ["YAML before more text", `${yaml}\n\nThat was it.`],
  ["YAML with Windows line ends", yaml.replaceAll("\n", "\r\n")],
  ["JSON", json],
  ["JSON in a fence", `All good:\n\`\`\`json\n${json}\n\`\`\``],
  ["JSON over several lines", JSON.stringify(JSON.parse(json), null, 2)],
  ["unknown fields besides", yaml.replace("  confidence", "  mood: fine\n  confidence")],
  ["the same block twice", `${yaml}\n\n${yaml}`],
])("a claim is read from %s", (_what, output) => expect(done(output)).toBe(true));

// Nothing else does.
test.each([
  ["nothing", ""],
  ["prose that says so", "All tasks are done. The implementation is complete. exit_signal: true"],
  ["the name in a sentence", "I would write BUILDOS_HOMEWORK_STATUS: and exit_signal: true at the end."],
  ["the name quoted in a sentence", 'The block {"BUILDOS_HOMEWORK_STATUS": {"exit_signal": true}} ends a run.'],
  ["another name", yaml.replace("BUILDOS_HOMEWORK_STATUS", "RALPH_STATUS")],
])("no claim is read from %s", (_what, output) => expect(done(output)).toBe("missing"));

test.each([
  ["is cut off", json.slice(0, -10)],
  ["has no values", "BUILDOS_HOMEWORK_STATUS:\n"],
  ["has no colons", "BUILDOS_HOMEWORK_STATUS:\n  exit_signal true\n"],
  ["says neither yes nor no", yaml.replace("exit_signal: true", "exit_signal: probably")],
  ["contradicts another one", `${yaml}\n\n${yaml.replace("exit_signal: true", "exit_signal: false")}`],
  ["is a list", "BUILDOS_HOMEWORK_STATUS:\n  - exit_signal: true\n"],
])("a block that %s is not believed", (_what, output) => expect(done(output)).toBe("unusable"));

test("a block that says done and names work that remains is not done", () => {
  expect(done(yaml.replace("remaining_work: []", 'remaining_work: ["the summary"]'))).toBe(false);
});

test("every field is read", () => {
  expect(parseStatusBlock(yaml)).toEqual({
    kind: "found",
    claim: {
      exitSignal: true,
      needsUserInput: false,
      blockingQuestions: [],
      progressSummary: "Wrote it",
      remainingWork: [],
      completionEvidence: ["plan_completed"],
      nextActionHint: "stop",
      confidence: "high",
    },
  });
});

test("a block cut at any byte never says done", () => {
  for (let end = 0; end < json.length - 1; end++) expect(done(json.slice(0, end))).not.toBe(true);
});

property.prop([fc.string({ maxLength: 2_000 }), fc.string({ maxLength: 200 })])(
  "any text is read without an error",
  (before, after) => {
    parseStatusBlock(before);
    parseStatusBlock(`${before}\n${yaml.slice(0, 60)}${after}`);
  },
);

test("a megabyte of hostile text does not take long", () => {
  for (const piece of [
    '{"',
    "BUILDOS_HOMEWORK_STATUS:\n",
    "  ",
    "[",
    '{"BUILDOS_HOMEWORK_STATUS":',
    '{"BUILDOS_HOMEWORK_STATUS":\n',
    '"\\',
  ])
    parseStatusBlock(piece.repeat(100_000));
});
