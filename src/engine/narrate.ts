// The summary of a report: three to five sentences by the summary model about facts from the store. Without them the report is
// put together from the same facts.

import type { Tx } from "../db/database.ts";
import { detectLanguage } from "../domain/language.ts";
import { tellChecks } from "../domain/run/checks/describe-check.ts";
import { findPrimaryOutput } from "../domain/run/report/report.ts";
import { tellTime } from "../domain/time-zone.ts";
import { type ReportView, reportPrompt } from "../prompts/report-prompt.ts";
import { type Ending, type Journal, type Narrated, untilInterrupted } from "../runs/ports/engine.ts";
import { platformLane } from "../runs/ports/run-store.ts";
import { recordOf } from "../store/run-view/run-record-store.ts";
import { recentIterations } from "../store/workspace/planner-store.ts";
import { ask } from "./ask.ts";
import type { PlannerDeps } from "./planner/iteration.ts";

const outputMax = 900;
const historyMax = 10;
/** One sentence is too little for a summary, an essay too much. */
const narrativeMin = 80;
const narrativeMax = 4_000;

/** What the planner itself said at the end is the summary; a model is asked where it said nothing, or the run was stopped. */
export const narrate = (deps: PlannerDeps, ending: Ending, journal: Journal<Tx>): Promise<Narrated> =>
  untilInterrupted(journal.signal, async () => ({
    kind: "narrated",
    text: await writeNarrative(deps, ending, journal),
  }));

async function writeNarrative(deps: PlannerDeps, ending: Ending, journal: Journal<Tx>): Promise<string | null> {
  const said = ending.run.closing?.summary.trim() ?? "";
  if (ending.status === "completed" && said !== "") return said.slice(0, narrativeMax);
  const view = await readView(deps, ending);
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
  const about = { lane: platformLane, messages: view.messages.length };
  const asked = await ask({ ...deps, journal, run: ending.run }, "report", request, about);
  return asked.ok ? fitting(asked.value.text) : null;
}

function fitting(text: string): string | null {
  const plain = text.trim();
  return plain.length < narrativeMin || plain.length > narrativeMax ? null : plain;
}

async function readView({ db, env }: PlannerDeps, { run, status, why, proofs, summary }: Ending): Promise<ReportView> {
  const { record, history } = await db.asUser({ userId: run.userId }, async (tx) => ({
    record: { ...(await recordOf(tx, run)), proofs },
    history: await recentIterations(tx, run.id, historyMax),
  }));
  const primary = findPrimaryOutput(record);
  const beginning = record.documents.find(({ id }) => id === primary?.id)?.beginning ?? "";
  return {
    kind: "report",
    objective: run.objective,
    now: tellTime(env.now(), run.timeZone),
    language: detectLanguage(run.objective),
    status,
    why,
    messages: record.messages.map(({ text }) => text),
    deliverable: primary && { type: primary.type, title: primary.title, beginning },
    created: record.created.map(({ type, title }) => ({ type, title })),
    updated: record.updated.map(({ type, title }) => ({ type, title })),
    proofs: tellChecks(run.checks, proofs).map(({ about, isGreen, seen }) => ({
      about,
      isGreen: isGreen ?? false,
      seen: seen ?? "was not looked at",
    })),
    openQuestions: record.closing?.openQuestions ?? [],
    unsure: record.closing?.unsure ?? [],
    iterations: run.state.iteration,
    history: [...history.map((line) => line.summary), summary],
  };
}
