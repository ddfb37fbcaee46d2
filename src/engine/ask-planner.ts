// Asks the planner for its one answer. Where it wants the very same actions again after it was told not to, it is asked once
// more; if it insists, they are not carried out.

import { actionsOf } from "../domain/planner/actions.ts";
import { type PlannerAnswer, plannerAnswer } from "../domain/planner/answer.ts";
import type { PlannerView } from "../domain/planner/view.ts";
import { actionFingerprint } from "../domain/run/fingerprint.ts";
import type { ModelRequest } from "../llm/model.ts";
import { plannerPrompt } from "../prompts/planner-prompt.ts";
import { repeatedHint } from "../prompts/planner-rules.ts";
import { type Asked, askObject } from "./ask.ts";
import type { Iteration } from "./iteration.ts";

const outputMax = 8_000;

export type Planned = { readonly answer: PlannerAnswer; readonly isRepeated: boolean };

export async function askPlanner(it: Iteration, view: PlannerView): Promise<Asked<Planned>> {
  const { system, message } = plannerPrompt(view, it.nonce);
  const request: ModelRequest = {
    role: "planner",
    system,
    messages: [{ role: "user", text: message }],
    tools: [],
    format: "json",
    maxOutputTokens: outputMax,
    cacheKey: it.run.id,
    view,
  };
  const first = await askObject(it, "plan", request, plannerAnswer);
  if (!first.ok || !isForcedToReplan(it, first.value)) return planned(first, false);
  const again = await askObject(
    it,
    "plan/replan",
    {
      ...request,
      messages: [
        ...request.messages,
        { role: "assistant", text: JSON.stringify(first.value), toolCalls: [], native: null },
        { role: "user", text: repeatedHint },
      ],
      view: { ...view, hint: repeatedHint },
    },
    plannerAnswer,
  );
  return planned(again, again.ok && isForcedToReplan(it, again.value));
}

/** It repeated itself once already, and was told so. */
function isForcedToReplan({ run: { streaks } }: Iteration, answer: PlannerAnswer): boolean {
  const actions = actionFingerprint(actionsOf(answer));
  return streaks.sameAction > 0 && actions !== null && actions === streaks.lastActions;
}

const planned = (asked: Asked<PlannerAnswer>, isRepeated: boolean): Asked<Planned> =>
  asked.ok ? { ok: true, value: { answer: asked.value, isRepeated } } : asked;
