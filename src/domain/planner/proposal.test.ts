import { expect, test } from "vitest";
import { type PlannerAnswer, type ProposedCheck, plannerAnswer } from "./answer.ts";
import { toProposal } from "./proposal.ts";

const page = { id: "d1", title: "A page" };
const counted: ProposedCheck = { id: "c1", deliverable_id: "d1", kind: "entity_count", entity: "task", at_least: 5 };
const words: ProposedCheck = {
  id: "c2",
  deliverable_id: "d1",
  kind: "document_has",
  title_like: "Page",
  headings: ["Goal"],
  words_at_least: 100,
  sources_at_least: 0,
};

const answer = (over: Partial<PlannerAnswer>): PlannerAnswer => ({
  ...plannerAnswer.parse({ status: { exit_signal: false }, plan: { steps: [] } }),
  ...over,
});

const ids = (over: Partial<PlannerAnswer>) => toProposal(answer(over))?.checks.map(({ id }) => id);

test("a check of substance needs no judge", () =>
  expect(ids({ deliverables: [page], checks: [words] })).toEqual(["c2"]));

test("a check that only counts gets a judge beside it", () =>
  expect(ids({ deliverables: [page], checks: [counted] })).toEqual(["c1", "judge:d1"]));

test("a deliverable without any check gets a judge, which alone will not do", () =>
  expect(ids({ deliverables: [page], checks: [] })).toEqual(["judge:d1"]));

test("a look at a document that asks nothing of it is no substance", () =>
  expect(ids({ deliverables: [page], checks: [{ ...words, headings: [], words_at_least: 0 }] })).toEqual([
    "c2",
    "judge:d1",
  ]));

test("a check for something that was not promised is left out", () =>
  expect(ids({ deliverables: [page], checks: [words, { ...counted, deliverable_id: "other" }] })).toEqual(["c2"]));

test("nothing promised is no proposal", () => expect(ids({ checks: [words] })).toBeUndefined());
