// The demo model: rules, no AI. It answers every role from the structured view a prompt was written from, always the same to
// the same, and asks no server. Whatever it writes says what it is.

import { z } from "zod";
import type { ExecutorView, PlannerView } from "../../domain/planner/view.ts";
import { unreachable } from "../../lib/assert.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { chatByRules } from "./demo-chat.ts";
import { executeByRules } from "./demo-executor.ts";
import { judgeByRules } from "./demo-judge.ts";
import { planByRules } from "./demo-planner.ts";
import { repairByRules } from "./demo-repair.ts";
import { type ReportFacts, reportFacts, summariseByRules } from "./demo-summary.ts";
import { countWords, shorten } from "./phrase.ts";
import { phraseOf } from "./words.ts";

export function demoCall(request: ModelRequest): PlainAnswer {
  const { role, view } = request;
  switch (role) {
    case "planner":
      return isPlannerView(view) ? planByRules(view, request) : unreadable;
    case "executor":
      return isExecutorView(view) ? executeByRules(view, request) : unreadable;
    case "repair":
      return say(JSON.stringify(repairByRules(view)));
    case "summary":
      return isReport(view) ? say(summariseByRules(view)) : unreadable;
    case "judge":
      return say(JSON.stringify(judgeByRules(view)));
    case "chat":
      return chatByRules(request);
    case "observer":
      return say(observe(view));
    default:
      return unreachable(role);
  }
}

const say = (text: string): PlainAnswer => ({ text, toolCalls: [] });
/** It reads views, not prompts: without one it has nothing to say. */
const unreadable = say(`The demo model was asked without what it reads. ${phraseOf("en", "label-page")}`);

/** Our own engine made it; that it is a view at all is what is looked at. */
const isOf = (kind: string, view: unknown): boolean => z.looseObject({ kind: z.literal(kind) }).safeParse(view).success;
const isPlannerView = (view: unknown): view is PlannerView => isOf("planner", view);
const isExecutorView = (view: unknown): view is ExecutorView => isOf("executor", view);

const isReport = (view: unknown): view is ReportFacts => reportFacts.safeParse(view).success;
const observed = z
  .looseObject({ title: z.string().default("The work"), output: z.string().default("") })
  .catch({ title: "The work", output: "" });

/** One line about a finished piece of work, from what can be counted. */
function observe(view: unknown): string {
  const { title, output } = observed.parse(view);
  const trouble = /^.*\b(?:error|failed|exception|denied)\b.*$/im.exec(output)?.[0];
  const seen = trouble === undefined ? `${countWords(output)} words of output` : `trouble: ${shorten(trouble, 120)}`;
  return `Observed by rules, no AI: “${shorten(title, 80)}”, ${seen}.`;
}
