// Server processes that outlived their postmaster. They end by themselves when they notice; one that is busy computing
// does not notice, so after a while it is told to. Each is checked to work in this very cluster before it is signalled.

import { type ProcessIdentity, signal } from "../../files/process-identity.ts";
import type { Env } from "../../lib/env.ts";
import { findPostmaster, isPostmasterOf, serverProcesses } from "./find-postmaster.ts";

/** Idle processes notice at once. */
const graceMs = 1000;
const pollMs = 50;

/** Empty while a postmaster runs: then they are its children. Undefined where it cannot be seen. */
export function orphansOf(cluster: string): readonly ProcessIdentity[] | undefined {
  return findPostmaster(cluster).state === "running" ? [] : serverProcesses(cluster);
}

/** Returns when they are gone, or at the deadline all the same: the start then says what is in its way. */
export async function untilOrphansGone(cluster: string, env: Env, deadline: number): Promise<void> {
  const patience = env.now() + graceMs;
  for (;;) {
    const orphans = orphansOf(cluster) ?? [];
    if (orphans.length === 0 || env.now() >= deadline) return;
    if (env.now() >= patience) endOrphans(cluster, orphans);
    await env.sleep(pollMs);
  }
}

/** Safe for the data: what they had not committed is undone by the recovery that follows in any case. */
function endOrphans(cluster: string, orphans: readonly ProcessIdentity[]): void {
  // A postmaster among them is just starting and has no pid file yet: it is no orphan for long.
  const children = orphans.filter(({ pid }) => isPostmasterOf(pid, cluster) === false);
  for (const child of children) signal(child, "SIGQUIT");
}
