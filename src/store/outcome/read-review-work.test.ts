import { expect, test } from "vitest";
import { outcomeWorld } from "../../../test/helpers/outcome-world.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { keepReview } from "./keep-review.ts";
import { readReviewWork } from "./read-review-work.ts";

const world = await outcomeWorld();
const user = await world.makeUser();

async function review(id: OutcomeId, cycle: number, found: readonly string[], gaps: readonly string[]): Promise<void> {
  const findings = found.map((description) => ({ description, severity: "low", evidence: "" }) as const);
  const kept = { cycle, findings, isClean: found.length === 0, summary: "Read", taskId: null };
  await world.db.asSystem((tx) => keepReview(tx, id, kept));
  await world.admin.query(
    `insert into homework.homr_activity_log (outcome_id, seq, type, cause, summary, details)
     values ($1, (select 1000 + count(*) from homework.homr_activity_log where outcome_id = $1), 'review', '{}', 'Read', $2)`,
    [id, { cycle, gaps }],
  );
}

test("a reviewer is told what the last reviews found and left to people, oldest first", async () => {
  const id = await world.open(user, [{}]);
  await review(id, 1, ["Very old"], []);
  await review(id, 2, ["The permit is called open in two documents"], ["Ask for a well test"]);
  await review(id, 3, [], ["Ask for a well test", "Choose a date"]);
  await review(id, 4, [], []);
  const { earlier } = await world.as(user, (tx) => readReviewWork(tx, id));
  expect(earlier).toEqual([
    {
      cycle: 2,
      findings: [{ description: "The permit is called open in two documents" }],
      gaps: ["Ask for a well test"],
    },
    { cycle: 3, findings: [], gaps: ["Ask for a well test", "Choose a date"] },
    { cycle: 4, findings: [], gaps: [] },
  ]);
});

test("the first review has none before it", async () => {
  const id = await world.open(user, [{}]);
  expect((await world.as(user, (tx) => readReviewWork(tx, id))).earlier).toEqual([]);
});
