// What a planner may say with the tools of its session: the plan, what it promises, what it hands on, what it asks, and how the
// iteration ended. Everything in it is a claim or a wish: what comes of it, the platform decides.

import { z } from "zod";
import { entityKinds } from "../entity/kinds.ts";
import { stepStatuses } from "../plan/plan.ts";
import { linkEntity } from "../run/checks/evidence.ts";

export const answerLimits = { steps: 40, deliverables: 20, checks: 40, tasks: 6, questions: 5, listed: 40 } as const;

const line = z.string().trim().min(1).max(2_000);
const shortId = z.string().trim().min(1).max(80);
const lines = z.array(line).max(answerLimits.listed);
/** Empty where it is left out. */
const textUpTo = (max: number) => z.string().max(max).default("");
const namesUpTo = (max: number, count: number) => z.array(z.string().max(max)).max(count).default([]);

const planStep = z.object({
  id: shortId.describe("Such as s1"),
  title: line.optional().describe("What is made; not needed for a known step"),
  status: z.enum(stepStatuses),
  optional: z.boolean().default(false),
  evidence: namesUpTo(80, 20).describe("Ids of what was made for it; left out: all that this session wrote"),
});
export type WantedStep = z.output<typeof planStep>;

export const planArgs = z.object({
  steps: z.array(planStep).min(1).max(answerLimits.steps),
});

/** What a check asks for; the kind says which of the fields count. Flat, because a union costs a model twice the tokens. */
const proposedCheck = z
  .object({
    id: shortId,
    deliverable_id: shortId,
    kind: z.enum(["document_has", "entity_count", "entity_exists"]),
    title_like: textUpTo(400).describe("Part of the title"),
    headings: z.array(line).max(30).default([]).describe("document_has: word for word"),
    words_at_least: z.int().min(0).max(100_000).default(0).describe("document_has: words that count"),
    words_at_most: z.int().min(1).max(100_000).optional().describe("document_has: all words, those in tables too"),
    sources_at_least: z
      .int()
      .min(0)
      .max(1_000)
      .default(0)
      .describe("document_has: cited web pages that this run opened"),
    entity: z
      .enum([...entityKinds, linkEntity])
      .optional()
      .describe("entity_count, entity_exists (no link)"),
    at_least: z.int().min(1).max(10_000).optional().describe("entity_count: how many this run makes or changes"),
  })
  .superRefine(({ kind, entity, at_least: atLeast, title_like: titleLike }, problems) => {
    const need = (isThere: boolean, what: string) => {
      if (!isThere) problems.addIssue({ code: "custom", message: `${kind} needs ${what}` });
    };
    if (kind !== "document_has") need(entity !== undefined, "entity");
    if (kind === "entity_count") need(atLeast !== undefined, "at_least");
    if (kind === "entity_exists") need(titleLike.trim() !== "", "title_like");
    if (kind === "entity_exists") need(entity !== linkEntity, "a thing with a title; count links with entity_count");
  });
export type ProposedCheck = z.output<typeof proposedCheck>;

export const proposalArgs = z.object({
  deliverables: z
    .array(z.object({ id: shortId, title: line }))
    .max(answerLimits.deliverables)
    .default([]),
  checks: z.array(proposedCheck).max(answerLimits.checks).default([]),
  drop: z.array(shortId).max(answerLimits.checks).default([]).describe("Ids of checks the user no longer wants"),
  why: textUpTo(1_000).describe("To change or drop: what the user said"),
});

const executorTask = z.object({
  title: line,
  instructions: z
    .string()
    .trim()
    .min(1)
    .max(8_000)
    .describe("All it has to know beside the objective and what the user said"),
  output: textUpTo(2_000).describe("What to bring back, in which form"),
  step_id: shortId.nullable().default(null),
  tools: namesUpTo(200, 40).describe("Names; left out: reading, documents, tasks and the web"),
});
export type ExecutorTask = z.output<typeof executorTask>;

export const delegateArgs = z.object({ tasks: z.array(executorTask).min(1).max(answerLimits.tasks) });

const question = z.object({
  text: line,
  options: z.array(line).max(8).default([]).describe("Answers to choose from"),
});

export const askArgs = z.object({ questions: z.array(question).min(1).max(answerLimits.questions) });
export type AskedOfUser = z.output<typeof question>;

/** What a model adds beyond these is not refused: a word it means well costs no answer. */
const hint = z
  .enum(["replan", "execute", "ask_user", "stop"])
  .nullable()
  .default(null)
  .catch(null)
  .describe("What the next iteration should begin with");
const confidence = z.enum(["low", "medium", "high"]).nullable().default(null).catch(null).describe("In the result");

export const endArgs = z.object({
  exit_signal: z.boolean(),
  progress_summary: z.string().max(4_000).describe("What this iteration brought"),
  remaining_work: lines.default([]),
  completion_evidence: lines.default([]).describe("What shows it"),
  summary: textUpTo(4_000).describe(
    "With exit_signal true: what the user gets, in three to five plain sentences; it opens the report",
  ),
  primary_output: z
    .string()
    .max(400)
    .nullable()
    .default(null)
    .describe("Id or exact title of what the user opens first"),
  answer: textUpTo(100_000).describe(
    "Only if the objective is a question and nothing else is to be made: the answer, as Markdown",
  ),
  open_questions: lines.default([]).describe("What the user should decide afterwards"),
  unsure: lines.default([]),
  honoured: z
    .array(z.object({ message: line, how: line }))
    .max(answerLimits.listed)
    .default([])
    .describe("How the result takes up each thing the user said beside the objective"),
  next_action_hint: hint,
  confidence,
  needs_user_input: z.boolean().default(false),
  blocking_questions: lines.default([]),
});
export type EndedSession = z.output<typeof endArgs>;
