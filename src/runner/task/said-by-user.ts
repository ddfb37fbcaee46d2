// What the user has said to a task: messages of people on its bus. An agent's own messages carry its run, so they are told apart.

import type { AgentPromptView } from "../../domain/agent/agent-prompt-view.ts";
import type { Question } from "../../domain/run/question.ts";
import { readJson } from "../../lib/json.ts";
import { openBus } from "../bus/bus.ts";
import type { BusEntry } from "../bus/entry.ts";
import { readBody, readBus } from "../bus/read-bus.ts";
import type { SaidElsewhere } from "../folder-store.ts";
import { inJob } from "../job/job-files.ts";
import { findAnswer } from "../job/sample-job.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { readText } from "../layout/text.ts";
import { readLoopFile } from "./loop-file.ts";
import { findPrevious } from "./prompt-view.ts";

const ofPeople = ["USER", "USER_REQUEST", "ANSWER"];

/** Said by a person. */
export const isOfUser = ({ type, run_id: run, meta }: BusEntry): boolean =>
  ofPeople.includes(type) && run === "" && meta.by !== "run-agent" && meta.from_run === undefined;

export function listSaid(root: RunnerRoot, task: TaskFolder): AgentPromptView["said"] {
  const { entries, textOf } = readAll(root, task);
  const questions = new Map(entries.map((entry) => [entry.msg_id, entry]));
  return entries.filter(isOfUser).map((entry) => {
    const asked = entry.parents.map(({ msg_id: id }) => questions.get(id)).find((each) => each?.type === "QUESTION");
    return { at: entry.ts, question: asked === undefined ? null : asked.body.trim(), text: textOf(entry) };
  });
}

function readAll(root: RunnerRoot, task: TaskFolder) {
  const bus = openBus(root, task);
  const textOf = (entry: BusEntry): string => {
    const read = readBody(bus, entry);
    return read.kind === "text" ? read.text.trim() : entry.body.trim();
  };
  return { entries: readBus(bus).entries, textOf };
}

/** For the run: each message once, and whether the agent at work has read it already. */
export function listForRun(root: RunnerRoot, task: TaskFolder): readonly SaidElsewhere[] {
  const { entries, textOf } = readAll(root, task);
  const seen = entries.findIndex(({ msg_id: id }) => id === readMark(root, task));
  return entries.flatMap((entry, at) =>
    isOfUser(entry) ? [{ id: entry.msg_id, text: textOf(entry), isHeard: at <= seen }] : [],
  );
}

/** How far the agent of the task has read the bus with `run-agent bus`; empty: it has not. What its children read, it has not read. */
function readMark(root: RunnerRoot, task: TaskFolder): string {
  const run = findPrevious(root, task, readLoopFile(root, task)?.parent_run_id ?? null);
  const read = run === null ? null : readText(root.disk, inJob(run, "busSeen"));
  const value = read?.kind === "text" ? readJson(read.text) : null;
  return typeof value === "object" && value !== null && "msg_id" in value ? String(value.msg_id) : "";
}

export type FoundAnswer = { readonly questionId: string; readonly text: string; readonly messageId: string };

/** Null while one of the questions has no answer. */
export function findAnswers(
  root: RunnerRoot,
  task: TaskFolder,
  questions: readonly Question[],
): readonly FoundAnswer[] | null {
  const { entries, textOf } = readAll(root, task);
  const answers = questions.map(({ id }) => {
    const question = entries.find(({ msg_id: each }) => each === id);
    // A question that is not on the bus came from the agent's last words: the next word of the user answers it.
    const answer = question === undefined ? entries.findLast(isOfUser) : findAnswer(entries, question);
    return answer === undefined ? null : { questionId: id, text: textOf(answer), messageId: answer.msg_id };
  });
  return answers.every((each) => each !== null) ? answers : null;
}
