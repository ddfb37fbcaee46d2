import { expect, test } from "vitest";
import type { ProposedCheck } from "./answer.ts";
import { together, toProposal } from "./proposal.ts";

const counted: ProposedCheck = {
  id: "c1",
  deliverable_id: "d1",
  kind: "entity_count",
  entity: "task",
  at_least: 5,
  title_like: "",
  headings: [],
  words_at_least: 0,
  sources_at_least: 0,
};

test("what is proposed is the planner's", () =>
  expect(toProposal({ deliverables: [{ id: "d1", title: "A list" }], checks: [counted] })).toEqual({
    deliverables: [{ id: "d1", title: "A list" }],
    checks: [
      {
        id: "c1",
        deliverableId: "d1",
        target: { kind: "entity_count", entity: "task", atLeast: 5 },
        givenBy: "planner",
      },
    ],
    drops: [],
    why: "",
  }));

test("only dropping something is a proposal", () =>
  expect(toProposal({ deliverables: [], checks: [], drops: ["c1"], why: "you said so" })).toMatchObject({
    drops: ["c1"],
    why: "you said so",
  }));

test("nothing is no proposal", () => expect(toProposal({ deliverables: [], checks: [] })).toBeNull());

test("a check that is named again after it was dropped is not dropped any more", () => {
  const dropped = { deliverables: [], checks: [], drops: ["c1", "c2"], why: "you said so" };
  const again = toProposal({ deliverables: [], checks: [counted] }) ?? dropped;
  expect(together(dropped, again)).toMatchObject({ checks: again.checks, drops: ["c2"], why: "you said so" });
});
