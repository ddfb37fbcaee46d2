// The runs of a task as a tree: runs that an agent started stand below its own, and the restarts of one agent follow each other. Pure.

import type { AgentRun } from "../../../../../src/protocol/api.ts";

export type RunNode = {
  readonly run: AgentRun;
  /** How deep below a root run. */
  readonly depth: number;
  /** Which try of its restart chain this is, and how many there are; 1 of 1: it was not restarted. */
  readonly attempt: number;
  readonly attempts: number;
};

/** In the order in which they are shown: each run, then its children. A parent or predecessor that is not there counts as none. */
export function toRunTree(runs: readonly AgentRun[]): readonly RunNode[] {
  const known = new Map(runs.map((run) => [run.run_id, run]));
  const children = new Map<string | null, AgentRun[]>();
  for (const run of runs) {
    const parent = run.parent_run_id !== null && known.has(run.parent_run_id) ? run.parent_run_id : null;
    children.set(parent, [...(children.get(parent) ?? []), run]);
  }
  const chains = countChains(runs, known);
  const nodes: RunNode[] = [];
  const seen = new Set<string>();
  const add = (run: AgentRun, depth: number): void => {
    if (seen.has(run.run_id)) return;
    seen.add(run.run_id);
    nodes.push({ run, depth, ...(chains.get(run.run_id) ?? { attempt: 1, attempts: 1 }) });
    for (const child of children.get(run.run_id) ?? []) add(child, depth + 1);
  };
  for (const run of children.get(null) ?? []) add(run, 0);
  // Runs that name each other as parents hang from no root.
  for (const run of runs) add(run, 0);
  return nodes;
}

function countChains(runs: readonly AgentRun[], known: ReadonlyMap<string, AgentRun>) {
  const heads = new Map<string, { readonly head: string; readonly attempt: number }>();
  for (const run of runs) {
    const before =
      run.previous_run_id !== null && known.has(run.previous_run_id) ? heads.get(run.previous_run_id) : undefined;
    heads.set(
      run.run_id,
      before ? { head: before.head, attempt: before.attempt + 1 } : { head: run.run_id, attempt: 1 },
    );
  }
  const lengths = new Map<string, number>();
  for (const { head, attempt } of heads.values()) lengths.set(head, Math.max(lengths.get(head) ?? 0, attempt));
  return new Map([...heads].map(([id, { head, attempt }]) => [id, { attempt, attempts: lengths.get(head) ?? 1 }]));
}
