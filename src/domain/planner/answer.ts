// The one structured answer of a planner. Everything in it is a claim or a wish: what comes of it, the platform decides.

import { z } from "zod";
import { entityKinds } from "../entity/kinds.ts";
import { stepStatuses } from "../plan/plan.ts";

/** More in one iteration is no step any more. */
export const answerLimits = { toolCalls: 8, executorTasks: 6, steps: 40, questions: 5, listed: 40 } as const;

const line = z.string().trim().min(1).max(2_000);
const shortId = z.string().trim().min(1).max(80);
const lines = z.array(line).max(answerLimits.listed).default([]);

const status = z.object({
  exit_signal: z.boolean(),
  needs_user_input: z.boolean().default(false),
  blocking_questions: lines,
  progress_summary: z.string().max(4_000).default(""),
  remaining_work: lines,
  completion_evidence: lines,
  next_action_hint: z.enum(["replan", "execute", "ask_user", "stop"]).nullable().default(null),
  confidence: z.enum(["low", "medium", "high"]).nullable().default(null),
});

const planStep = z.object({
  id: shortId,
  title: line,
  status: z.enum(stepStatuses),
  owner: z.enum(["planner", "executor"]).default("planner"),
  optional: z.boolean().default(false),
  /** Ids of what this run made for it. */
  evidence: z.array(z.string().max(80)).max(20).default([]),
});

const entity = z.enum(entityKinds);
const words = z.int().min(0).max(100_000);

/** What a planner may promise to be measured by; `deliverable_id` names what the check stands for. */
const proposedCheck = z.discriminatedUnion("kind", [
  z.object({ id: shortId, deliverable_id: shortId, kind: z.literal("entity_exists"), entity, title_like: line }),
  z.object({
    id: shortId,
    deliverable_id: shortId,
    kind: z.literal("entity_count"),
    entity,
    at_least: z.int().min(1).max(10_000),
  }),
  z.object({
    id: shortId,
    deliverable_id: shortId,
    kind: z.literal("document_has"),
    /** Part of the document's title; empty: all documents of the run together. */
    title_like: z.string().max(400).default(""),
    headings: z.array(line).max(30).default([]),
    words_at_least: words.default(0),
    sources_at_least: z.int().min(0).max(1_000).default(0),
  }),
  z.object({ id: shortId, deliverable_id: shortId, kind: z.literal("judge"), rubric: line }),
]);

export const plannerAnswer = z.object({
  status,
  plan: z.object({ steps: z.array(planStep).max(answerLimits.steps) }),
  deliverables: z
    .array(z.object({ id: shortId, title: line }))
    .max(20)
    .default([]),
  checks: z.array(proposedCheck).max(40).default([]),
  tool_calls: z
    .array(
      z.object({
        tool: z.string().trim().min(1).max(200),
        args: z.record(z.string(), z.unknown()).default({}),
        step_id: shortId.nullable().default(null),
        why: z.string().max(500).default(""),
      }),
    )
    .max(answerLimits.toolCalls)
    .default([]),
  executor_tasks: z
    .array(
      z.object({
        title: line,
        instructions: z.string().trim().min(1).max(8_000),
        success: z.string().max(2_000).default(""),
        step_id: shortId.nullable().default(null),
        tools: z.array(z.string().max(200)).max(40).default([]),
      }),
    )
    .max(answerLimits.executorTasks)
    .default([]),
  questions: z
    .array(z.object({ id: shortId, text: line, options: z.array(line).max(8).default([]) }))
    .max(answerLimits.questions)
    .default([]),
});

export type PlannerAnswer = z.output<typeof plannerAnswer>;
export type ProposedCheck = PlannerAnswer["checks"][number];
