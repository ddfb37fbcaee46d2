import { expect, test } from "vitest";
import {
  type AuditEntry,
  countTargets,
  describeDetails,
  describeTarget,
  groupEntries,
  listTargets,
  readTarget,
  sentenceOf,
} from "./audit-words.ts";

let seq = 100;
const entry = (actor_id: string, action: string, target: string, details: AuditEntry["details"] = {}): AuditEntry => {
  seq -= 1;
  return { seq, at: "2026-03-01T10:00:00Z", actor_id, action, target, details };
};

test("what one person did again and again within an hour is one line for each kind of action", () => {
  const groups = groupEntries([
    entry("eli", "run_created", "run:4", { engine: "planner" }),
    entry("eli", "run_canceled", "run:3"),
    entry("eli", "run_created", "run:3", { engine: "planner" }),
    entry("ada", "user_changed", "user:eli", { disabled: true }),
    entry("eli", "run_created", "run:2"),
    { ...entry("eli", "run_created", "run:1"), at: "2026-03-01T08:59:00Z" },
  ]);
  expect(groups.map(({ first, entries }) => [first.action, entries.length])).toEqual([
    ["run_created", 3],
    ["run_canceled", 1],
    ["user_changed", 1],
    ["run_created", 1],
  ]);
});

test("people, keys and projects are told one by one: it matters which one it was", () => {
  const groups = groupEntries([
    entry("ada", "user_changed", "user:eli", { role: "admin" }),
    entry("ada", "user_changed", "user:dora", { role: "admin" }),
    entry("ada", "key_created", "key:1", { name: "Laptop" }),
    entry("ada", "key_created", "key:2", { name: "Backup" }),
  ]);
  expect(groups).toHaveLength(4);
});

test.each([
  ["run:0191", 1, {}, "a run"],
  ["run:0191", 28, {}, "28 runs"],
  ["key:1", 1, { name: "Laptop" }, "the API key “Laptop”"],
  ["provider:anthropic", 1, {}, "Anthropic"],
  ["role:judge", 1, {}, "Judge"],
  ["email:eve@example.test", 1, {}, "eve@example.test"],
  ["everyone", 1, {}, "everyone"],
])("%s, %i times, reads as words without its id", (target, count, details, words) =>
  expect(describeTarget(readTarget(target), count, details)).toBe(words),
);

test.each([
  ["run_answered", { before: "answered a question of", after: "" }],
  ["run_undone", { before: "took back what", after: "wrote" }],
  ["sign_in", { before: "signed in", after: null }],
  ["something_new", { before: "something new", after: null }],
])("%s is a sentence around what it was done to", (action, sentence) => expect(sentenceOf(action)).toEqual(sentence));

test("details say what a person would, and leave out ids and engines", () => {
  expect(describeDetails({ engine: "planner", owner: "0191" })).toBeNull();
  expect(describeDetails({ disabled: true })).toBe("Account closed");
  expect(describeDetails({ removed: 14, kept: 0, skipped: 1 })).toBe("Removed: 14 items · Skipped: 1 item");
  expect(describeDetails({ monthly_usd: 20, runs_at_once: null })).toBe("Monthly budget: $20");
  expect(describeDetails({ name: "Laptop", scopes: ["read", "run"] })).toBe("Scopes: Read, Run");
});

test("the same thing twice is one thing, and more than three are only counted", () => {
  const some = ["1", "2", "2"].map((id) => entry("ada", "outcome_edited", `outcome:${id}`));
  expect([listTargets(some), countTargets(some)]).toEqual([["1", "2"], 2]);
  const many = ["1", "2", "3", "4"].map((id) => entry("ada", "outcome_edited", `outcome:${id}`));
  expect([listTargets(many), countTargets(many)]).toEqual([[], 4]);
});

test("one person added to two projects is two lines", () =>
  expect(
    groupEntries(["1", "2"].map((project) => entry("ada", "member_added", "user:bo", { project, role: "viewer" }))),
  ).toHaveLength(2));
