// Outcomes, their tasks and HOMЯ's questions for people. Pure.

import type {
  Escalation,
  HomrActivity,
  Outcome,
  OutcomeEvent,
  OutcomeSummary,
  OutcomeTask,
} from "../../protocol/api.ts";
import { cost, exactDollars } from "../../protocol/figures.ts";
import { intentItemStatus } from "../../protocol/intent-item-status.ts";
import { activityLabel } from "../../protocol/words/activity.ts";
import { outcomeStatusWords, outcomeTaskWords } from "../../protocol/words/outcome.ts";
import { shortIds } from "../find.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine, withoutEscapes } from "../plain-text.ts";
import type { Column } from "../table.ts";
import { dateIn, timeIn } from "../time-words.ts";

const textMax = 400;
/** Of what happens while one watches, on one line; the log has all of it. */
const lineMax = 200;

/** A newer server may have sent a status that is not known here. */
export const outcomeWord = (status: OutcomeSummary["status"]): string =>
  (outcomeStatusWords[status] ?? status).toLowerCase();

const taskWord = (status: OutcomeTask["status"]): string => (outcomeTaskWords[status] ?? status).toLowerCase();

/** Tasks that count: those that are not needed do not. */
const allOf = ({ obsolete: _, ...counts }: OutcomeSummary["tasks"]): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0);

const progress = ({ tasks, is_drafting: isDrafting }: OutcomeSummary): string =>
  isDrafting ? "being drafted" : `${tasks.completed}/${allOf(tasks)}`;

const spent = ({ metrics }: OutcomeSummary) => cost(metrics.cost_total_micro_usd, metrics.unpriced_calls);

export function outcomeColumns(output: Output, items: readonly OutcomeSummary[]): readonly Column<OutcomeSummary>[] {
  const short = shortIds(items.map(({ id }) => id));
  return [
    { title: "ID", value: ({ id }) => short(id) },
    { title: "STATUS", value: ({ status }) => outcomeWord(status) },
    { title: "TASKS", value: progress },
    { title: "QUESTIONS", value: ({ open_escalations: open, waiting_runs: waiting }) => String(open + waiting || "") },
    { title: "COST", value: spent },
    { title: "CHANGED", value: (outcome) => output.ago(outcome.updated_at) },
    { title: "NAME", value: ({ name }) => name, flexible: true },
  ];
}

const statusWords = ({ status, run_status: run }: OutcomeTask): string =>
  status === "running" && run === "waiting_on_user" ? "needs you" : taskWord(status);

export function taskColumns(all: readonly OutcomeTask[]): readonly Column<OutcomeTask>[] {
  const numbers = new Map(all.map(({ id, number }) => [id, number]));
  const waitsFor = (task: OutcomeTask) => task.depends_on.map((id) => `#${numbers.get(id) ?? "?"}`).join(" ");
  return [
    { title: "NO", value: ({ number }) => `#${number}` },
    { title: "STATUS", value: statusWords },
    { title: "PRIORITY", value: ({ priority }) => String(priority) },
    { title: "ATTEMPTS", value: (task) => `${task.attempts}/${task.max_attempts}` },
    { title: "AFTER", value: waitsFor },
    { title: "BY", value: ({ made_by: maker }) => (maker === "homr" ? "HOMЯ" : maker) },
    { title: "TITLE", value: ({ title }) => title, flexible: true },
  ];
}

