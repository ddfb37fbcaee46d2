// `homework doctor --runs`: asks the live database whether everything that must be true of runs and of outcomes is.

import type { Finding } from "../cli/ports.ts";
import { findOutcomeViolations } from "../store/outcome/outcome-invariants.ts";
import { findViolations } from "../store/run/run-invariants.ts";
import { openInstallation } from "./open-database.ts";
import type { ServeInput } from "./serve.ts";

const shownMax = 5;

/** `about`: the run or the outcome it is about; null: the whole. */
type Wrong = { readonly invariant: string; readonly about: string | null; readonly detail: string };

export async function examineRuns(input: ServeInput): Promise<readonly Finding[]> {
  const opened = await openInstallation(input);
  try {
    const runs = (await findViolations(opened.db, input.config.max_concurrent_runs_per_user)).map(
      ({ invariant, runId, detail }): Wrong => ({ invariant, about: runId && `run ${runId}`, detail }),
    );
    const outcomes = (await findOutcomeViolations(opened.db)).map(
      ({ invariant, outcomeId, detail }): Wrong => ({ invariant, about: `outcome ${outcomeId}`, detail }),
    );
    return [...toFindings("run", runs), ...toFindings("outcome", outcomes)];
  } finally {
    await opened.close();
  }
}

function toFindings(what: string, found: readonly Wrong[]): readonly Finding[] {
  if (found.length === 0)
    return [{ name: `${what}s`, status: "ok", message: `every invariant holds for every ${what}`, fix: null }];
  const byName = Map.groupBy(found, ({ invariant }) => invariant);
  return [...byName].map(([name, wrong]) => toFinding(name, wrong));
}

function toFinding(name: string, wrong: readonly Wrong[]): Finding {
  const shown = wrong.slice(0, shownMax).map(({ about, detail }) => (about === null ? detail : `${about}: ${detail}`));
  const more = wrong.length > shownMax ? ` (and ${wrong.length - shownMax} more)` : "";
  return {
    name,
    status: "problem",
    message: `${shown.join("; ")}${more}`,
    fix: "This should never be: keep a dump (`homework db dump`) and report it with the output of --json",
  };
}
