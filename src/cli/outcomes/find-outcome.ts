// Finds the outcome or the question a person named: by id, by the first characters of its id, as the `last` one, an outcome also by
// its name.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { type Escalation, type Outcome, type OutcomeSummary, type OutcomeTask, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { getIfThere, isLast, isWholeId, pick } from "../find.ts";
import { fetchList } from "../list.ts";
import { cutTo, oneLine } from "../plain-text.ts";

export const noOutcomesYet = 'No outcomes yet: homework outcome start "what you want"';
/** Enough of a question to tell it from others. */
const labelMax = 60;

const howToName =
  '\nAn outcome is named by its id, the start of its id, its name, or "last". Without a name it is the last one.';
const howToNameEscalation =
  '\nAn escalation is named by its id, the start of its id, or "last". Without a name it is the last one.';

/** A command about one outcome: `show [outcome]`. */
export function outcomeCommand(family: Command, name: string): Command {
  return family.command(`${name} [outcome]`).addHelpText("after", howToName);
}

/** What is deleted is named, never guessed. */
export const outcomeDeletion = (family: Command): Command => family.command("delete <outcome>");

/** A command about one outcome that also takes a text: `tell [outcome] <message>`; read by `takeNamed`. */
export function outcomeTextCommand(family: Command, name: string, text: string): Command {
  return family.command(`${name} [words...]`).usage(`[options] [outcome] ${text}`).addHelpText("after", howToName);
}

/** A command about one question: `show [escalation]`. */
export function escalationCommand(family: Command, name: string): Command {
  return family.command(`${name} [escalation]`).addHelpText("after", howToNameEscalation);
}

/** A command about one question that also takes a text: `answer [escalation] [option]`; read by `takeNamed`. */
export function escalationTextCommand(family: Command, name: string, text: string): Command {
  return family
    .command(`${name} [words...]`)
    .usage(`[options] [escalation] ${text}`)
    .addHelpText("after", howToNameEscalation);
}

export async function findOutcome(api: Api, ref = "last"): Promise<Outcome> {
  return api(routes.outcomes.get, { params: { outcomeId: await findOutcomeId(api, ref) } });
}

async function findOutcomeId(api: Api, ref: string): Promise<string> {
  if (isLast(ref)) {
    const [last] = (await api(routes.outcomes.list, { query: { limit: 1 } })).items;
    if (!last) throw new AppError("not_found", noOutcomesYet);
    return last.id;
  }
  if (isWholeId(ref)) {
    const found = await getIfThere(api(routes.outcomes.get, { params: { outcomeId: ref } }));
    if (found === null)
      throw new AppError("not_found", `There is no outcome "${ref}". See yours: homework outcome list --all`);
    return found.id;
  }
  const { items } = await fetchList<OutcomeSummary>({ limit: 0, all: true }, (page) =>
    api(routes.outcomes.list, { query: page }),
  );
  if (items.length === 0) throw new AppError("not_found", noOutcomesYet);
  return pick("outcome", ref, items, ({ id, name }) => ({ id, label: cutTo(oneLine(name), labelMax), names: [name] }))
    .id;
}

export async function findEscalation(api: Api, ref = "last"): Promise<Escalation> {
  if (isLast(ref)) {
    const [last] = (await api(routes.escalations.listAll, { query: { limit: 1 } })).items;
    if (!last) throw new AppError("not_found", "HOMЯ has asked nothing yet.");
    return last;
  }
  if (isWholeId(ref)) {
    const found = await getIfThere(api(routes.escalations.find, { params: { escId: ref } }));
    if (found !== null) return found;
    throw new AppError("not_found", `There is no escalation "${ref}". See yours: homework escalation list --all`);
  }
  const { items } = await fetchList<Escalation>({ limit: 0, all: true }, (page) =>
    api(routes.escalations.listAll, { query: page }),
  );
  return pick("escalation", ref, items, ({ id, question }) => ({
    id,
    label: cutTo(oneLine(question.text), labelMax),
    names: [],
  }));
}

/** All of them, in the order of their numbers. */
export async function allTasks(api: Api, outcomeId: string): Promise<readonly OutcomeTask[]> {
  const { items } = await fetchList<OutcomeTask>({ limit: 0, all: true }, (page) =>
    api(routes.outcomeTasks.list, { params: { outcomeId }, query: page }),
  );
  return items;
}

/** By number: `3` or `#3`. */
export function taskByNumber(tasks: readonly OutcomeTask[], ref: string): OutcomeTask {
  const number = Number(/^#?(\d{1,9})$/.exec(ref)?.[1] ?? Number.NaN);
  const found = tasks.find((task) => task.number === number);
  if (found !== undefined) return found;
  const last = tasks.at(-1)?.number ?? 0;
  throw new AppError(
    "not_found",
    last === 0 ? "The outcome has no tasks yet" : `There is no task "${ref}"; they are #1 to #${last}`,
  );
}
