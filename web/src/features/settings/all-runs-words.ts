// The runs of everyone, sorted by whose they are, and counted in words. Pure.

import type { routes } from "../../../../src/protocol/api.ts";
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

const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? name;

/** Other people's runs do not need the reader. */
export function waitWords({ user_id: owner, user_name: name }: SomeRun, me: string | undefined): string {
  return owner === me ? "Needs you" : `Waits for ${firstName(name)}`;
}
