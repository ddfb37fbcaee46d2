// What must be true of a run's sessions, from its journal and the providers' books: messages stood in prompts, cut-off answers
// were never carried out, and nothing is completed without its judge or over what the user said.

import type { Asked } from "../../../src/llm/ask-model.ts";
import type { EntryRow, RunRecord } from "../memory/records.ts";
import type { CountedCall } from "../provider.ts";
import { findJudge } from "../simulated-prover.ts";
import type { Finding, Seen } from "./run-checks.ts";

type Findings = readonly (Finding | false)[];

const callsOf = ({ record: { calls: rows }, calls }: Seen): readonly CountedCall[] =>
  rows.flatMap(({ callId }) => calls.get(callId) ?? []);

/** S17: what an iteration has taken up stood in a prompt of it. */
export function messages(seen: Seen): Findings {
  const { run, messages: rows, iterations } = seen.record;
  const unread = rows.filter(({ consumedIteration }) => consumedIteration === null).length;
  const answers = rows.filter(({ kind }) => kind === "answer").map((row) => `${row.askedIn}/${row.questionId}`);
  const isOver = (iteration: number) =>
    iterations.some((row) => row.iteration === iteration && row.decision !== null && row.decision !== "fail");
  const deaf = rows.filter(({ id, consumedIteration }) => {
    if (consumedIteration === null || !isOver(consumedIteration)) return false;
    return !callsOf(seen).some(({ iteration, heard }) => iteration === consumedIteration && heard.includes(id));
  });
  return [
    unread !== run.unreadMessages && ["S17 unread_is_counted", `${unread} unread, counted ${run.unreadMessages}`],
    new Set(answers).size !== answers.length && ["S17 one_answer_per_question", answers.join()],
    deaf.length > 0 && [
      "S17 each_message_is_heard",
      `${deaf[0]?.id} was taken up by ${deaf[0]?.consumedIteration}, unheard`,
    ],
  ];
}

const toolKey = /^(.*)tool:(\d+)\.(\d+)$/;

/** B6: a tool is used because a whole answer called for it. */
export function cutOffs({ record: { entries }, calls }: Seen): Findings {
  return entries.map((entry) => {
    const [, prefix, answer, n] = toolKey.exec(entry.key) ?? [];
    if (prefix === undefined) return false;
    const said = findAnswer(entries, entry, `${prefix}llm:${answer}`);
    const [callId] = said?.kind === "answered" ? (said.answer.toolCalls[Number(n)]?.callId.split(".") ?? []) : [];
    if (callId === undefined) return ["B6 tools_are_called_by_answers", `${entry.iteration}/${entry.key}`];
    const { end } = calls.get(callId) ?? { end: "lost" };
    return end !== "answered" && ["B6 nothing_cut_off_is_carried_out", `${entry.iteration}/${entry.key}: ${end}`];
  });
}

function findAnswer(entries: readonly EntryRow[], { iteration }: EntryRow, key: string): Asked | null {
  const entry = entries.find((each) => each.iteration === iteration && each.key === key);
  return entry === undefined ? null : (entry.result as { readonly result: Asked }).result;
}

/** S15: a judged run is completed by its judge; S17: and only once an answer has read everything the user said. */
export function completion(seen: Seen): Findings {
  const { run, messages: rows } = seen.record;
  if (run.state.status !== "completed") return [];
  const { iteration } = run.state;
  const made = callsOf(seen);
  const verdict = made.findLast((call) => call.role === "judge" && call.iteration === iteration);
  const isJudged = verdict?.end === "answered" && verdict.said === "yes";
  const isRead = (id: string) =>
    made.some(({ heard, end }) => heard.includes(id) && (end === "answered" || end === "cut_off"));
  const unread = rows.filter(({ id, consumedIteration }) => consumedIteration === null || !isRead(id));
  return [
    findJudge(run) !== null && !isJudged && ["S15 completed_by_its_judge", `${verdict?.end}: ${verdict?.said}`],
    unread.length > 0 && ["S17 completed_with_nothing_unread", `${unread.map(({ id }) => id).join()} was not read`],
  ];
}

/** Messages that a prompt of this run has to contain now, whoever asks. */
export function standing({ messages: rows }: RunRecord, until: number): readonly string[] {
  return rows
    .filter(({ consumedIteration }) => consumedIteration !== null && consumedIteration <= until)
    .map(({ id }) => id);
}
