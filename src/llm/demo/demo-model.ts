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
import { reportFacts, summariseByRules } from "./demo-summary.ts";
import { countWords, shorten } from "./phrase.ts";
import { phraseOf } from "./words.ts";

export function demoCall(request: ModelRequest): PlainAnswer {
  const { role, view } = request;
  switch (role) {
    case "planner":
      return isPlannerView(view) ? planByRules(view, request) : unreadable;
    case "executor":
      return isExecutorView(view) ? executeByRules(view, request) : unreadable;
    case "repair": {
      const read = repairView.safeParse(view);
      return read.success ? say(JSON.stringify(repairByRules(read.data.args, read.data.schema))) : unreadable;
    }
    case "summary": {
      const read = reportFacts.safeParse(view);
      return read.success ? say(summariseByRules(read.data)) : unreadable;
    }
    case "judge":
      return say(JSON.stringify(judgeByRules(view)));
    case "chat":
      return chatByRules(request);
    case "observer":
      return say(observe(observed.safeParse(view).data ?? {}));
    default:
      return unreachable(role);
  }
}

const say = (text: string): PlainAnswer => ({ text, toolCalls: [] });

/** It reads views, not prompts: without one it has nothing to say. */
const unreadable = say(`The demo model was asked without what it reads. ${phraseOf("en", "label-page")}`);

const repairView = z.looseObject({ args: z.unknown(), schema: z.unknown() });

/** Our own engine made it; that it is a view at all is what is looked at. */
const plannerView = z.looseObject({ kind: z.literal("planner"), objective: z.string(), plan: z.array(z.unknown()) });
const isPlannerView = (view: unknown): view is PlannerView => plannerView.safeParse(view).success;
const executorView = z.looseObject({ kind: z.literal("executor"), objective: z.string(), task: z.looseObject({}) });
const isExecutorView = (view: unknown): view is ExecutorView => executorView.safeParse(view).success;

const observed = z.looseObject({
  title: z.string().default("The work"),
  status: z.string().default("ended"),
  output: z.string().default(""),
});

/** One line about a finished piece of work, from the few fields that can be counted. */
function observe({ title = "The work", status = "ended", output = "" }: Partial<z.output<typeof observed>>): string {
  const trouble = /^.*\b(?:error|failed|exception|denied)\b.*$/im.exec(output)?.[0];
  const seen =
    trouble === undefined ? `${countWords(output)} words of output` : `a sign of trouble: ${shorten(trouble, 120)}`;
  return `Observed by rules: “${shorten(title, 80)}”, ${shorten(status, 40)}, with ${seen}.`;
}
