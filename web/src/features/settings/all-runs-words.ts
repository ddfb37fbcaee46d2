// The runs of everyone, sorted by whose they are, and counted in words. Pure.

import type { routes } from "../../../../src/protocol/api.ts";
import { cost } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";

export type SomeRun = RouteResult<typeof routes.identity.allRuns>["items"][number];
type OwnerRuns = { readonly owner: SomeRun; readonly runs: readonly SomeRun[] };

/** In the order in which the owners come. */
export function groupByOwner(runs: readonly SomeRun[]): readonly OwnerRuns[] {
  const groups = Map.groupBy(runs, ({ user_id }) => user_id);
  return [...groups.values()].flatMap((ofOwner) => (ofOwner[0] ? [{ owner: ofOwner[0], runs: ofOwner }] : []));
}

/** What the administrator may have to look at comes first. */
const order: readonly SomeRun["status"][] = ["waiting_on_user", "running", "queued"];
const countWords: Readonly<Partial<Record<SomeRun["status"], string>>> = {
  waiting_on_user: "waiting for an answer",
  running: "running",
  queued: "queued",
};

/** `2 running, 28 queued, 4 ended`. */
export function countStates(runs: readonly SomeRun[]): string {
  const count = (status: SomeRun["status"]) => runs.filter((run) => run.status === status).length;
  const open = order.map((status) => [count(status), countWords[status]] as const);
  const ended = runs.length - open.reduce((sum, [number]) => sum + number, 0);
  return [...open, [ended, "ended"] as const]
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(", ");
}

const toMicro = (amount: number) => Math.round(amount * 1_000_000);
const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** What the rows show of an amount: whole cents, but for what is less than one. */
const toShown = (amount: number) => (amount < 0.01 ? toMicro(amount) : toMicro(Number(amount.toFixed(2))));

export const costOf = (run: SomeRun) => cost(toMicro(run.cost_usd), run.unpriced_calls);

/** The sum of the rows as they are shown, so that it can be checked by adding them up. */
export const totalCost = (runs: readonly SomeRun[]) =>
  cost(sum(runs.map((run) => toShown(run.cost_usd))), sum(runs.map((run) => run.unpriced_calls)));

const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? name;

/** Other people's runs do not need the reader. */
export function waitWords({ user_id: owner, user_name: name }: SomeRun, me: string | undefined): string {
  return owner === me ? "Needs you" : `Waits for ${firstName(name)}`;
}
