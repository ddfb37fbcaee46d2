import { expect, test } from "vitest";
import { entityKinds, instanceRoles, kindSpecs, projectRoles, projectStates } from "../../../src/protocol/kinds.ts";
import { keyWords, linkWords, wordsOf } from "./wording.ts";

const keys = [
  ...entityKinds.flatMap((kind) => [kind, kindSpecs[kind].plural, ...kindSpecs[kind].states]),
  ...projectStates,
  ...projectRoles,
  ...instanceRoles,
];

test("every kind, state and role has a word of its own", () =>
  expect(keys.filter((key) => !(key in keyWords))).toEqual([]));

test("another key is made readable", () => expect(wordsOf("is_cheaper_than")).toBe("Is cheaper than"));

test.each([
  ["supports", true, "Supports"],
  ["supports", false, "Supported by"],
  ["depends_on", false, "Needed by"],
  ["inspires", false, "Inspires this goal"],
])("a link %s, outgoing: %s, reads %s", (rel, isOutgoing, words) =>
  expect(linkWords(rel, isOutgoing, "goal")).toBe(words),
);
