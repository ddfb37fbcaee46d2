// `homework changes`, `approve` and `reject`: what a run wants to write, and the word it waits for. Also yes or no to its plan, and
// to a change of the user's criteria.

import type { Command } from "commander";
import { writeStates } from "../../domain/change-set/staged-write.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Run, routes, type StagedWrite } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { counted } from "../../protocol/figures.ts";
import type { Question } from "../../protocol/run-view.ts";
import { isWholeId, prefixMin } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { fetchList, type ListOptions, withListOptions } from "../list.ts";
import { choice, examples } from "../options.ts";
import type { Host } from "../ports.ts";
import { changesText } from "../runs/change-text.ts";
import { findRun, runCommand, runTextCommand } from "../runs/find-run.ts";
import { type Texts, takeNamed } from "../take-named.ts";

export function addRunApproveCommands(program: Command, host: Host): void {
  addChanges(program, host);
  addDecide(program, host, "approve");
  addDecide(program, host, "reject");
}

function addChanges(program: Command, host: Host): void {
  type Options = ListOptions & { readonly state?: StagedWrite["state"]; readonly full?: true };
  const changes = runCommand(program, "changes")
    .description(
      "show what a run wants to write (--write-mode per_write), before and after; nothing is written before you approve it",
    )
    .summary("show what a run wants to write")
    .addOption(choice("--state <state>", "only those in this state", writeStates))
    .option("--full", "the whole of every value");
  withListOptions(changes).action(
    apiAction<[string | undefined, Options]>(host, async ({ api, output }, ref, options) => {
      const { id: runId } = await findRun(api, ref);
      const { items, has_more } = await fetchWrites(api, runId, options);
      const shown = options.full ? await wholeOf(api, runId, items) : items;
      output.data({ items: shown, has_more }, () => changesText(output, shown, options.full === true));
      if (shown.length === 0) output.say("There are no changes.");
      if (has_more) output.say("There are more. See them with --all or a higher --limit.");
      if (shown.some(({ state }) => state === "pending"))
        output.say(`Decide with: homework approve ${runId} --all, or by number: homework approve ${runId} 1 2`);
    }),
  );
  examples(changes, ["changes", "changes --state pending --full", "changes 0198c2a4 --json"]);
}

const fetchWrites = (
  api: Api,
  runId: string,
  { state, ...list }: ListOptions & { readonly state?: StagedWrite["state"] },
) => fetchList<StagedWrite>(list, (page) => api(routes.changes.list, { params: { runId }, query: { ...page, state } }));

/** One by one, and only those that were cut. */
async function wholeOf(api: Api, runId: string, writes: readonly StagedWrite[]): Promise<readonly StagedWrite[]> {
  const whole: StagedWrite[] = [];
  for (const write of writes) {
    const isCut = write.changes.some(({ fields }) => fields.some((field) => field.is_cut));
    whole.push(isCut ? await api(routes.changes.get, { params: { runId, changeId: write.id } }) : write);
  }
  return whole;
}

type DecideOptions = { readonly all?: true; readonly note?: string };
type Decision = "approve" | "reject";

const words = {
  approve: { done: "Approved", what: "let a run write what it staged, follow its plan, or change your criteria" },
  reject: {
    done: "Rejected",
    what: "keep a run from writing what it staged, following its plan, or changing your criteria",
  },
} as const;

const changeTexts: Texts = { min: 0, max: Number.POSITIVE_INFINITY, example: "homework approve 1 3" };

