// `run-agent bus post`: puts a message on the bus and prints its id alone, so that an answer can name it.

import { AppError } from "../../../lib/app-error.ts";
import { openBus } from "../../../runner/bus/bus.ts";
import { requireRunId } from "../../../runner/layout/ids.ts";
import { parentOf } from "../agent-options.ts";
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

/** What the runner says about runs; others must not be taken for it. */
const runnersTypes = "START STOP CRASH RUN_START RUN_STOP RUN_CRASH SUPERVISOR_RESTART".split(" ");

export async function postMessage(
  given: AgentInvocation,
  words: readonly string[],
  options: PostOptions,
): Promise<void> {
  const { root, place, ids } = scopeOf(given, options.scope);
  const caller = parentOf(given, root, undefined);
  const type = (options.type ?? (caller === null ? "USER" : "INFO")).toUpperCase();
  if (runnersTypes.includes(type))
    throw new AppError("invalid_request", `${type} messages are posted by run-agent itself. Use INFO or PROGRESS.`);
  const all = options.message === undefined ? words : [options.message, ...words];
  const body = await requireGivenText(given, { words: all, file: options.file, what: "a message" });
  const run = options.run === undefined ? ids.run : requireRunId(options.run);
  const entry = await openBus(root, place).post({
    type,
    body,
    ...(run === null ? {} : { run_id: run }),
    ...(options.parents === undefined ? {} : { parents: options.parents }),
    // An agent that writes to another task is not taken for a person there.
    ...(run === null && caller !== null ? { meta: { from_run: caller.runId } } : {}),
  });
  given.output.data(entry, () => `${entry.msg_id}\n`);
}
