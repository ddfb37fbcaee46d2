// The questions a run waits on: showing them, reading answers that were typed or given, and sending all of them at once.

import { AppError } from "../../lib/app-error.ts";
import type { Run } from "../../protocol/api.ts";
import { routes } from "../../protocol/api.ts";
import { ApiError } from "../../protocol/api-error.ts";
import type { Question } from "../../protocol/run-view.ts";
import type { ApiInvocation } from "../invocation.ts";
import { withoutEscapes } from "../plain-text.ts";

export type Answer = { readonly question_id: string; readonly text: string };

/** Someone who only presses Enter does not want to answer now. */
const emptyMax = 3;

/** A question with its options, numbered so that one can be chosen. */
export function questionText({ text, options }: Question): string {
  return [text, ...options.map((option, at) => `  ${at + 1}) ${option}`)].map(withoutEscapes).join("\n");
}

/** The number of an option stands for it. */
function toAnswer({ id, options }: Question, typed: string): Answer {
  const chosen = /^\d{1,3}$/.test(typed.trim()) ? options[Number(typed) - 1] : undefined;
  return { question_id: id, text: chosen ?? typed };
}

/** Somebody is there and would see the question. */
export function canAsk({ host, output }: ApiInvocation): boolean {
  return host.terminal.isInteractive && !output.isJson;
}

/** Asks one after the other; null if the person leaves one open. */
export async function askAll(given: ApiInvocation, questions: readonly Question[]): Promise<readonly Answer[] | null> {
  const answers: Answer[] = [];
  for (const question of questions) {
    given.output.warn(questionText(question));
    const typed = await askOnce(given);
    if (typed === null) return null;
    answers.push(toAnswer(question, typed));
  }
  return answers;
}

/** Null: the person typed nothing, several times, or left. */
export async function askOnce({ host }: ApiInvocation): Promise<string | null> {
  for (let empty = 0; empty < emptyMax; empty++) {
    const typed = await host.terminal.ask("> ", host.stop);
    if (typed === null || typed.trim() !== "") return typed;
  }
  return null;
}

/** Which command answers, word for word. `name`: what the person calls the run. */
export function howToAnswer({ questions }: Pick<Run, "questions">, name: string): string {
  const [first, ...others] = questions;
  if (!first) return `homework answer ${name}`;
  if (others.length === 0 && first.kind === "approve_checks")
    return `homework approve ${name} (or: homework reject ${name})`;
  if (others.length === 0) return `homework answer ${name} "your answer"`;
  return `homework answer ${name} ${questions.map((each) => `--question ${each.id}="your answer"`).join(" ")}`;
}

/** Null: someone else was quicker, so there is nothing to answer any more. */
export async function sendAnswers({ api }: ApiInvocation, runId: string, answers: readonly Answer[]) {
  try {
    return await api(routes.runs.respond, { params: { runId }, body: { answers: [...answers] } });
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === "wrong_status") return null;
    throw thrown;
  }
}

/** What was given on the command line: a text for the only question, or `id=text` for each. */
export function givenAnswers(run: Run, text: string | undefined, byId: readonly Answer[]): readonly Answer[] {
  if (text !== undefined && byId.length > 0)
    throw new AppError("invalid_request", "Give the answer as text or with --question, not both");
  if (text === undefined) {
    return byId.map((answer) => {
      const question = run.questions.find(({ id }) => id === answer.question_id);
      return question ? toAnswer(question, answer.text) : answer;
    });
  }
  const [only, ...others] = run.questions;
  if (!only || others.length > 0)
    throw new AppError(
      "invalid_request",
      `The run asks ${run.questions.length} questions. Say which answer is for which:\n${howToAnswer(run, run.id)}`,
    );
  return [toAnswer(only, text)];
}
