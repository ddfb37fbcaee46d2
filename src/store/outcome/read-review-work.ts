// What an outcome has come to, for its reviewer. Asked in the name of its owner; bounded, whatever the number of its tasks.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import { clipMiddle } from "../../domain/planner/clip.ts";
import { nameCheck } from "../../domain/run/checks/describe-check.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { WorkArtifact } from "../../outcomes/ports/attempt-work.ts";
import {
  type EarlierReview,
  type ReviewedTask,
  type ReviewWork,
  reviewLimits,
} from "../../outcomes/ports/review-work.ts";
import { idColumn, rowOf, whole } from "../row.ts";
import { checkFields } from "../run/run-row.ts";
import { readArtifacts } from "./read-work.ts";

const taskRow = rowOf({
  number: whole,
  title: z.string(),
  runId: idColumn<RunId>().nullable(),
  summary: z.string(),
  completed: whole,
});

export async function readReviewWork(tx: Tx, outcomeId: OutcomeId): Promise<ReviewWork> {
  const { rows } = await sql`
    select t.number, t.title, t.run_id, left(coalesce(r.report->>'summary', ''), 2000) as summary, count(*) over () as completed
      from outcome_tasks t left join homework_runs r on r.id = t.run_id
     where t.outcome_id = ${outcomeId} and t.status = 'completed' order by t.ended_at desc, t.number desc
     limit ${reviewLimits.tasks}`.execute(tx);
  const found = z.array(taskRow).parse(rows);
  let room: number = reviewLimits.text;
  const tasks: ReviewedTask[] = [];
  for (const { number, title, runId, summary } of found) {
    const artifacts = runId === null || room <= 0 ? [] : shorten(await readArtifacts(tx, runId), room);
    room -= artifacts.reduce((sum, { text }) => sum + text.length, 0);
    tasks.push({ number, title, summary, artifacts });
  }
  const completed = found[0]?.completed ?? 0;
  return {
    tasks: tasks.toReversed(),
    more: completed - found.length,
    redChecks: await readRedChecks(tx, outcomeId),
    earlier: await readEarlier(tx, outcomeId),
  };
}

const earlierRow = z.object({
  cycle: whole,
  findings: z.array(z.object({ description: z.string() })),
  gaps: z.array(z.string()),
});

/** What is left to people stands in the log alone. */
async function readEarlier(tx: Tx, outcomeId: OutcomeId): Promise<readonly EarlierReview[]> {
  const { rows } = await sql`
    select v.cycle, v.findings, coalesce((
             select l.details->'gaps' from homr_activity_log l
              where l.outcome_id = v.outcome_id and l.type = 'review' and (l.details->>'cycle')::int = v.cycle
              order by l.seq desc limit 1), '[]') as gaps
      from homr_reviews v where v.outcome_id = ${outcomeId} order by v.cycle desc limit ${reviewLimits.earlier}`.execute(
    tx,
  );
  return z.array(earlierRow).parse(rows).toReversed();
}

/** The beginning and the end of each, while there is room. */
function shorten(artifacts: readonly WorkArtifact[], room: number): readonly WorkArtifact[] {
  const max = Math.min(reviewLimits.artifactText, room);
  return artifacts
    .slice(0, reviewLimits.artifactsOfTask)
    .map(({ title, text }) => ({ title, text: clipMiddle(text, max) }));
}

const redMax = 50;
const checkRow = z.object({ number: whole, check: checkFields, seen: z.string().nullable() });

async function readRedChecks(tx: Tx, outcomeId: OutcomeId): Promise<readonly string[]> {
  const { rows } = await sql`
    select t.number, jsonb_build_object('id', k.check_id, 'deliverableId', k.deliverable_id, 'target', k.target, 'givenBy', k.given_by) as check,
           k.proof->>'seen' as seen
      from outcome_tasks t join homework_run_checks k on k.run_id = t.run_id
     where t.outcome_id = ${outcomeId} and t.status = 'completed' and (k.proof->>'isGreen')::boolean is distinct from true
     order by t.number, k.position limit ${redMax}`.execute(tx);
  return z
    .array(checkRow)
    .parse(rows)
    .map(({ number, check, seen }) => `#${number}: ${nameCheck(check)}${seen === null ? "" : ` (${seen})`}`);
}
