// The demo model: rules, no AI. It answers every role from the structured view a prompt was written from, always the same to
// the same, and asks no server. Whatever it writes says what it is.

import { z } from "zod";
import type { ExecutorView, PlannerView } from "../../domain/planner/view.ts";
import { unreachable } from "../../lib/assert.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { chatByRules } from "./demo-chat.ts";
import { draftByRules, draftView } from "./demo-draft.ts";
import { executeByRules } from "./demo-executor.ts";
import { answerAsHomr, homrView } from "./demo-homr.ts";
import { judgeByRules } from "./demo-judge.ts";
import { planByRules } from "./demo-planner.ts";
import { reportFacts, summariseByRules } from "./demo-summary.ts";
import { labelLine } from "./text.ts";

export function demoCall(request: ModelRequest): PlainAnswer {
  const { role, view } = request;
  switch (role) {
    case "planner":
      return isOf<PlannerView>("planner", view) ? planByRules(view, request) : from(draftView, view, draftByRules);
    case "executor":
      return isOf<ExecutorView>("executor", view) ? executeByRules(view, request) : unreadable;
    case "repair":
      return from(z.looseObject({ args: z.unknown() }), view, ({ args }) => args ?? {});
    case "summary":
      return from(reportFacts, view, summariseByRules);
    case "judge":
      return homrView.safeParse(view).success ? from(homrView, view, answerAsHomr) : say(judgeByRules(view));
    case "observer":
      return from(homrView, view, answerAsHomr);
    case "chat":
      return chatByRules(request);
    default:
      return unreachable(role);
  }
}

const say = (what: unknown): PlainAnswer => ({
  text: typeof what === "string" ? what : JSON.stringify(what),
  toolCalls: [],
});
/** It reads views, not prompts: without one it has nothing to say. */
const unreadable = say(labelLine("The demo model was asked without what it reads."));

function from<T>(shape: z.ZodType<T>, view: unknown, answer: (read: T) => unknown): PlainAnswer {
  const read = shape.safeParse(view);
  return read.success ? say(answer(read.data)) : unreadable;
}

/** Our own engine made it; that it is a view at all is what is looked at. */
const isOf = <T>(kind: string, view: unknown): view is T =>
  z.looseObject({ kind: z.literal(kind) }).safeParse(view).success;
