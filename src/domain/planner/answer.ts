// What a planner may say with the tools of its session: the plan, what it promises, what it hands on, what it asks, and how the
// iteration ended. Everything in it is a claim or a wish: what comes of it, the platform decides.

import { z } from "zod";
import { entityKinds } from "../entity/kinds.ts";
import { stepStatuses } from "../plan/plan.ts";

export const answerLimits = { steps: 40, deliverables: 20, checks: 40, tasks: 6, questions: 5, listed: 40 } as const;

const line = z.string().trim().min(1).max(2_000);
const shortId = z.string().trim().min(1).max(80);
const lines = z.array(line).max(answerLimits.listed);

const planStep = z.object({
  id: shortId.describe("Your own short id, such as s1; keep it for the whole run"),
  title: line,
  status: z.enum(stepStatuses),
  optional: z.boolean().default(false).describe("The run may be done without it"),
  evidence: z
    .array(z.string().max(80))
    .max(20)
    .default([])
    .describe("Ids of what this run made or changed for the step; left out: what was written since"),
});
export type WantedStep = z.output<typeof planStep>;

export const planArgs = z.object({
  steps: z
    .array(planStep)
    .min(1)
    .max(answerLimits.steps)
    .describe(`New and changed steps (at most ${answerLimits.steps} in all). Steps you leave out stay as they are`),
});

const entity = z.enum(entityKinds);
const about = {
  id: shortId.describe("Your own short id, such as c1"),
  deliverable_id: shortId.describe("The deliverable it checks"),
};

const proposedCheck = z.discriminatedUnion("kind", [
  z.object({
    ...about,
    kind: z.literal("document_has"),
    title_like: z.string().max(400).default("").describe("Part of the document's title"),
    headings: z.array(line).max(30).default([]).describe("Headings it must have, word for word"),
    words_at_least: z.int().min(0).max(100_000).default(0).describe("Words of prose"),
    sources_at_least: z.int().min(0).max(1_000).default(0).describe("Different web pages it cites and this run opened"),
  }),
  z.object({ ...about, kind: z.literal("entity_count"), entity, at_least: z.int().min(1).max(10_000) }),
  z.object({ ...about, kind: z.literal("entity_exists"), entity, title_like: line.describe("Part of its title") }),
  z.object({ ...about, kind: z.literal("judge"), rubric: line.describe("What a reader should find, in a sentence") }),
]);
export type ProposedCheck = z.output<typeof proposedCheck>;

export const proposalArgs = z.object({
  deliverables: z
    .array(z.object({ id: shortId.describe("Your own short id, such as d1"), title: line }))
    .max(answerLimits.deliverables)
    .default([])
    .describe("What the user will have in the end"),
  checks: z.array(proposedCheck).max(answerLimits.checks).default([]).describe("How the platform can see it"),
  drop: z
    .array(shortId)
    .max(answerLimits.checks)
    .default([])
    .describe("Ids of checks that what the user said has made wrong. Only after the user has said something"),
  why: z.string().max(1_000).default("").describe("When you change or drop checks: which words of the user ask for it"),
});
export type ProposedChecks = z.output<typeof proposalArgs>;

const executorTask = z.object({
  title: line,
  instructions: z
    .string()
    .trim()
    .min(1)
    .max(8_000)
    .describe("Everything it has to know: it sees the objective and what the user said, and nothing of this session"),
  output: z.string().max(2_000).default("").describe("What to bring back, in which form, and where to write it"),
  step_id: shortId.nullable().default(null).describe("The step of the plan it works on"),
  tools: z
    .array(z.string().max(200))
    .max(40)
    .default([])
    .describe("Names of tools it needs; left out: reading, writing documents and tasks, and the web"),
});
export type ExecutorTask = z.output<typeof executorTask>;

export const delegateArgs = z.object({ tasks: z.array(executorTask).min(1).max(answerLimits.tasks) });

const question = z.object({
  text: line.describe("One question, with what the user has to know to answer it"),
  options: z.array(line).max(8).default([]).describe("Answers to choose from, if there are such"),
});

export const askArgs = z.object({ questions: z.array(question).min(1).max(answerLimits.questions) });
export type AskedOfUser = z.output<typeof question>;

/** What a model adds beyond these is not refused: a word it means well costs no answer. */
const hint = z.enum(["replan", "execute", "ask_user", "stop"]).nullable().default(null).catch(null);
const confidence = z.enum(["low", "medium", "high"]).nullable().default(null).catch(null);

export const endArgs = z.object({
  exit_signal: z.boolean().describe("true: nothing remains, and you would hand it over like this"),
  progress_summary: z.string().max(4_000).describe("What this iteration brought, in one to three sentences"),
  remaining_work: lines.default([]).describe("Everything that is still to be done; empty if exit_signal is true"),
  completion_evidence: lines.default([]).describe("What shows that it is done: titles, ids, counts"),
  primary_output: z
    .string()
    .max(80)
    .nullable()
    .default(null)
    .describe("Id of what the user should open first: usually the document you delivered"),
  answer: z
    .string()
    .max(100_000)
    .default("")
    .describe("If the objective is a question and nothing else is to be made: the answer, in Markdown"),
  open_questions: lines.default([]).describe("What the user may want to decide or look at afterwards"),
  unsure: lines.default([]).describe("What you are not sure of in the result"),
  honoured: z
    .array(z.object({ message: line, how: line }))
    .max(answerLimits.listed)
    .default([])
    .describe("For each thing the user said to the run: how the result takes it up"),
  next_action_hint: hint,
  confidence,
});
export type EndedSession = z.output<typeof endArgs>;
