// An observation: one for every attempt, which the table itself sees to.

import { statementIn, type Tx } from "../../db/database.ts";
import type { Observation } from "../../domain/homr/observe/observation.ts";
import type { Outcome } from "../../domain/homr/outcome.ts";
import { cleanText, toJson } from "../json.ts";

const insertText = `
  insert into homr_observations (id, outcome_id, task_id, attempt, has_succeeded, observed_by, on_track, alignment_score, quality, drift,
    issues, discoveries, decisions, wishes, ambiguity, summary, is_tainted, created_at, steering_max)
  values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12::jsonb, $13::jsonb, $14::jsonb, $15::jsonb, $16,
    $17, to_timestamp($18::float8 / 1000.0), $19)`;

export async function keepObservation(tx: Tx, outcome: Outcome, observation: Observation): Promise<void> {
  const { id, taskId, attempt, hasSucceeded, by, onTrack, alignmentScore, quality, summary, isTainted, atMs } =
    observation;
  const { drift, issues, discoveries, decisions, wishes, ambiguity } = observation;
  await statementIn(tx)(insertText, [
    ...[id, outcome.id, taskId, attempt, hasSucceeded, by, onTrack, alignmentScore, quality],
    ...[drift, issues, discoveries, decisions, wishes].map(toJson),
    ambiguity === null ? null : toJson(ambiguity),
    ...[cleanText(summary), isTainted, atMs, outcome.config.maxSteeringActionsPerTask],
  ]);
}
