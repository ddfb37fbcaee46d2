// The demo model: rules, no AI. It answers every role from the structured view a prompt was written from, always the same to
// the same, and asks no server. Whatever it writes says what it is.

import { z } from "zod";
import type { ExecutorView, PlannerView } from "../../domain/planner/view.ts";
import { unreachable } from "../../lib/assert.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { chatByRules } from "./demo-chat.ts";
import { draftByRules, draftView } from "./demo-draft.ts";
import { executeByRules } from "./demo-executor.ts";
import { answerAsHomr, isHomrView } from "./demo-homr.ts";
import { judgeByRules } from "./demo-judge.ts";
import { planByRules } from "./demo-planner.ts";
import { repairByRules } from "./demo-repair.ts";
import { type ReportFacts, reportFacts, summariseByRules } from "./demo-summary.ts";
import { phraseOf } from "./words.ts";

export function demoCall(request: ModelRequest): PlainAnswer {
  const { role, view } = request;
  switch (role) {
    case "planner":
      return isPlannerView(view) ? planByRules(view, request) : draft(view);
    case "executor":
      return isExecutorView(view) ? executeByRules(view, request) : unreadable;
    case "repair":
      return say(JSON.stringify(repairByRules(view)));
    case "summary":
      return isReport(view) ? say(summariseByRules(view)) : unreadable;
    case "judge":
      return say(JSON.stringify(isHomrView(view) ? answerAsHomr(view) : judgeByRules(view)));
    case "chat":
      return chatByRules(request);
    case "observer":
      return isHomrView(view) ? say(JSON.stringify(answerAsHomr(view))) : unreadable;
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

function draft(view: unknown): PlainAnswer {
  const read = draftView.safeParse(view);
  return read.success ? say(JSON.stringify(draftByRules(read.data))) : unreadable;
}
