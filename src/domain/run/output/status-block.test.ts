import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { expectEvenGrowth } from "../../../../test/helpers/even-growth.ts";
import { claimsDone } from "../gate/claim.ts";
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
  ["YAML with fields as deep as its name", yaml.replaceAll(/^ {2}/gm, "")],
  ["YAML behind its name", "BUILDOS_HOMEWORK_STATUS: { exit_signal: true, remaining_work: [] }"],
  ["YAML with tabs", "BUILDOS_HOMEWORK_STATUS:\n\texit_signal: true"],
  ["YAML with fields in capitals", yaml.replaceAll(/\b[a-z_]+:/g, (key) => key.toUpperCase())],
  ["YAML in colours", `\u001b[1m${yaml}\u001b[0m`],
  ["JSON with fields in capitals", json.replace("exit_signal", "EXIT_SIGNAL")],
  ["JSON with true in quotes", json.replace("true", '"True"')],
  ["YAML with colons that nobody quoted", yaml.replace('"Wrote it"', "Wrote: it (see: page)")],
  ["YAML with a sign that nobody quoted", yaml.replace('"Wrote it"', "`it` is written")],
  [
    "JSON in a fence with its name as a later key",
    `Well:\n\`\`\`json\n{"plan": [{"confidence": 1}], ${json.slice(1)}\n\`\`\``,
  ],
  ["JSON with its name as a later key", `{"thoughts": "well", ${json.slice(1)}`],
  ["nothing remaining, in words", yaml.replace("remaining_work: []", "remaining_work: None.")],
  [
    "the contract's example and an answer",
    `${yaml.replace("exit_signal: true", "exit_signal: true|false")}\n\n${yaml}`,
  ],
  ["an answer in an envelope", JSON.stringify({ type: "result", result: `Done.\n${yaml}` })],
])("a claim is read from %s", (_what, output) => expect(done(output)).toBe(true));

// Nothing else does.
test.each([
  ["nothing", ""],
  ["prose that says so", "All tasks are done. The implementation is complete. exit_signal: true"],
  ["the name in a sentence", "I would write BUILDOS_HOMEWORK_STATUS: and exit_signal: true at the end."],
  ["the name quoted in a sentence", 'The block {"BUILDOS_HOMEWORK_STATUS": {"exit_signal": true}} ends a run.'],
  ["a quote", yaml.replaceAll(/^/gm, "> ")],
  ["a diff", yaml.replaceAll(/^/gm, "+ ")],
  ["a list item", `- ${yaml}`],
  ["what a tool printed", `<tool_result>${yaml}\n</tool_result>`],
  ["another name", yaml.replace("BUILDOS_HOMEWORK_STATUS", "RALPH_STATUS")],
])("no claim is read from %s", (_what, output) => expect(done(output)).toBe("missing"));

test.each([
  ["is cut off", json.slice(0, -10)],
  ["has no values", "BUILDOS_HOMEWORK_STATUS:\n"],
  ["has no colons", "BUILDOS_HOMEWORK_STATUS:\n  exit_signal true\n"],
  ["says neither yes nor no", yaml.replace("exit_signal: true", "exit_signal: probably")],
  ["contradicts another one", `${yaml}\n\n${yaml.replace("exit_signal: true", "exit_signal: false")}`],
  [
    "contradicts another one in what remains",
    `${yaml}\n\n${yaml.replace("remaining_work: []", "remaining_work: [a]")}`,
  ],
  ["contradicts another one in JSON", `${yaml}\n\n${json.replace("true", "false")}`],
  ["says a field twice", `${yaml}\n  exit_signal: true`],
  ["says a field twice in JSON", json.replace('{"exit', '{"exit_signal": false, "exit')],
  ["says a field twice, once in capitals", `${yaml}\n  EXIT_SIGNAL: true`],
  ["is in a fence that is never closed", `\`\`\`yaml\n${yaml}`],
  ["ends in the middle of a field", "BUILDOS_HOMEWORK_STATUS:\n  exit_signal: true\n  remaining_work:"],
  ["is longer than any block", yaml.replace("Wrote it", "x".repeat(30_000))],
  ["is the contract's example", yaml.replace("exit_signal: true", "exit_signal: true|false")],
  ["is a list", "BUILDOS_HOMEWORK_STATUS:\n  - exit_signal: true\n"],
])("a block that %s is not believed", (_what, output) => expect(done(output)).toBe("unusable"));

