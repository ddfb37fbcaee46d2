// The narrative of a report: five to ten sentences by the summary model about facts from the store. What goes wrong here
// costs the run nothing: the report is then put together from the same facts.

import type { Tx } from "../db/database.ts";
import { describeCheck } from "../domain/run/describe-check.ts";
import { type ReportView, reportPrompt } from "../prompts/report-prompt.ts";
import type { Ending, Journal } from "../runs/engine-port.ts";
import { changedByRun, recentIterations } from "../store/planner-store.ts";
import { ask, Held } from "./ask.ts";
import type { PlannerDeps } from "./planner/iteration.ts";

const outputMax = 900;
const historyMax = 10;
/** A sentence is no narrative, and an essay is none either. */
const narrativeMin = 80;
const narrativeMax = 4_000;

export async function narrate(deps: PlannerDeps, ending: Ending, journal: Journal<Tx>): Promise<string | null> {
  const view = await viewOf(deps, ending);
  const nonce = deps.env.newId().replaceAll("-", "");
  const { system, message } = reportPrompt(view, nonce);
  const request = {
    role: "summary",
    system,
    messages: [{ role: "user", text: message }],
    tools: [],
    format: "text",
    maxOutputTokens: outputMax,
    cacheKey: `${ending.run.id}/report`,
    view,
  } as const;
  try {
    const asked = await ask({ ...deps, journal, run: ending.run }, "report", request);
    return asked.ok ? fitting(asked.value.text) : null;
  } catch (thrown) {
    // No money for it, or no provider: then there is none.
    if (thrown instanceof Held || (thrown instanceof Error && thrown.name === "CallRefused")) return null;
    throw thrown;
  }
}

function fitting(text: string): string | null {
  const plain = text.trim();
  return plain.length < narrativeMin || plain.length > narrativeMax ? null : plain;
}

async function viewOf({ db }: PlannerDeps, { run, status, why, proofs, summary }: Ending): Promise<ReportView> {
  const read = await db.asUser({ userId: run.userId }, async (tx) => ({
    changed: await changedByRun(tx, run.id),
    history: await recentIterations(tx, run.id, historyMax),
  }));
  const seen = new Map(proofs.map((proof) => [proof.checkId, proof]));
  const only = (op: "created" | "updated") =>
    read.changed.filter((thing) => thing.op === op).map(({ kind, title }) => ({ type: kind, title }));
  return {
    kind: "report",
    objective: run.objective,
    status,
    why,
    created: only("created"),
    updated: only("updated"),
    proofs: run.checks.map((check) => ({
      about: describeCheck(check),
      isGreen: seen.get(check.id)?.isGreen ?? false,
      seen: seen.get(check.id)?.seen ?? "was not looked at",
    })),
    iterations: run.state.iteration,
    history: [...read.history.map((line) => line.summary), summary],
  };
}
