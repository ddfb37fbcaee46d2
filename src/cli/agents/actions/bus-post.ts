// `run-agent bus post`: puts a message on the bus and prints its id alone, so that an answer can name it.

import { sep } from "node:path";
import { typesOfRunner, wordsOfPeople } from "../../../domain/agent/bus-types.ts";
import { AppError } from "../../../lib/app-error.ts";
import { openBus } from "../../../runner/bus/bus.ts";
import { askedBelow } from "../../../runner/bus/questions.ts";
import { requireRunId } from "../../../runner/layout/ids.ts";
import type { ProjectFolder, TaskFolder } from "../../../runner/layout/runner-root.ts";
import { type Parent, speakerOf } from "../agent-options.ts";
import { requireGivenText } from "../given-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { scopeOf } from "../place.ts";

export type PostOptions = {
  readonly type?: string;
  readonly message?: string;
  readonly file?: string;
  readonly parents?: readonly string[];
  readonly run?: string;
  readonly scope?: "task" | "project";
};

export async function postMessage(
  given: AgentInvocation,
  words: readonly string[],
  options: PostOptions,
): Promise<void> {
  const { root, place } = scopeOf(given, options.scope);
  const caller = speakerOf(given, root);
  const type = (options.type ?? (caller === null ? "USER" : "INFO")).toUpperCase();
  if (typesOfRunner.includes(type))
    throw new AppError("invalid_request", `${type} messages are posted by run-agent itself. Use INFO or PROGRESS.`);
  if (caller !== null && wordsOfPeople.includes(type))
    throw new AppError("invalid_request", `${type} messages are words of people. Use INFO, or ANSWER for a question.`);
  if (caller !== null && options.run !== undefined && options.run !== caller.runId)
    throw new AppError(
      "invalid_request",
      `This is run ${caller.runId}, which speaks for itself alone. Leave out --run.`,
    );
  const all = options.message === undefined ? words : [options.message, ...words];
  const body = await requireGivenText(given, { words: all, file: options.file, what: "a message" });
  const entry = await openBus(root, place).post({
    type,
    body,
    ...(options.parents === undefined ? {} : { parents: options.parents }),
    ...(caller === null ? ofPerson(options.run) : ofAgent(caller, place)),
  });
  given.output.data(entry, () => `${entry.msg_id}\n`);
}

/** A program that says whose message it is does not speak as a person. */
const ofPerson = (run: string | undefined) => (run === undefined ? {} : { run_id: requireRunId(run) });

/** An agent that writes to another task or project is not taken for a person there. */
function ofAgent({ run, runId, parentRunId }: Parent, { path }: ProjectFolder | TaskFolder) {
  const isOwn = run.task.path === path || run.task.path.startsWith(`${path}${sep}`);
  return isOwn ? { run_id: runId, meta: askedBelow(parentRunId) } : { meta: { from_run: runId } };
}
