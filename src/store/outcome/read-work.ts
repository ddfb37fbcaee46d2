// What the run of an attempt left behind: report, last iterations, artifacts and diff, each with its head and its tail. Asked in the
// name of its user.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { clipMiddle } from "../../domain/planner/clip.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { AttemptWork, IterationText, WorkArtifact } from "../../outcomes/ports/attempt-work.ts";
import { workLimits } from "../../outcomes/ports/attempt-work.ts";
import { readWorkDiff } from "../agent/work-store.ts";
import { readMessages } from "../run-view/message-store.ts";
import { type JudgedDocument, type JudgedWork, readJudgedWork } from "../workspace/judged-work-store.ts";
import { readMemory } from "../workspace/planner-store.ts";
import { isWorkTainted } from "./is-work-tainted.ts";

/** Of the report, as much as is used here; one that an older version wrote may lack any of it. */
const reportPart = z.object({
  summary: z.string().catch(""),
  open_questions: z.array(z.string()).catch([]),
  unsure: z.array(z.string()).catch([]),
  checks: z.array(z.object({ about: z.string(), is_green: z.boolean(), seen: z.string() })).catch([]),
});
const runRow = z.object({ iteration: z.number(), report: reportPart.nullable() });

export async function readWork(tx: Tx, runId: RunId): Promise<AttemptWork> {
  const { rows } = await sql`select iteration, report from homework_runs where id = ${runId}`.execute(tx);
  const { iteration, report } = runRow.parse(rows[0]);
  const memory = await readMemory(tx, runId, iteration);
  return {
    said: (await readMessages(tx, runId, iteration)).map(({ question, text }) => ({ question, text })),
    summary: report?.summary ?? "",
    openQuestions: report?.open_questions ?? [],
    unsure: report?.unsure ?? [],
    iterations: await readIterations(tx, runId),
    artifacts: await readArtifacts(tx, runId),
    diff: clipMiddle(await readWorkDiff(tx, runId), workLimits.diff),
    failedChecks: (report?.checks ?? [])
      .filter(({ is_green }) => !is_green)
      .map(({ about, seen }) => `${about}: ${seen}`),
    remaining: memory.remainingWork,
    isTainted: await isWorkTainted(tx, runId),
  };
}

const iterationRows = z.array(
  z.object({
    iteration: z.number(),
    summary: z.string().nullable(),
    head: z.string(),
    tail: z.string(),
    length: z.number(),
  }),
);

// What its models said, without the judge; a text is cut here already, so that a long one does not leave the database.
async function readIterations(tx: Tx, runId: RunId): Promise<readonly IterationText[]> {
  const { iterations, iterationText } = workLimits;
  const half = iterationText / 2;
  const { rows } = await sql`
    select i.iteration, left(i.summary, 2000) as summary, left(said.text, ${half}::int) as head, right(said.text, ${half}::int) as tail,
           length(said.text) as length
      from (select iteration, summary from homework_run_iterations where run_id = ${runId} order by iteration desc limit ${iterations}) i,
           lateral (select coalesce(string_agg(e.result->'result'->'answer'->>'text', E'\n\n' order by e.began_at), '') as text
             from journal_entries e where e.run_id = ${runId} and e.iteration = i.iteration and e.kind = 'model'
              and e.lane not in ('judge', 'platform')) said
     order by i.iteration`.execute(tx);
  return iterationRows.parse(rows).map(({ iteration, summary, head, tail, length }) => ({
    iteration,
    summary: summary ?? "",
    text:
      length <= iterationText
        ? whole(head, tail, length)
        : `${head}\n[…${length - iterationText} characters left out…]\n${tail}`,
  }));
}

/** The two halves of a text that is not longer than both overlap. */
const whole = (head: string, tail: string, length: number): string =>
  head + tail.slice(Math.max(0, head.length + tail.length - length));

/** What a run made and changed, without its working notes. */
export const readArtifacts = async (tx: Tx, runId: RunId): Promise<readonly WorkArtifact[]> =>
  toArtifacts(await readJudgedWork(tx, runId, null));

const titles: Readonly<Record<JudgedDocument["change"], (title: string) => string>> = {
  made: (title) => `document "${title}", made`,
  added: (title) => `document "${title}", what was added`,
  rearranged: (title) => `document "${title}", rearranged`,
};

function toArtifacts({ documents, things, links }: JudgedWork): readonly WorkArtifact[] {
  const clipped = (title: string, text: string): WorkArtifact => ({
    title,
    text: clipMiddle(text, workLimits.artifactText),
  });
  return [
    ...documents.flatMap(({ title, text, removed, change }) => [
      clipped(titles[change](title), text),
      ...(removed.trim() === "" ? [] : [clipped(`document "${title}", what was removed`, removed)]),
    ]),
    ...(things.length === 0 ? [] : [clipped("tasks, goals, plans and milestones", things.join("\n\n"))]),
    ...(links.length === 0 ? [] : [clipped("links", links.join("\n"))]),
  ].slice(0, workLimits.artifacts);
}