test("a block that says done and names work that remains is not done", () => {
  expect(done(yaml.replace("remaining_work: []", "remaining_work:\n    - mend: the test"))).toBe(false);
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

test("a value that ends in a colon does not swallow the next field", () => {
  const open = yaml.replace('"Wrote it"', "Wrote it:").replace("remaining_work: []", "remaining_work: [a]");
  expect(done(open)).toBe(false);
});

test("a block that says done and asks something is not done", () => {
  expect(done(yaml.replace("needs_user_input: false", "needs_user_input: true"))).toBe(false);
  expect(done(yaml.replace("blocking_questions: []", 'blocking_questions: ["Which?"]'))).toBe(false);
});

/** A block that is done or not, with its fields in any order. */
const fields = fc
  .record({ exit: fc.boolean(), rest: fc.array(fc.constantFrom("the summary", "none", "a: b", "{", '"')) })
  .chain(({ exit, rest }) =>
    fc.shuffledSubarray(
      [
        ["exit_signal", exit],
        ["remaining_work", rest],
        ["progress_summary", "Wrote: {it} and \\"],
        ["confidence", "high"],
      ] as const,
      { minLength: 4 },
    ),
  );
const asJson = (block: readonly (readonly [string, unknown])[]) =>
  JSON.stringify({ BUILDOS_HOMEWORK_STATUS: Object.fromEntries(block) });
const asYaml = (block: readonly (readonly [string, unknown])[]) =>
  ["BUILDOS_HOMEWORK_STATUS:", ...block.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)].join("\n");
/** Of a text, all its beginnings but itself. */
const beginnings = (text: string) => Array.from(text, (_, end) => text.slice(0, end));

property.prop([fields], { numRuns: 30 })("JSON, an envelope or a fence that is cut off never says done", (block) => {
  for (const whole of [asJson(block), JSON.stringify({ result: asYaml(block) }), `\`\`\`\n${asYaml(block)}\n  \`\`\``])
    for (const cut of beginnings(whole.slice(0, -2))) expect(done(cut)).not.toBe(true);
});

property.prop([fields], { numRuns: 30 })("YAML that names what remains first says done only whole", (block) => {
  const ordered = block.toSorted(([one], [other]) => Number(one === "exit_signal") - Number(other === "exit_signal"));
  const whole = asYaml(ordered);
  for (const cut of beginnings(whole)) expect(done(cut)).not.toBe(true);
});

// Nothing can tell a short block from a long one that lost its end; its checks still have to be green.
test("YAML that is cut between its signal and what remains says done", () => {
  expect(done("BUILDOS_HOMEWORK_STATUS:\n  exit_signal: true\n")).toBe(true);
});

property.prop([
  fc.array(fc.oneof(fc.constantFrom(...yaml.split("\n"), ...json.split(" "), "```", "{", "}"), fc.string())),
])("done is said only by a text that has the name, the field and the word", (pieces) => {
  const output = pieces.join("\n");
  if (done(output) === true) expect(output).toMatch(/BUILDOS_HOMEWORK_STATUS[\s\S]*exit_signal"?:\s*"?true/i);
});

property.prop([fc.string({ maxLength: 2_000 }), fc.string({ maxLength: 200 })])(
  "any text is read without an error",
  (before, after) => {
    parseStatusBlock(before);
    parseStatusBlock(`${before}\n${yaml.slice(0, 60)}${after}`);
  },
);

test.each([
  '{"',
  "BUILDOS_HOMEWORK_STATUS:\n",
  "BUILDOS_HOMEWORK_STATUS:\n  a: &a [*a]\n",
  "  ",
  "[",
  '{"BUILDOS_HOMEWORK_STATUS":',
  '{"BUILDOS_HOMEWORK_STATUS":\n',
  '"\\',
  "<event>",
  "<event ",
  "```\n",
  '{"result":"',
  '{"type":"x"}\n',
])("reading much of %j grows evenly", (piece) => {
  expectEvenGrowth(200_000, (size) => {
    const many = piece.repeat(size / piece.length);
    parseStatusBlock(many);
    parseStatusBlock(`{"BUILDOS_HOMEWORK_STATUS": ${many}`);
    parseStatusBlock(`BUILDOS_HOMEWORK_STATUS:\n  exit_signal: true\n  x: ${many}`);
  });
});
