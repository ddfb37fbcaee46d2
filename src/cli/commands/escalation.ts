// `homework escalation …`: what HOMЯ asks, and deciding it.

import { type Command, Option } from "commander";
import { escalationStatuses } from "../../domain/homr/questions/escalation.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Escalation, type RunSummary, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { nameAnswer, ownWords } from "../../protocol/kinds.ts";
import { shortIds } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { fetchList, type ListOptions, withListOptions } from "../list.ts";
import { addFamily, choice, examples } from "../options.ts";
import { type Chosen, chooseOption } from "../outcomes/choose-option.ts";
import { escalationCommand, escalationTextCommand, findEscalation } from "../outcomes/find-outcome.ts";
import { escalationColumns, escalationText, escalationWords, howToDecide } from "../outcomes/outcome-text.ts";
import type { Output } from "../output.ts";
import { cutTo, endSentence, oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import { askOnce, canAsk } from "../runs/questions.ts";
import type { Column } from "../table.ts";
import { type Texts, takeNamed } from "../take-named.ts";

export function addEscalationCommands(program: Command, host: Host): void {
  const family = addFamily(program, "escalation", "what HOMЯ asks you about your outcomes");
  addList(family, host);
  addShow(family, host);
  addAnswer(family, host);
  addDismiss(family, host);
  addProposal(family, host, "confirm", "agree to the answer that HOMЯ suggests");
  addProposal(family, host, "reject", "turn down the answer that HOMЯ suggests; the question needs your answer again");
}

function addList(family: Command, host: Host): void {
  type Options = ListOptions & { readonly status?: Escalation["status"]; readonly closed?: true };
  const list = family
    .command("list")
    .description("list the questions that need your answer, also those of runs, newest first")
    .addOption(new Option("--closed", "those that were answered or dismissed").conflicts("status"))
    .addOption(choice("--status <status>", "only those in this status", escalationStatuses));
  withListOptions(list).action(
    apiAction<[Options]>(host, async ({ api, output }, options) => {
      const { status, closed } = options;
      const group = status !== undefined ? undefined : closed ? ("closed" as const) : ("open" as const);
      const list = await fetchList<Escalation>(options, (page) =>
        api(routes.escalations.listAll, { query: { ...page, status, group } }),
      );
      const runs = group === "open" ? await waitingRuns(api, options) : [];
      output.data({ ...list, runs }, () => renderQuestions(output, list.items, runs));
      if (list.items.length + runs.length === 0)
        output.say(group === "open" ? "No questions are waiting for you." : "No such questions.");
      if (list.has_more) output.say("There are more. See them with --all or a higher --limit.");
    }),
  );
  examples(list, ["escalation list", "escalation list --closed --json"]);
}

/** Workers ask as well: through their runs. */
async function waitingRuns(api: Api, options: ListOptions): Promise<readonly RunSummary[]> {
  const { items } = await fetchList<RunSummary>(options, (page) =>
    api(routes.runs.list, { query: { ...page, status: "waiting_on_user" } }),
  );
  return items;
}

function renderQuestions(output: Output, asked: readonly Escalation[], runs: readonly RunSummary[]): string {
  const tables = [
    asked.length === 0 ? "" : output.table(asked, escalationColumns(output, asked)),
    runs.length === 0
      ? ""
      : `${output.paint("bold", runsHeading)}\n${output.table(runs, questionColumns(output, runs))}`,
  ];
  return tables.filter((table) => table !== "").join("\n");
}

const runsHeading = "Questions of runs (answer with: homework answer ID)";

function questionColumns(output: Output, runs: readonly RunSummary[]): readonly Column<RunSummary>[] {
  const short = shortIds(runs.map(({ id }) => id));
  return [
    { title: "ID", value: ({ id }) => short(id) },
    { title: "RUN", value: ({ objective }) => cutTo(oneLine(objective), 30) },
    { title: "ASKED", value: ({ updated_at: at }) => output.ago(at) },
    { title: "QUESTION", value: ({ question }) => question ?? "", flexible: true },
  ];
}

function addShow(family: Command, host: Host): void {
  const show = escalationCommand(family, "show")
    .description("show a question with its options and what they imply")
    .action(
      apiAction<[string | undefined, object]>(host, async ({ api, output }, ref) => {
        const escalation = await findEscalation(api, ref);
        output.data(escalation, () => render(output, escalation));
      }),
    );
  examples(show, ["escalation show last"]);
}

function render(output: Output, escalation: Escalation): string {
  const { answer, dismissed, question, trigger } = escalation;
  const ended: [string, string][] =
    answer !== null
      ? [
          [
            "Answer",
            `${nameAnswer(question.options, answer.selected_option, answer.additional_context)}, ${output.ago(answer.answered_at)}`,
          ],
        ]
      : dismissed === null
        ? []
        : [["Dismissed", output.ago(dismissed.at)]];
  const fields = output.fields([
    ["Outcome", escalation.outcome_name],
    ["Id", escalation.id],
    ["Status", escalationWords[escalation.status]],
    ["Why", trigger.type.replaceAll("_", " ") + (trigger.task_number === null ? "" : `, task #${trigger.task_number}`)],
    ["Asked", output.ago(escalation.created_at)],
    ...ended,
  ]);
  const how = answer === null && dismissed === null ? `\nAnswer with: ${howToDecide(escalation)}\n` : "";
  return `${fields}\n${escalationText(escalation)}\n${how}`;
}

const optionTexts: Texts = { min: 0, max: 1, example: 'homework escalation answer "Both, one after the other"' };

function addAnswer(family: Command, host: Host): void {
  type Options = { readonly context?: string };
  const answer = escalationTextCommand(family, "answer", "[option]")
    .description("choose an option, by its number, id or label, or say it in your own words; asks you if you name none")
    .option("--context <text>", "a note to the workers")
    .action(
      apiAction<[readonly string[], Options]>(host, async (given, words, { context }) => {
        const { thing: escalation, texts } = await takeNamed(words, optionTexts, (ref) =>
          findEscalation(given.api, ref),
        );
        const [typed] = texts;
        const chosen = chooseOption(escalation, typed ?? (await askFor(given, escalation)));
        const answered = await given.api(routes.escalations.answer, {
          params: paramsOf(escalation),
          body: { selected_option: chosen.id, additional_context: noteOf(chosen, context) },
        });
        tell(
          given,
          endSentence(`Decided: ${nameAnswer(escalation.question.options, chosen.id, chosen.note ?? "")}`),
          answered,
        );
      }),
    );
  examples(answer, [
    "escalation answer 1",
    `escalation answer 0198c2a4 normalized --context "Keep the old table until June"`,
    `escalation answer "Both, one after the other"`,
    "escalation answer",
  ]);
}

/** Own words stay beside a note. */
const noteOf = ({ id, note }: Chosen, context: string | undefined) =>
  id === ownWords ? [note, context].filter(Boolean).join("\n") : (context ?? note);

async function askFor(given: ApiInvocation, escalation: Escalation): Promise<string> {
  if (!canAsk(given))
    throw new AppError(
      "invalid_request",
      `Say which option:\n${escalationText(escalation)}\nAnswer with: ${howToDecide(escalation)}`,
    );
  given.output.warn(escalationText(escalation));
  const typed = await askOnce(given);
  if (typed === null) throw new AppError("invalid_request", "Nothing was decided. The question is still open.");
  return typed;
}

function addDismiss(family: Command, host: Host): void {
  const dismiss = escalationCommand(family, "dismiss")
    .description("continue without an answer; the workers are told to decide")
    .option("--why <text>", "a note to the workers")
    .action(
      apiAction<[string | undefined, { readonly why?: string }]>(host, async (given, ref, { why }) => {
        const escalation = await findEscalation(given.api, ref);
        const dismissed = await given.api(routes.escalations.dismiss, { params: paramsOf(escalation), body: { why } });
        tell(given, "Dismissed. The workers decide.", dismissed);
      }),
    );
  examples(dismiss, ["escalation dismiss last", `escalation dismiss last --why "Either is fine"`]);
}

function addProposal(family: Command, host: Host, name: "confirm" | "reject", description: string): void {
  const command = escalationCommand(family, name)
    .description(description)
    .action(
      apiAction<[string | undefined, object]>(host, async (given, ref) => {
        const escalation = await findEscalation(given.api, ref);
        const decided = await given.api(routes.escalations[name], { params: paramsOf(escalation) });
        tell(given, name === "confirm" ? "Confirmed." : "Rejected. The question needs your answer.", decided);
      }),
    );
  examples(command, [`escalation ${name} last`]);
}

const paramsOf = ({ outcome_id: outcomeId, id: escId }: Escalation) => ({ outcomeId, escId });

type Answered = { readonly resumed_tasks: readonly string[]; readonly escalation: Escalation };

function tell({ output }: ApiInvocation, words: string, answered: Answered): void {
  const { resumed_tasks: resumed, escalation } = answered;
  output.say(resumed.length === 0 ? words : `${words} Tasks resumed: ${resumed.length}.`);
  output.data(answered, () => `${escalation.id}\n`);
}
