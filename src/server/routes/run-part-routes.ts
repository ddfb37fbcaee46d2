// Figures about all of one's runs: how many there are, and what the last ones came to.

import { routes } from "../../protocol/api.ts";
import { countRuns, usualRun } from "../../store/run-list-store.ts";
import { type MountDeps, mountUser } from "../mount.ts";

export function mountRunPartRoutes(deps: MountDeps): void {
  mountUser(deps, routes.runParts.counts, async ({ tx }) => ({ counts: { ...(await countRuns(tx)) } }));

  mountUser(deps, routes.runParts.estimate, async ({ tx }) => {
    const { runs, costMicroUsd, iterations, runningMs, tokens } = await usualRun(tx);
    return { runs, cost_micro_usd: costMicroUsd, iterations, running_ms: runningMs, tokens };
  });
}
