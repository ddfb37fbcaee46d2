// Runs for people: the rows of a list, and everything about one of them. Pure.

import type { Run, RunIteration, RunSummary } from "../../protocol/api.ts";
import { cost, counted, duration, exactDollars } from "../../protocol/figures.ts";
import { iterationStatusWords } from "../../protocol/words/iteration-status.ts";
import { receiptWords } from "../../protocol/words/receipt.ts";
import { longestSilence } from "../../protocol/words/silence.ts";
import { shortIds } from "../find.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import type { Column } from "../table.ts";
import { checkLine } from "./check-state.ts";
import { nextStepOf } from "./next-step.ts";
import { stepLine } from "./plan-text.ts";
import { howToAnswer, questionText } from "./questions.ts";
import { runStatusWords } from "./status-words.ts";

/** A long brief would hide everything else; `--json` has all of it. */
const objectiveMax = 400;
/** The last messages, and the beginning of each. */
const messagesShown = 5;
const messageMax = 100;

export function runColumns(output: Output, items: readonly RunSummary[]): readonly Column<RunSummary>[] {
  const short = shortIds(items.map(({ id }) => id));
  return [
    { title: "ID", value: ({ id }) => short(id) },
    { title: "STATUS", value: (run) => runStatusWords(run) },
    { title: "ITERATION", value: (run) => `${run.iteration}/${run.max_iterations}` },
    { title: "TIME", value: ({ metrics }) => duration(metrics.running_ms) },
    { title: "COST", value: ({ metrics }) => cost(metrics.cost_total_micro_usd, metrics.unpriced_calls) },
    { title: "CHANGED", value: (run) => output.ago(run.updated_at) },
    { title: "OBJECTIVE", value: ({ objective }) => objective, flexible: true },
  ];
}

/** `iterations`: the last ones, newest first. */
export function renderRun(output: Output, run: Run, iterations: readonly RunIteration[]): string {
  const heading = (text: string) => `\n${output.paint("bold", text)}\n`;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : heading(title) + lines.map((line) => `  ${line}\n`).join("");
  return [
    output.fields(fieldsOf(output, run)),
    part(
      "Plan",
      run.plan.map((step) => stepLine(output, step)),
    ),
    part(
      "Checks",
      run.completion_criteria.map((check) => checkLine(output, run, check)),
    ),
    part(
      "Questions",
      run.questions.flatMap((question) => questionText(question).split("\n")),
    ),
    run.questions.length === 0 ? "" : `  Answer with: ${howToAnswer(run, run.id)}\n`,
    part(
      "Guidance",
      run.messages.slice(-messagesShown).map((message) => messageLine(run, message)),
    ),
    iterations.length === 0
      ? ""
      : heading("Last iterations") + output.table([...iterations].reverse(), iterationColumns),
  ].join("");
}

const ended = new Set<string>(["completed", "failed", "canceled"]);

/** What the user said, and in which prompts it stood. */
function messageLine({ status }: Run, message: Run["messages"][number]): string {
  return `${cutTo(oneLine(message.text), messageMax)}  (${receiptWords(message, ended.has(status))})`;
}

function fieldsOf(output: Output, run: Run): [string, string][] {
  const given = (name: string, value: string | null): [string, string][] =>
    value === null || value === "" ? [] : [[name, value]];
  return [
    ["Objective", cutTo(oneLine(run.objective), objectiveMax)],
    ["Id", run.id],
    ["Status", statusLine(run)],
    ...given("Model", longestSilence(run, output.now())),
    ...given("Why", run.failure ?? run.stop_reason?.detail ?? run.hold?.why ?? run.guidance?.why ?? null),
    ["Used", used(run)],
    ["Limits", limits(run)],
    ...given("Next", run.forecast === null ? null : `about ${spent(run.forecast)} for one more iteration`),
    // How to answer stands below its questions.
    ...given("To go on", run.questions.length > 0 ? null : (nextStepOf(run, run.id)?.command ?? null)),
    ...given("Projects", run.project_ids.join(", ")),
    ...given("Approvals", approvals[run.permissions.write_mode]),
    ...given("Unread", run.unread_messages === 0 ? null : counted(run.unread_messages, "message")),
    ...given("Forked", run.forked_from && `from iteration ${run.forked_from.iteration} of ${run.forked_from.run_id}`),
    ...given("Follows", run.follows_run_id),
    ["Created", output.ago(run.created_at)],
    ...given("Ended", run.completed_at && output.ago(run.completed_at)),
    ...given("Report", run.report && `homework report ${run.id}`),
  ];
}

function statusLine(run: Run): string {
  const { iteration, max_iterations, place_in_line, hold } = run;
  return [
    runStatusWords(run),
    ...(place_in_line === null ? [] : [`number ${place_in_line} in the queue`]),
    ...(hold === null ? [] : [`waiting for the model provider until ${hold.until.slice(11, 16)} UTC`]),
    `iteration ${iteration} of ${max_iterations}`,
  ].join(", ");
}

const spent = ({ running_ms, cost_total_micro_usd, unpriced_calls, tokens_total }: Run["metrics"]) =>
  `${duration(running_ms)}, ${cost(cost_total_micro_usd, unpriced_calls)}, ${counted(tokens_total, "token")}`;

const used = ({ metrics }: Run) => `${spent(metrics)}, ${counted(metrics.tool_calls_total, "tool call")}`;

function limits({ budgets }: Run): string {
  const { max_cost_usd: usd, max_total_tokens: tokens, max_tool_calls: calls } = budgets;
  return [
    counted(budgets.max_iterations, "iteration"),
    duration(budgets.max_wall_clock_ms),
    ...(usd === null ? [] : [`${exactDollars(Math.round(usd * 1_000_000))}${budgets.hard ? " (hard)" : ""}`]),
    ...(tokens === null ? [] : [counted(tokens, "token")]),
    ...(calls === null ? [] : [counted(calls, "tool call")]),
  ].join(", ");
}

const approvals: Readonly<Record<Run["permissions"]["write_mode"], string>> = {
  autopilot: "none",
  approve_plan: "the plan",
  per_write: "everything the run writes",
};

const iterationColumns: readonly Column<RunIteration>[] = [
  { title: "", value: () => "" }, // As far in as the other parts.
  { title: "NO", value: ({ iteration }) => String(iteration) },
  { title: "STATUS", value: ({ status }) => (iterationStatusWords[status] ?? status).toLowerCase() },
  { title: "TIME", value: ({ metrics }) => (metrics === null ? "" : duration(metrics.running_ms)) },
  {
    title: "COST",
    value: ({ metrics }) => (metrics === null ? "" : cost(metrics.cost_total_micro_usd, metrics.unpriced_calls)),
  },
  {
    title: "WHAT AND WHY",
    value: ({ summary, why, error }) =>
      [summary, error, why].filter((text) => text !== null && text !== "").join(" · "),
    flexible: true,
  },
];
