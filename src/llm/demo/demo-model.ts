// The demo model: rules, no AI. It answers every role from the structured view a prompt was written from, always the same to
// the same, and asks nobody. Whatever it writes says what it is.

import { z } from "zod";
import type { ExecutorView, PlannerView } from "../../domain/planner/view.ts";
import { unreachable } from "../../lib/assert.ts";
import type { ModelRequest, PlainAnswer } from "../model.ts";
import { chatByRules } from "./demo-chat.ts";
import { executeByRules } from "./demo-executor.ts";
import { judgeByRules } from "./demo-judge.ts";
import { demoLabel } from "./demo-label.ts";
import { observeByRules } from "./demo-observer.ts";
import { planByRules } from "./demo-planner.ts";
import { repairByRules } from "./demo-repair.ts";
import { summariseByRules } from "./demo-summary.ts";

export function demoCall(request: ModelRequest): PlainAnswer {
  const { role, view } = request;
  switch (role) {
    case "planner":
      return isPlannerView(view) ? planByRules(view, request) : unreadable;
    case "executor":
      return isExecutorView(view) ? executeByRules(view, request) : unreadable;
    case "repair": {
      const read = repairView.safeParse(view);
      return read.success ? json(repairByRules(read.data.args, read.data.schema)) : unreadable;
    }
    case "summary": {
      const read = summaryView.safeParse(view);
      return read.success ? text(summariseByRules(read.data)) : unreadable;
    }
    case "judge":
      return json(judgeByRules(view));
    case "chat":
      return chatByRules(request);
    case "observer":
      return text(observeByRules(view));
    default:
      return unreachable(role);
  }
}

const text = (said: string): PlainAnswer => ({ text: said, toolCalls: [] });
const json = (answer: unknown): PlainAnswer => text(JSON.stringify(answer));

/** It reads views, not prompts: without one it has nothing to say. */
const unreadable = text(`The demo model was asked without what it reads. ${demoLabel}`);

const repairView = z.looseObject({ args: z.unknown(), schema: z.unknown() });

const thing = z.looseObject({ type: z.string(), title: z.string() });
const summaryView = z.looseObject({
  objective: z.string(),
  status: z.string(),
  why: z.string().optional(),
  created: z.array(thing).default([]),
  updated: z.array(thing).default([]),
  proofs: z.array(z.looseObject({ about: z.string(), isGreen: z.boolean(), seen: z.string() })).default([]),
  iterations: z.number(),
});

/** Our own engine made it; that it is a view at all is what is looked at. */
const plannerView = z.looseObject({ kind: z.literal("planner"), objective: z.string(), plan: z.array(z.unknown()) });
const isPlannerView = (view: unknown): view is PlannerView => plannerView.safeParse(view).success;

const executorView = z.looseObject({
  kind: z.literal("executor"),
  objective: z.string(),
  task: z.looseObject({ instructions: z.string() }),
});
const isExecutorView = (view: unknown): view is ExecutorView => executorView.safeParse(view).success;
