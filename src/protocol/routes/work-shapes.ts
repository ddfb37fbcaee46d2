// What the agents of a run did to files, and what became of their branch, as it goes over the wire.

import { z } from "zod";
import { workRecord, workStates } from "../../domain/agent/work.ts";

export const runWork = z.object({
  /** The machine that has the files. */
  host: z.string(),
  /** The user's own; null: a folder of the run alone. */
  repository: z.string().nullable(),
  branch: z.string(),
  state: z.enum(workStates),
  /** Null before the first iteration has ended. */
  record: workRecord.nullable(),
  /** Against the commit it began from; a long one is cut and says so. */
  diff: z.string(),
  /** Where the section Agents shows it; null: the files are on another host, or gone. */
  agent_task: z.object({ project_id: z.string(), task_id: z.string() }).nullable(),
});

export const merged = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("merged"), into: z.string(), commit: z.string() }),
  /** Nothing was done: both sides changed these files. */
  z.object({ kind: z.literal("conflicts"), into: z.string(), files: z.array(z.string()) }),
  /** Nothing was done. */
  z.object({ kind: z.literal("in_the_way"), why: z.string() }),
]);

export const discarded = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("discarded") }),
  z.object({ kind: z.literal("in_the_way"), why: z.string() }),
]);
