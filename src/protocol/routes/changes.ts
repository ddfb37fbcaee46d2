// Staged writes: what a run wants to write and may not before its user has said so (`write_mode: per_write`).

import { z } from "zod";
import { writeLimits, writeStates } from "../../domain/change-set/staged-write.ts";
import { entityKinds } from "../../domain/entity/kinds.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { differIn, id, text, timestamp } from "../text.ts";
import { changedField, count, run, whole } from "./run-shapes.ts";

export const stagedChange = z.object({
  op: z.enum(["created", "updated", "deleted", "restored"]),
  kind: z.enum(["project", ...entityKinds, "edge"]),
  project_id: id,
  entity_id: id,
  title: z.string(),
  fields: z.array(changedField),
});

export const stagedWrite = z.object({
  id,
  /** From 1; the order in which they are carried out. */
  position: whole.min(1),
  iteration: whole.min(1),
  tool: z.string(),
  /** In a line, made from what would change. */
  summary: z.string(),
  /** What the model says about it. */
  why: z.string(),
  /** `drifted`: approved, but something had changed since; nothing of it was written. */
  state: z.enum(writeStates),
  /** What the user said to it, why it is asked again, or what had changed. */
  note: z.string(),
  changes: z.array(stagedChange),
  staged_at: timestamp,
  decided_at: timestamp.nullable(),
  applied_at: timestamp.nullable(),
});

const route = routesTagged("homework");
const base = "/api/homework/runs/{runId}/changes";
const runParams = z.object({ runId: id });

export const changeRoutes = {
  list: route(`GET ${base}`, {
    policy: read,
    summary: "What a run wants to write, or has written, with its user's approval; in order",
    params: runParams,
    query: z.strictObject({ ...pageQuery, state: z.enum(writeStates).optional() }),
    result: pageOf(stagedWrite),
  }),
  get: route(`GET ${base}/{changeId}`, {
    policy: read,
    summary: "One change, with the whole of every field",
    params: runParams.extend({ changeId: id }),
    result: stagedWrite,
  }),
  decide: route(`POST ${base}`, {
    policy: act,
    summary:
      "Approve or reject changes one by one; the last decision answers the run's question. Exactly what was approved is written, or it is asked again",
    params: runParams,
    body: z.strictObject({
      decisions: z
        .array(
          z.strictObject({
            change_id: id,
            decision: z.enum(["approve", "reject"]),
            note: text(writeLimits.note).default(""),
          }),
        )
        .min(1)
        .max(writeLimits.waiting)
        .refine(differIn("change_id"), "must decide on each change once"),
    }),
    result: z.object({
      run,
      /** Changes that still wait for a decision. */
      pending: count,
    }),
  }),
} as const;
