import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entityKinds, instanceRoles, kindSpecs, projectRoles, projectStates } from "../../../src/protocol/kinds.ts";
import { findMessages } from "../../../src/words/find-messages.ts";
import { linkWords, wordsOf } from "./wording.ts";

const keys = [
  ...entityKinds.flatMap((kind) => [kind, kindSpecs[kind].plural, ...kindSpecs[kind].states]),
  ...projectStates,
  ...projectRoles,
  ...instanceRoles,
];

test("every kind, state and role has a word that can be translated", () => {
  const texts = findMessages("wording.ts", readFileSync(new URL("wording.ts", import.meta.url), "utf8")).map(
    ({ text }) => text,
  );
  expect(keys.filter((key) => !texts.includes(wordsOf(key)))).toEqual([]);
});

test("another key is made readable", () => expect(wordsOf("is_cheaper_than")).toBe("Is cheaper than"));

test.each([
  ["supports", true, "Supports"],
  ["supports", false, "Supported by"],
  ["depends_on", false, "Needed by"],
  ["inspires", false, "Inspires this goal"],
])("a link %s, outgoing: %s, reads %s", (rel, isOutgoing, words) =>
  expect(linkWords(rel, isOutgoing, "goal")).toBe(words),
);