/** `open`: its open questions. */
export function renderOutcome(
  output: Output,
  outcome: Outcome,
  tasks: readonly OutcomeTask[],
  open: readonly Escalation[],
): string {
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : `\n${output.paint("bold", title)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
  return [
    output.fields(fieldsOf(output, outcome)),
    part(
      "Intent",
      outcome.intent.items.map((item) =>
        oneLine(`${itemMarks[intentItemStatus(outcome, item)]} ${item.title} (${item.priority})`),
      ),
    ),
    part("Success criteria", outcome.intent.success_criteria.map(oneLine)),
    part(
      "HOMЯ needs your decision",
      open.flatMap((each) => [...escalationText(each).split("\n"), `Answer with: ${howToDecide(each)}`]),
    ),
    tasks.length === 0 ? "" : `\n${output.paint("bold", "Tasks")}\n${output.table(tasks, taskColumns(tasks))}`,
  ].join("");
}

const itemMarks = { pending: "[ ]", in_progress: "[>]", done: "[x]" } as const;

function fieldsOf(output: Output, outcome: Outcome): [string, string][] {
  const given = (name: string, value: string | null): [string, string][] =>
    value === null || value === "" ? [] : [[name, value]];
  const { tasks, homr, max_cost_usd: maxCost } = outcome;
  return [
    ["Name", outcome.name],
    ["Id", outcome.id],
    ["Status", outcome.is_drafting ? "being drafted" : outcomeWord(outcome.status)],
    ["Tasks", countWords(tasks)],
    ...given("Summary", cutTo(oneLine(outcome.intent.summary || outcome.brief), textMax)),
    ...given("Approach", outcome.approach && `version ${outcome.approach.version}`),
    ["Workers", `${outcome.workers} at once, ${outcome.engine}`],
    ["HOMЯ", homr.enabled ? "on" : "off"],
    ["Cost", `${spent(outcome)}${maxCost === null ? "" : ` of ${exactDollars(Math.round(maxCost * 1_000_000))}`}`],
    ...given(
      "Latest",
      outcome.latest && `${oneLine(outcome.latest.summary).replace(/\.$/, "")} (${output.ago(outcome.latest.at)})`,
    ),
    ["Created", output.ago(outcome.created_at)],
  ];
}

export function countWords(counts: Outcome["tasks"]): string {
  const words = Object.entries(counts).flatMap(([status, count]) =>
    count === 0 ? [] : [`${count} ${taskWord(status as OutcomeTask["status"])}`],
  );
  return words.length === 0 ? "none yet" : words.join(", ");
}

/** The question with its options, numbered so that one can be chosen. */
export function escalationText({
  question,
  affected_numbers: numbers,
  pauses,
  deadline,
  proposed,
}: Escalation): string {
  const paused =
    !pauses || numbers.length === 0 ? [] : [`Tasks paused: ${numbers.map((number) => `#${number}`).join(" ")}`];
  const byItself = deadline === null ? [] : [`HOMЯ decides at ${deadline.slice(0, 16).replace("T", " ")} UTC`];
  const suggested =
    proposed === null
      ? []
      : [`HOMЯ suggests: ${labelOf(question.options, proposed.selected_option)} (${proposed.reason})`];
  return [
    question.text,
    ...(question.context === "" ? [] : [question.context]),
    ...question.options.flatMap((option, at) => [
      `  ${at + 1}) ${option.label}${option.description === "" ? "" : `: ${option.description}`}`,
      ...(option.implications === "" ? [] : [`     → ${option.implications}`]),
    ]),
    ...suggested,
    ...paused,
    ...byItself,
  ]
    .map(withoutEscapes)
    .join("\n");
}

const labelOf = (options: Escalation["question"]["options"], id: string): string =>
  options.find((option) => option.id === id)?.label ?? id;

/** Which command answers, word for word. */
export const howToDecide = ({ id }: Escalation): string => `homework escalation answer ${id} 1`;

export const escalationWords: Readonly<Record<Escalation["status"], string>> = {
  pending: "needs you",
  pending_confirmation: "needs your approval",
  answered: "answered",
  dismissed: "dismissed",
};

export function escalationColumns(output: Output, items: readonly Escalation[]): readonly Column<Escalation>[] {
  const short = shortIds(items.map(({ id }) => id));
  return [
    { title: "ID", value: ({ id }) => short(id) },
    { title: "STATUS", value: ({ status }) => escalationWords[status] },
    { title: "OUTCOME", value: ({ outcome_name: name }) => cutTo(oneLine(name), 30) },
    { title: "ASKED", value: ({ created_at: at }) => output.ago(at) },
    { title: "QUESTION", value: ({ question }) => question.text, flexible: true },
  ];
}

export function activityLine(line: HomrActivity, timeZone: string): string {
  const { created_at: at, task_number: number, summary } = line;
  const task = number === null ? "" : `  task #${number}`;
  return oneLine(`${dateIn(at, timeZone)} ${timeIn(at, timeZone)}  ${activityLabel(line)}${task}  ${summary}`);
}

/** The time is the event's own; null: no news for a person. */
export function outcomeEventLine({ at, event }: OutcomeEvent, timeZone: string): string | null {
  const said = wordsFor(event);
  return said === null ? null : `${timeIn(at, timeZone)}  ${cutTo(oneLine(said), lineMax)}`;
}

type Known = Extract<
  OutcomeEvent["event"],
  { type: "task_changed" | "escalation_changed" | "activity_logged" | "outcome_changed" }
>;

function wordsFor(event: OutcomeEvent["event"]): string | null {
  const said = event as Known;
  switch (said.type) {
    case "outcome_changed":
      return `Outcome “${said.name}” is ${outcomeWord(said.status)}`;
    case "task_changed":
      return `Task #${said.number} “${said.title}”: ${taskWord(said.status)}`;
    case "escalation_changed":
      return said.status === "pending"
        ? `HOMЯ asks: ${said.question}`
        : `Question ${escalationWords[said.status] ?? said.status}`;
    case "activity_logged":
      return `HOMЯ: ${said.summary}`;
    default:
      return null;
  }
}
