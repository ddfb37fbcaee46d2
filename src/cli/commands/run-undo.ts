// `homework undo`: takes back what a run wrote. Shows first what that comes to, and does it only when told so.

import { type Command, InvalidArgumentError } from "commander";
import { tellConflicts } from "../../domain/undo/tell-conflicts.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes, type Undone } from "../../protocol/api.ts";
import { counted } from "../../protocol/figures.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { examples } from "../options.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import { findRun, runCommand } from "../runs/find-run.ts";
import { canAsk } from "../runs/questions.ts";

type Options = {
  readonly yes?: true;
  readonly skip?: readonly string[];
  readonly force?: readonly string[];
  readonly skipConflicts?: true;
};

export function addUndoCommand(program: Command, host: Host): void {
  const undo = runCommand(program, "undo")
    .description(
      "take back everything a run wrote: what it made goes, what it changed is as it was; shows first what that comes to",
    )
    .summary("take back what a run wrote")
    .option("-y, --yes", "do it without asking")
    .option("--skip <kind:id>", "leave this as it is; may be repeated", gather)
    .option("--force <kind:id>", "overwrite what somebody did to this since; may be repeated", gather)
    .option("--skip-conflicts", "leave everything as it is that others have worked on since")
    .action(
      apiAction<[string | undefined, Options]>(host, async (given, ref, options) => {
        const { id: runId } = await findRun(given.api, ref);
        await takeBack(given, runId, options);
      }),
    );
  examples(undo, ["undo", "undo --yes --skip-conflicts", "undo 0198c2a4 --force document:0198c2b7-… --yes"]);
}

function gather(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[a-z]+:[0-9a-f-]{36}$/i.test(text))
    throw new InvalidArgumentError("Give it as kind:id, as the list of conflicts and --json show it.");
  return [...before, text.toLowerCase()];
}

async function takeBack(given: ApiInvocation, runId: string, options: Options): Promise<void> {
  const { api, output } = given;
  const { first, body } = await lookAtIt(given, runId, options);
  const isOpen = first.conflicts.count > 0;
  if (isNothing(first) && !isOpen) {
    output.say("There is nothing left to take back.");
    return output.data(first, () => "");
  }
  if (isOpen && options.yes) throw inConflict(first, conflictLines(first.conflicts));
  if (!options.yes && !(await isWanted(given, first, isOpen))) return;
  const done = await api(routes.runs.undo, { params: { runId }, query: {}, body });
  output.say(`Undone: ${counted(done.removed.count, "thing")} removed, ${done.restored.count} put back.`);
  const left = done.skipped.count + done.kept.count;
  if (left > 0) output.say(`Left as it is: ${left}.`);
  output.data(done, () => `${runId}\n`);
}

/** What is skipped may keep something else, such as its project: after a few rounds there is nothing left to find. */
const roundsMax = 5;

/** What it comes to; with --skip-conflicts, without everything that others have worked on. */
async function lookAtIt({ api }: ApiInvocation, runId: string, { skip = [], force = [], skipConflicts }: Options) {
  const look = async (left: readonly string[]) => {
    const body = { skip: [...left], force: [...force] };
    return { body, first: await api(routes.runs.undo, { params: { runId }, query: { dry_run: "true" }, body }) };
  };
  let looked = await look(skip);
  for (let round = 1; skipConflicts && looked.first.conflicts.count > 0 && round < roundsMax; round += 1) {
    const found = looked.first.conflicts.items.map(({ thing }) => thing.ref);
    looked = await look([...new Set([...looked.body.skip, ...found])]);
  }
  return looked;
}

const isNothing = ({ removed, restored }: Undone) => removed.count + restored.count === 0;

function inConflict({ conflicts }: Undone, lines: readonly string[]): AppError {
  const told = tellConflicts(conflicts.items.map(({ thing, reason }) => ({ ref: thing.ref, reason })));
  const message = `${told}: name each with --skip or --force, or give --skip-conflicts`;
  return new AppError("undo_conflict", [...lines, message].join("\n"));
}

/** Shows what it comes to, and asks where somebody is there. */
async function isWanted(given: ApiInvocation, first: Undone, isOpen: boolean): Promise<boolean> {
  const { host, output } = given;
  if (output.isJson || !canAsk(given)) {
    output.data(first, () => shown(first));
    output.say("Nothing was done yet. Confirm with --yes.");
    return false;
  }
  output.warn(shown(first).trimEnd());
  if (isOpen) throw inConflict(first, []);
  const typed = await host.terminal.ask("Take all this back? [y/N] ", host.stop);
  if (/^y(es)?$/i.test(typed?.trim() ?? "")) return true;
  output.say("Nothing was done.");
  return false;
}

/** More lines are more than anyone reads; with --json everything is there. */
const linesMax = 40;

function shown(first: Undone): string {
  const lines = [
    ...section("goes", first.removed),
    ...section("is put back", first.restored),
    ...section("stays, because others use it", first.kept),
    ...section("is skipped", first.skipped),
    ...conflictLines(first.conflicts),
    ...(first.ends_run ? ["The run itself is ended by this for good."] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Links come and go with what they join, so they are only counted. */
function section(title: string, { count, items }: Undone["removed"]): readonly string[] {
  const things = items.filter(({ kind }) => kind !== "edge");
  const links = items.length - things.length;
  const listed = things.slice(0, linesMax).map(({ kind, title: name }) => `${title}: ${kind} "${oneLine(name)}"`);
  const more = count - links - listed.length;
  return [
    ...listed,
    ...(more > 0 ? [`${title}: ${more} more`] : []),
    ...(links > 0 ? [`${title}: ${counted(links, "link")} between them`] : []),
  ];
}

function conflictLines({ items }: Undone["conflicts"]): readonly string[] {
  return items.slice(0, linesMax).map(({ thing, who, message, can_force: canForce }) => {
    const what = `${thing.kind} "${oneLine(thing.title)}" (${thing.ref})`;
    const only = canForce ? "" : "; it can only be skipped";
    return `in conflict: ${what}: ${message}${who === null ? "" : ` by ${whoIs(who)} at ${who.at}`}${only}`;
  });
}

type Who = NonNullable<Undone["conflicts"]["items"][number]["who"]>;

const whoIs = ({ run_id: runId, name }: Who) => (runId === null ? oneLine(name ?? "someone") : `run ${runId}`);
