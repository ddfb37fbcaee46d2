import { expect, test } from "vitest";
import { costOf, countStates, groupByOwner, type SomeRun, totalCost, waitWords } from "./all-runs-words.ts";

const run = (user: string, status: SomeRun["status"]) =>
  ({ id: `${user}-${status}`, user_id: user, user_name: `${user} Novak`, status }) as SomeRun;

test("runs stand under their owners, counted by what they do", () => {
  const groups = groupByOwner([
    run("Eli", "queued"),
    run("Ada", "running"),
    run("Eli", "running"),
    run("Eli", "failed"),
  ]);
  expect(groups.map(({ owner, runs }) => [owner.user_id, countStates(runs)])).toEqual([
    ["Eli", "1 running, 1 queued, 1 ended"],
    ["Ada", "1 running"],
  ]);
});

test("only one's own run needs the reader", () => {
  expect([waitWords(run("Eli", "waiting_on_user"), "Ada"), waitWords(run("Ada", "waiting_on_user"), "Ada")]).toEqual([
    "Waits for Eli",
    "Needs you",
  ]);
});

test("the sum is that of the rows as they are shown", () => {
  const runs = [0.0249, 0.0249, 0.0249, 0.4549].map((cost_usd) => ({ cost_usd, unpriced_calls: 0 }) as SomeRun);
  expect([...runs.map(costOf), totalCost(runs)]).toEqual(["$0.02", "$0.02", "$0.02", "$0.45", "$0.51"]);
});
