// A draft of an outcome, as a model writes it from a rough brief: intent, approach and tasks. Read with its limits; a task depends only on
// tasks before it, so that there can be no circle. Nothing begins from it before the user has started the outcome.

import { z } from "zod";
import { fitAnswer } from "./fit-answer.ts";
import { type Intent, intentPriorities } from "./outcome.ts";
import type { NewTask } from "./tasks/new-tasks.ts";

export const draftLimits = { tasks: 20, items: 20 } as const;

const draftItem = z.object({
  title: z.string().trim().min(1).max(300),
  description: z.string().trim().max(4_000).default(""),
  acceptanceCriteria: z.array(z.string().trim().min(1).max(500)).max(20).default([]),
  priority: z.enum(intentPriorities).catch("medium"),
});

const draftTask = z.object({
  title: z.string().trim().min(1).max(300),
  description: z.string().trim().max(16_000).default(""),
  dependsOn: z.array(z.number().int()).max(draftLimits.tasks).default([]),
});

const draftAnswer = z.object({
  name: z.string().trim().max(200).default(""),
  intent: z.object({
    summary: z.string().trim().min(1).max(4_000),
    items: z.array(draftItem).max(draftLimits.items).default([]),
    successCriteria: z.array(z.string().trim().min(1).max(500)).max(30).default([]),
  }),
  approach: z.string().trim().min(1).max(40_000),
  tasks: z.array(draftTask).min(1).max(draftLimits.tasks),
});

export type OutcomeDraft = {
  readonly name: string;
  readonly intent: Intent;
  readonly approach: string;
  /** `after`: places of earlier tasks in this list, from 0. */
  readonly tasks: readonly (Pick<NewTask, "title" | "description"> & { readonly after: readonly number[] })[];
};

export type ReadDraft =
  | { readonly isRead: true; readonly draft: OutcomeDraft; readonly leftOut: readonly string[] }
  | { readonly isRead: false; readonly why: string };

export function readDraft(answer: unknown): ReadDraft {
  const read = fitAnswer(draftAnswer, answer);
  if (!read.isRead) return read;
  const { name, intent, approach, tasks } = read.value;
  const leftOut = [...read.cuts];
  const drafted = tasks.map(({ title, description, dependsOn }, place) => {
    const after = [...new Set(dependsOn)].filter((number) => {
      const isEarlier = number >= 1 && number <= place;
      if (!isEarlier) leftOut.push(`task ${place + 1} depends on ${number}, which is no task before it`);
      return isEarlier;
    });
    return { title, description, after: after.map((number) => number - 1) };
  });
  const items = intent.items.map((item, n) => ({ ...item, id: `item_${n + 1}`, status: "pending" as const }));
  return { isRead: true, draft: { name, intent: { ...intent, items }, approach, tasks: drafted }, leftOut };
}

/** For asking a model until its answer can be used. */
export const outcomeDraftAnswer = z.unknown().transform((answer, context) => {
  const read = readDraft(answer);
  if (read.isRead) return read;
  context.addIssue({ code: "custom", message: read.why });
  return z.NEVER;
});
