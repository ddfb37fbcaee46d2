// Which processes belong to an agent run: those with its tag, those that were seen to belong to it before, and what they have started.
// Runs that the agent itself has started are runs of their own and are left alone.

import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { ProcessRow } from "./process-table.ts";

export type Family = {
  readonly tag: string;
  /** Null: it was never started, or it is not known which process it was. */
  readonly agent: ProcessIdentity | null;
  /** The group is the agent's even after the agent: only its parent knows, which saw it end. */
  readonly ownsGroup: boolean;
  /** Processes seen to belong to the run, by pid; members are added as they are found. */
  readonly seen: Map<number, ProcessIdentity>;
};

export const makeFamily = (tag: string, agent: ProcessIdentity | null, ownsGroup = false): Family => ({
  tag,
  agent,
  ownsGroup,
  seen: new Map(),
});

const isSame = (row: ProcessRow, identity: ProcessIdentity | null | undefined): boolean =>
  row.pid === identity?.pid && row.started === identity.started;

/** Living members, the process that asks left out. They are remembered, so that one whose parent ends is still known. */
export function findMembers(rows: readonly ProcessRow[], family: Family, self: ProcessIdentity): readonly ProcessRow[] {
  const { tag, agent, seen } = family;
  const candidates = rows.filter((row) => !isSame(row, self) && !isOfAnotherRun(row, tag));
  const leader = rows.find(({ pid }) => pid === agent?.pid);
  const isGroupOurs = leader === undefined ? family.ownsGroup : isSame(leader, agent);
  const members = new Map<number, ProcessRow>();
  for (const row of candidates) {
    const isOurs =
      row.marks.tag === tag ||
      isSame(row, agent) ||
      isSame(row, seen.get(row.pid)) ||
      // A group's number is given to no other process while one of its own is alive.
      (isGroupOurs && row.group === agent?.pid);
    if (isOurs) members.set(row.pid, row);
  }
  addDescendants(candidates, members);
  seen.clear();
  for (const { pid, started } of members.values()) seen.set(pid, { pid, started });
  return [...members.values()];
}

const isOfAnotherRun = ({ marks }: ProcessRow, tag: string): boolean =>
  marks.shim !== "" || (marks.tag !== "" && marks.tag !== tag);

function addDescendants(candidates: readonly ProcessRow[], members: Map<number, ProcessRow>): void {
  const rest = new Set(candidates.filter(({ pid }) => !members.has(pid)));
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const row of rest) {
      if (!members.has(row.parent)) continue;
      members.set(row.pid, row);
      rest.delete(row);
      isGrowing = true;
    }
  }
}

/** Does a run live that this one started? Its own shim watches it. */
export const hasLivingChild = (rows: readonly ProcessRow[], runId: string): boolean =>
  rows.some(({ marks }) => marks.tag !== "" && marks.parentRun === runId);
