// `homework doctor --runs`: asks the live database whether everything that must be true of runs is.

import type { Finding } from "../cli/ports.ts";
import { findViolations, type Violation } from "../store/run/run-invariants.ts";
import { openInstallation } from "./open-database.ts";
import type { ServeInput } from "./serve.ts";

const shownMax = 5;

export async function examineRuns(input: ServeInput): Promise<readonly Finding[]> {
  const opened = await openInstallation(input);
  try {
    const found = await findViolations(opened.db, input.config.max_concurrent_runs_per_user);
    if (found.length === 0)
      return [{ name: "runs", status: "ok", message: "every invariant holds for every run", fix: null }];
    const byName = Map.groupBy(found, ({ invariant }) => invariant);
    return [...byName].map(([name, violations]) => toFinding(name, violations));
  } finally {
    await opened.close();
  }
}

function toFinding(name: string, violations: readonly Violation[]): Finding {
  const shown = violations
    .slice(0, shownMax)
    .map(({ runId, detail }) => (runId === null ? detail : `run ${runId}: ${detail}`));
  const more = violations.length > shownMax ? ` (and ${violations.length - shownMax} more)` : "";
  return {
    name,
    status: "problem",
    message: `${shown.join("; ")}${more}`,
    fix: "This should never be: keep a dump (`homework db dump`) and report it with the output of --json",
  };
}
