// Which messages of a bus are questions that wait for a person, what answers one, and who is a person. Pure. The watcher of a run, the
// restart loop, the gate, pages, HTTP, the terminal and ACP agents all ask here.
//
// A message is a person's if its type is one of theirs, no run says it, and neither the runner nor an agent of another task posted it.
// A person answers a question with a reply to it, or with their next word that replies to nothing. Besides a person only the run that
// started the asking run answers it, with an ANSWER that names the question, and never a request for permission.

import { typesOfPeople } from "../../domain/agent/bus-types.ts";
import type { BusEntry } from "./entry.ts";

const runner = "run-agent";
/** Marks the runner's own messages: no agent and no person says them. */
export const byRunner = { by: runner };

/** `run_id`: the run that the message is about. */
export const isOfRunner = ({ type, meta }: BusEntry): boolean =>
  type === "START" || type === "STOP" || type === "CRASH" || meta.by === runner;

export const isOfPerson = ({ type, run_id: run, meta }: BusEntry): boolean =>
  typesOfPeople.includes(type) && run === "" && meta.by !== runner && meta.from_run === undefined;

export type Speaker = "person" | "agent" | "runner";

/** Messages of other programs, and those of agents to other tasks, carry no run: they are no person's either. */
export function findSpeaker(entry: BusEntry): Speaker {
  if (isOfRunner(entry)) return "runner";
  return isOfPerson(entry) ? "person" : "agent";
}

/** Kept with a question: the run that started the asking one, which may answer. */
export const askedBelow = (parentRunId: string): Readonly<Record<string, string>> =>
  parentRunId === "" ? {} : { parent_run: parentRunId };

/** Names no message: it is said to all who wait. */
const isToAll = (entry: BusEntry): boolean => isOfPerson(entry) && entry.parents.length === 0;

/** `entry` came after the question. */
export function isAnswerTo(entry: BusEntry, question: BusEntry): boolean {
  if (isToAll(entry)) return true;
  if (!names(entry, question)) return false;
  return isOfPerson(entry) || isOfParent(entry, question);
}

const names = ({ parents }: BusEntry, { msg_id: id }: BusEntry): boolean =>
  parents.some(({ msg_id: parent }) => parent === id);

function isOfParent(entry: BusEntry, { run_id: asking, meta }: BusEntry): boolean {
  const { parent_run: parent, permission } = meta;
  if (permission !== undefined || parent === undefined || parent === asking) return false;
  // A run of another task is named by the message alone.
  const by = entry.run_id === "" ? entry.meta.from_run : entry.run_id;
  return entry.type === "ANSWER" && by === parent && !isOfRunner(entry);
}

export const findAnswer = (entries: readonly BusEntry[], question: BusEntry): BusEntry | undefined =>
  entries.slice(entries.indexOf(question) + 1).find((entry) => isAnswerTo(entry, question));

/** Oldest first. One pass: agents write the bus, and may ask thousands of questions. */
export function listOpenQuestions(entries: readonly BusEntry[]): readonly BusEntry[] {
  const open = new Map<string, BusEntry>();
  for (const entry of entries) {
    if (entry.type === "QUESTION") open.set(entry.msg_id, entry);
    else if (isToAll(entry)) open.clear();
    else
      for (const { msg_id: id } of entry.parents) {
        const question = open.get(id);
        if (question !== undefined && isAnswerTo(entry, question)) open.delete(id);
      }
  }
  return [...open.values()];
}

/** What the runner says about a run is not a word of the run. */
export const findLastWord = (entries: readonly BusEntry[], runId: string): BusEntry | undefined =>
  entries.findLast((entry) => entry.run_id === runId && !isOfRunner(entry));

/** The last word of a run at work is a question without an answer: it can be expected to wait. */
export function isWaitingFor(entries: readonly BusEntry[], runId: string): boolean {
  const last = findLastWord(entries, runId);
  return last?.type === "QUESTION" && findAnswer(entries, last) === undefined;
}

/** Of a run that has ended: its open questions, if its last word was one of them or a remark on one. What it asked and left is history. */
export function listLeftQuestions(entries: readonly BusEntry[], runId: string): readonly BusEntry[] {
  const last = findLastWord(entries, runId);
  const open = listOpenQuestions(entries).filter(({ run_id: run }) => run === runId);
  return last !== undefined && open.some((question) => question === last || names(last, question)) ? open : [];
}
