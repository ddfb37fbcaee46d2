// The bus of a task or a project as people read and write it over HTTP: pages from the end, posting, answering a question once.

import { AppError } from "../../lib/app-error.ts";
import { openBus } from "../bus/bus.ts";
import { listOpenQuestions } from "../bus/questions.ts";
import { tailBus } from "../bus/read-bus.ts";
import type { ProjectFolder, RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { describeMessage } from "./describe-task.ts";

export type NewBusMessage = {
  readonly type: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly run_id?: string | undefined;
};

/** Messages looked through for one that a caller names. */
const lookedThrough = 20_000;
const damagesMax = 20;

/** The last messages, or the last ones before one that is named; oldest first. */
export function readMessages(
  root: RunnerRoot,
  place: ProjectFolder | TaskFolder,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
) {
  const bus = openBus(root, place);
  const { entries, damages } = tailBus(bus, before === undefined ? limit + 1 : lookedThrough);
  const end = before === undefined ? entries.length : entries.findIndex(({ msg_id: id }) => id === before);
  if (end === -1) throw new AppError("invalid_cursor", "That message is not on this bus. Read the last ones again.");
  const items = entries.slice(Math.max(0, end - limit), end);
  return {
    items: items.map(describeMessage),
    has_more: end > items.length,
    damages: damages.slice(0, damagesMax),
  };
}

export type BusMeta = Readonly<Record<string, string>>;

export async function postMessage(
  root: RunnerRoot,
  place: ProjectFolder | TaskFolder,
  message: NewBusMessage,
  meta: BusMeta,
) {
  const { type, message: body, parents, run_id: runId } = message;
  const posted = await openBus(root, place).post({
    type,
    body,
    parents,
    meta,
    ...(runId === undefined ? {} : { run_id: runId }),
  });
  return describeMessage(posted);
}

type GivenAnswer = { readonly questionId: string; readonly text: string; readonly meta: BusMeta };

export async function answerQuestion(root: RunnerRoot, task: TaskFolder, { questionId, text, meta }: GivenAnswer) {
  const bus = openBus(root, task);
  const { entries } = tailBus(bus, lookedThrough);
  const question = entries.find(({ msg_id: id }) => id === questionId);
  if (question?.type !== "QUESTION") throw new AppError("not_found", "There is no such question.");
  if (!listOpenQuestions(entries).includes(question))
    throw new AppError("wrong_status", "This question has an answer already.", { details: { status: "answered" } });
  const posted = await bus.post({
    type: "ANSWER",
    body: text,
    parents: [{ msg_id: questionId, kind: "answers" }],
    meta,
  });
  return describeMessage(posted);
}
