// The work of a run whose engine is an agent: files in a folder, kept as commits of a branch of its own until its user merges or
// discards it.

import { z } from "zod";
import type { ReadonlyDeep } from "../../lib/readonly-deep.ts";

const fileChanges = ["added", "modified", "deleted", "renamed"] as const;

const fileChange = z.object({
  path: z.string(),
  change: z.enum(fileChanges),
  /** Lines; null for a file that is no text, or where they were not counted. */
  added: z.number().int().min(0).nullable(),
  removed: z.number().int().min(0).nullable(),
});
export type FileChange = ReadonlyDeep<z.infer<typeof fileChange>>;

const workCommit = z.object({ id: z.string(), title: z.string() });
export type WorkCommit = ReadonlyDeep<z.infer<typeof workCommit>>;

/** `open`: the branch is there, and its user has not decided. */
export const workStates = ["open", "merged", "discarded"] as const;
export type WorkState = (typeof workStates)[number];

/** What an iteration left behind, as the report tells it. */
export const workRecord = z.object({
  /** The person's own repository; null: a folder of the run alone. */
  repository: z.string().nullable(),
  branch: z.string(),
  files: z.array(fileChange),
  /** Also those that the list has no room for. */
  file_count: z.number().int().min(0),
  commits: z.array(workCommit),
  /** What the agents wrote down as facts: their titles. */
  facts: z.array(z.string()),
  /** What changed in the person's repository outside of the branch while agents worked. */
  noticed: z.array(z.string()).default([]),
  /** Which agents worked, newest last. */
  agents: z.array(z.string()),
});
export type WorkRecord = ReadonlyDeep<z.infer<typeof workRecord>>;

/** Heads what was noticed: whether the person or an agent did it cannot be told. */
export const noticedHeading =
  "Changed in your repository while the agents worked, outside of the branch (by you, or by an agent)";

/** More than anyone reads of a report. */
export const workLimits = { files: 500, commits: 200, facts: 100, noticed: 20, diff: 200_000 } as const;
