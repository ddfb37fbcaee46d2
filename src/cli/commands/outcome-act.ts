// `homework outcome tell`, `pause`, `resume`, `stop` and `delete`: what a person does to an outcome as a whole.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { type Outcome, routes } from "../../protocol/api.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { examples } from "../options.ts";
import {
  allTasks,
  findOutcome,
  outcomeCommand,
  outcomeDeletion,
  outcomeTextCommand,
  taskByNumber,
} from "../outcomes/find-outcome.ts";
import type { Host } from "../ports.ts";
import { canAsk } from "../runs/questions.ts";
import { type Texts, takeNamed } from "../take-named.ts";

export function addOutcomeActCommands(family: Command, host: Host): void {
  addTell(family, host);
  addPause(family, host);
  addResume(family, host);
  addStop(family, host);
  addDelete(family, host);
}

const tellTexts: Texts = { min: 1, max: 1, example: 'homework outcome tell "The hall is rented until 10 pm only"' };

function addTell(family: Command, host: Host): void {
  const say = outcomeTextCommand(family, "tell", "<message>")
    .description("add guidance; the workers of its tasks read it before their next model call, and HOMЯ goes by it")
    .summary("tell an outcome something")
    .option("--task <number>", "only the worker of this task reads it")
    .action(
      apiAction<[readonly string[], { readonly task?: string }]>(host, async (given, words, { task }) => {
        const { thing: outcome, texts } = await takeNamed(words, tellTexts, (ref) => findOutcome(given.api, ref));
        const [message = ""] = texts;
        const text = (message === "-" ? await host.terminal.readInput() : message).trim();
        if (text === "") throw new AppError("invalid_request", "Say something: the message is empty");
        const params = { outcomeId: outcome.id };
        const one = task === undefined ? undefined : taskByNumber(await allTasks(given.api, outcome.id), task);
        await given.api(routes.outcomes.intervene, { params, body: { message: text, task_id: one?.id } });
        const whom = one === undefined ? "all open tasks" : `task #${one.number}`;
        const isOver = outcome.status === "achieved";
        await tell(given, isOver ? "Sent. The outcome goes on: it is reviewed again." : `Sent to ${whom}.`, outcome);
      }),
    );
  examples(say, [`outcome tell "The hall is rented until 10 pm only"`, `outcome tell last --task 3 - < notes.md`]);
}

function addPause(family: Command, host: Host): void {
  const pause = outcomeCommand(family, "pause")
    .description("pause an outcome: its workers pause and no task starts")
    .action(
      apiAction<[string | undefined, object]>(host, async ({ api, output }, ref) => {
        const { id: outcomeId } = await findOutcome(api, ref);
        const paused = await api(routes.outcomes.pause, { params: { outcomeId } });
        output.done(paused, `Paused. Resume with: homework outcome resume ${paused.id}`);
      }),
    );
  examples(pause, ["outcome pause", "outcome pause 0198c2a4"]);
}

function addResume(family: Command, host: Host): void {
  const resume = outcomeCommand(family, "resume")
    .description("resume a paused outcome, or start one that was only drafted")
    .action(
      apiAction<[string | undefined, object]>(host, async (given, ref) => {
        const { id: outcomeId, status } = await findOutcome(given.api, ref);
        const route = status === "paused" ? routes.outcomes.resume : routes.outcomes.start;
        await tell(
          given,
          status === "paused" ? "Resumed." : "Started.",
          await given.api(route, { params: { outcomeId } }),
        );
      }),
    );
  examples(resume, ["outcome resume"]);
}

function addStop(family: Command, host: Host): void {
  const stop = outcomeCommand(family, "stop")
    .description("end an outcome and keep it; its runs are canceled")
    .action(
      apiAction<[string | undefined, object]>(host, async ({ api, output }, ref) => {
        const { id: outcomeId } = await findOutcome(api, ref);
        const archived = await api(routes.outcomes.archive, { params: { outcomeId } });
        output.done(archived, "Stopped and archived.");
      }),
    );
  examples(stop, ["outcome stop"]);
}

function addDelete(family: Command, host: Host): void {
  const remove = outcomeDeletion(family)
    .description("delete an outcome; its runs are canceled and stay, with what they wrote")
    .option("-y, --yes", "do not ask")
    .action(
      apiAction<[string, { readonly yes?: true }]>(host, async (given, ref, { yes }) => {
        const { id: outcomeId, name } = await findOutcome(given.api, ref);
        if (!yes) await confirm(given, name);
        const deleted = await given.api(routes.outcomes.remove, { params: { outcomeId } });
        given.output.done(deleted, `Deleted “${name}”.`);
      }),
    );
  examples(remove, ["outcome delete 0198c2a4", "outcome delete last --yes"]);
}

async function confirm(given: ApiInvocation, name: string): Promise<void> {
  if (!canAsk(given)) throw new AppError("invalid_request", "Deleting cannot be undone. Confirm with --yes.");
  const typed = await given.host.terminal.ask(`Delete “${name}” for good? [y/N] `, given.host.stop);
  if (typed === null || !/^y(es)?$/i.test(typed.trim())) throw new AppError("invalid_request", "Nothing was deleted.");
}

/** Also whether someone will go on with it. */
async function tell({ services, output }: ApiInvocation, done: string, { id, ...rest }: Outcome): Promise<void> {
  output.say(done);
  if ((await services.findServer()) === null)
    output.say(`The outcome works while Homework is running: homework start, or homework outcome watch ${id}`);
  else output.say(`Follow it with: homework outcome watch ${id}`);
  output.data({ id, ...rest }, () => `${id}\n`);
}
