import { expect, test } from "vitest";
import { type ChatFacts, egressOf, needWord, type WantedCall } from "./need-word.ts";

const clean: ChatFacts = { hasReadUntrusted: false, userTexts: [], foundUrls: [], approvals: [] };
const tainted: ChatFacts = { ...clean, hasReadUntrusted: true };
const read: WantedCall = { kind: "read", tags: ["private"], isRepeatable: false, destination: null };
const fetchPage: WantedCall = {
  kind: "outside",
  tags: ["untrusted", "egress"],
  isRepeatable: true,
  destination: "https://evil.example/?q=secret",
};
const check = (call: WantedCall, facts: ChatFacts) => needWord(call, egressOf(facts));

test("a read runs freely", () => expect(check(read, tainted)).toEqual({ needsWord: false }));

test("a write needs a word, always", () =>
  expect(check({ ...read, kind: "write", tags: [] }, clean)).toMatchObject({ needsWord: true, approval: null }));

test("a page may be opened before text of strangers was read", () =>
  expect(check(fetchPage, clean)).toEqual({ needsWord: false }));

test("after it, a page needs a word, and a yes holds for its site", () =>
  expect(check(fetchPage, tainted)).toMatchObject({ needsWord: true, approval: "https://evil.example" }));

test("an address that the user wrote needs none", () =>
  expect(check(fetchPage, { ...tainted, userTexts: ["see https://evil.example/?q=secret"] })).toEqual({
    needsWord: false,
  }));

test("a site that the user has allowed needs none", () =>
  expect(check(fetchPage, { ...tainted, approvals: ["https://evil.example"] })).toEqual({ needsWord: false }));

test("what may not be done twice needs a word also before that", () =>
  expect(check({ ...fetchPage, isRepeatable: false }, clean)).toMatchObject({ needsWord: true }));

test("what takes something away out there needs a word", () =>
  expect(check({ ...fetchPage, tags: ["destructive"] }, clean)).toMatchObject({ needsWord: true }));
