// What the user has said to a task: messages of people on its bus, and their answers to the questions of its run.

import type { AgentPromptView } from "../../domain/agent/agent-prompt-view.ts";
import type { Question } from "../../domain/run/question.ts";
import type { Run } from "../../domain/run/run.ts";
import { readJson } from "../../lib/json.ts";
import { openBus } from "../bus/bus.ts";
import type { BusEntry } from "../bus/entry.ts";
import { byRunner, findAnswer, isOfPerson, isOfRunner } from "../bus/questions.ts";
import { readBody, readBus } from "../bus/read-bus.ts";
import type { SaidElsewhere } from "../folder-tx.ts";
import { inJob } from "../job/job-files.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { readText, smallTextMax } from "../layout/text.ts";
import { readLoopFile } from "./loop-file.ts";
import { findPrevious } from "./prompt-view.ts";

export function listSaid(root: RunnerRoot, task: TaskFolder): AgentPromptView["said"] {
  const { entries, textOf } = readAll(root, task);
  const questions = new Map(entries.map((entry) => [entry.msg_id, entry]));
  return entries.filter(isOfPerson).map((entry) => {
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
    isOfPerson(entry) ? [{ id: entry.msg_id, text: textOf(entry), isHeard: at <= seen }] : [],
  );
}

/** How far the agent of the task has read the bus with `run-agent bus`; empty: it has not. What its children read, it has not read. */
function readMark(root: RunnerRoot, task: TaskFolder): string {
  const run = findPrevious(root, task, readLoopFile(root, task)?.parent_run_id ?? null);
  const read = run === null ? null : readText(root.disk, inJob(run, "busSeen"), smallTextMax);
  const value = read?.kind === "text" ? readJson(read.text) : null;
  return typeof value === "object" && value !== null && "msg_id" in value ? String(value.msg_id) : "";
}

export type FoundAnswer = { readonly questionId: string; readonly text: string; readonly messageId: string };

/** Null while one of the questions has no answer. One that is not on the bus yet, as it came from the agent's last words, is put there. */
export async function findAnswers(
  root: RunnerRoot,
  task: TaskFolder,
  run: Run,
  questions: readonly Question[],
): Promise<readonly FoundAnswer[] | null> {
  const { entries, textOf } = readAll(root, task);
  const answers: (FoundAnswer | null)[] = [];
  for (const { id, text } of questions) {
    const key = `${run.id} ${run.state.iteration} ${id}`;
    const question = entries.find((entry) => entry.msg_id === id || isPutFor(entry, key));
    if (question === undefined) await putQuestion(root, task, text, key);
    const answer = question === undefined ? undefined : findAnswer(entries, question);
    answers.push(answer === undefined ? null : { questionId: id, text: textOf(answer), messageId: answer.msg_id });
  }
  return answers.every((each) => each !== null) ? answers : null;
}

const isPutFor = (entry: BusEntry, key: string): boolean =>
  entry.type === "QUESTION" && isOfRunner(entry) && entry.meta.question === key;

/** The loop may be killed after this: the next one finds it by its key. */
async function putQuestion(root: RunnerRoot, task: TaskFolder, text: string, key: string): Promise<void> {
  const asking = findPrevious(root, task, readLoopFile(root, task)?.parent_run_id ?? null);
  await openBus(root, task).post({
    type: "QUESTION",
    body: text.toWellFormed(),
    ...(asking === null ? {} : { run_id: asking.runId }),
    meta: { ...byRunner, question: key },
  });
}