function addDecide(program: Command, host: Host, decision: Decision): void {
  const { done, what } = words[decision];
  const command = runTextCommand(program, decision, "[changes...]")
    .description(`${what}; changes by number or id, as "homework changes" shows them`)
    .summary(what)
    .option("--all", "everything that is pending")
    .option(
      "--note <text>",
      decision === "reject" ? "what should be different" : "a word about it, kept with the change",
    )
    .action(
      apiAction<[readonly string[], DecideOptions]>(host, async (given, words, options) => {
        const { thing, texts: refs } = await takeNamed(words, changeTexts, (ref) => findRun(given.api, ref));
        const { id: runId } = thing;
        const run = await onPlan(given.api, runId, decision, refs, options);
        if (run !== null) return tell(given, `${done} the ${run.what}.`, run.run, 0);
        const chosen = await choose(given.api, runId, refs, options);
        const decisions = chosen.map(({ id }) => ({ change_id: id, decision, note: options.note ?? "" }));
        const answer = await given.api(routes.changes.decide, { params: { runId }, body: { decisions } });
        tell(given, `${done} ${counted(chosen.length, "change")}.`, answer.run, answer.pending);
      }),
    );
  examples(command, [
    `${decision} --all`,
    `${decision} 1 3`,
    `${decision} 0198c2a4 --all`,
    ...(decision === "reject" ? [`reject 2 --note "Not in red"`] : []),
  ]);
}

const asked: Readonly<Partial<Record<Question["kind"], string>>> = {
  approve_plan: "plan",
  approve_checks: "change of your criteria",
};

/** Null: it does not wait for a word about its plan or its checks, or single changes are meant. */
async function onPlan(
  api: Api,
  runId: string,
  decision: Decision,
  texts: readonly string[],
  { note }: DecideOptions,
): Promise<{ readonly what: string; readonly run: Run } | null> {
  const { run } = await api(routes.runs.get, { params: { runId }, query: {} });
  const [question, ...others] = run.questions;
  const what = question && asked[question.kind];
  if (question === undefined || what === undefined || (texts.length > 0 && texts.every(isChange))) return null;
  if (others.length > 0) throw new AppError("invalid_request", `It asks other things, too: homework answer ${runId}`);
  if (texts.some(isChange) || (note !== undefined && texts.length > 0))
    throw new AppError(
      "invalid_request",
      `Say it once: ${asked[question.kind]} and changes apart, words alone or as --note`,
    );
  const words = note ?? (texts.join(" ") || undefined);
  if (words !== undefined && decision === "approve")
    throw new AppError(
      "invalid_request",
      `The ${what} is approved as it is. To have it different: homework reject ${runId} --note "…"`,
    );
  const answers = [{ question_id: question.id, text: words ?? decision }];
  return { what, run: await api(routes.runs.respond, { params: { runId }, body: { answers } }) };
}

const isNumber = (ref: string): boolean => /^\d{1,6}$/.test(ref);

/** What else is said is said in words. */
const isChange = (ref: string): boolean => isNumber(ref) || (ref.length >= prefixMin && /^[\da-f-]+$/i.test(ref));

async function choose(
  api: Api,
  runId: string,
  refs: readonly string[],
  { all }: DecideOptions,
): Promise<readonly StagedWrite[]> {
  if (all && refs.length > 0) throw new AppError("invalid_request", "Give either changes or --all, not both");
  const { items } = await fetchWrites(api, runId, { limit: 0, all: true, ...(all ? { state: "pending" } : {}) });
  if (items.length === 0) throw new AppError("wrong_status", "Nothing needs your approval");
  if (all) return items;
  if (refs.length === 0)
    throw new AppError("invalid_request", `Say which, or --all. See them with: homework changes ${runId}`);
  return [...new Map(refs.map((ref) => pickWrite(items, ref)).map((write) => [write.id, write])).values()];
}

/** By its number, its id, or how its id begins. */
function pickWrite(writes: readonly StagedWrite[], ref: string): StagedWrite {
  const found = writes.filter(({ id, position }) =>
    isNumber(ref)
      ? position === Number(ref)
      : (isWholeId(ref) || ref.length >= prefixMin) && id.startsWith(ref.toLowerCase()),
  );
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  throw new AppError(
    "not_found",
    found.length === 0 ? `There is no change "${ref}"` : `"${ref}" could be several changes: give more of its id`,
  );
}

function tell({ output }: ApiInvocation, done: string, run: Run, pending: number): void {
  output.say(done);
  if (pending > 0) output.say(`${pending} more wait for you: homework changes ${run.id} --state pending`);
  else if (run.status !== "waiting_on_user") output.say(`Follow it with: homework watch ${run.id}`);
  else output.say(`It asks something else, too: homework answer ${run.id}`);
  output.data(run, () => `${run.id}\n`);
}
