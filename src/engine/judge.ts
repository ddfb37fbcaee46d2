// Asks the judge about a run's documents. What it answers is believed only as far as it quotes them (judge-answer.ts); an
// answer that cannot be had is a no.

import type { Tx } from "../db/database.ts";
import type { Check } from "../domain/run/checks.ts";
import { readJudgeAnswer } from "../domain/run/judge-answer.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { judgeLimits, judgePrompt } from "../prompts/judge-prompt.ts";
import type { Journal } from "../runs/engine-port.ts";
import { findDocuments } from "../store/check-store.ts";
import { ask } from "./ask.ts";
import type { PlannerDeps } from "./planner/iteration.ts";
import type { Seen } from "./prove.ts";

const outputMax = 1_500;

export async function judge(deps: PlannerDeps, run: RunningRun, check: Check, journal: Journal<Tx>): Promise<Seen> {
  const rubric = check.target.kind === "judge" ? check.target.rubric : "";
  const found = await deps.db.asUser({ userId: run.userId }, (tx) => findDocuments(tx, run.id, null));
  const documents = found.slice(-judgeLimits.artifacts);
  if (documents.length === 0) return { isGreen: false, seen: "there is nothing to judge yet", artifacts: [] };
  const view = { rubric, artifacts: documents.map(({ id, title, content }) => ({ id, title, text: content })) };
  const { system, message } = judgePrompt(view, deps.env.newId().replaceAll("-", ""));
  const asked = await ask({ ...deps, journal, run }, `judge:${check.id}`, {
    role: "judge",
    system,
    messages: [{ role: "user", text: message }],
    tools: [],
    format: "json",
    maxOutputTokens: outputMax,
    cacheKey: `${run.id}/judge`,
    view,
  });
  if (!asked.ok) return { isGreen: false, seen: `the judge could not be asked: ${asked.why}`, artifacts: [] };
  const texts = documents.map(({ content }) => content.slice(0, judgeLimits.each));
  const { isGreen, seen } = readJudgeAnswer(asked.value.text, texts);
  return { isGreen, seen, artifacts: documents.map(({ kind, id }) => ({ kind, id })) };
}
