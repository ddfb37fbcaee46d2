// The report of an outcome for a terminal: what came of each task and where it is, what was decided on the way, and the figures.

import { type Escalation, type Outcome, type OutcomeTask, routes } from "../../protocol/api.ts";
import { cost, counted, duration } from "../../protocol/figures.ts";
import { nameAnswer } from "../../protocol/kinds.ts";
import { pathOfThing } from "../../protocol/report-markdown.ts";
import { getIfThere } from "../find.ts";
import type { ApiInvocation } from "../invocation.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import { elapsedMs } from "../time-words.ts";
import { taskColumns } from "./outcome-text.ts";

type Result = { readonly task_number: number; readonly title: string; readonly type: string; readonly path: string };
type Decided = { readonly question: string; readonly answer: string; readonly by: string | null };

type OutcomeReport = Outcome & {
  readonly task_list: readonly OutcomeTask[];
  readonly results: readonly Result[];
  readonly decisions: readonly Decided[];
  readonly stats: {
    readonly tasks_observed: number;
    readonly discoveries_extracted: number;
    readonly escalations_created: number;
    readonly steering_actions: number;
  };
};

/** Tasks whose result is looked up; the page of the outcome has all of them. */
const resultsMax = 20;
const lineMax = 200;

export async function gatherReport(
  given: ApiInvocation,
  outcome: Outcome,
  tasks: readonly OutcomeTask[],
): Promise<OutcomeReport> {
  const { api } = given;
  const params = { outcomeId: outcome.id };
  const { stats } = await api(routes.homr.status, { params });
  const { items } = await api(routes.escalations.list, { params, query: {} });
  const results = await findResults(given, tasks);
  return { ...outcome, task_list: tasks, results, decisions: items.flatMap(toDecided), stats };
}

async function findResults({ api }: ApiInvocation, tasks: readonly OutcomeTask[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { number, run_id: runId, status } of tasks.slice(0, resultsMax)) {
    if (runId === null || status !== "completed") continue;
    const found = await getIfThere(api(routes.runs.get, { params: { runId }, query: {} }));
    const primary = found?.run.report?.primary_output ?? null;
    if (primary === null) continue;
    results.push({
      task_number: number,
      title: primary.title,
      type: primary.type,
      path: pathOfThing(primary) ?? primary.id,
    });
  }
  return results;
}

function toDecided({ question, answer, dismissed }: Escalation): readonly Decided[] {
  if (answer !== null) {
    const said = nameAnswer(question.options, answer.selected_option, answer.additional_context);
    return [{ question: question.text, answer: said, by: answer.by }];
  }
  if (dismissed === null) return [];
  return [
    { question: question.text, answer: dismissed.why === "" ? "dismissed" : `closed: ${dismissed.why}`, by: null },
  ];
}

const deciders: Readonly<Record<string, string>> = { human: "you", homr: "HOMЯ", deadline: "its deadline" };

/** `origin`: where the pages are; without it only paths are shown. */
export function renderOutcomeReport(output: Output, report: OutcomeReport, origin: string): string {
  const { task_list: tasks, results, decisions, name } = report;
  if (tasks.length === 0) return "";
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ""
      : `\n${output.paint("bold", title)}\n${lines.map((line) => `  ${oneLine(line)}\n`).join("")}`;
  return [
    `${output.paint("bold", oneLine(name))}\n`,
    part(
      "Results",
      results.map(({ task_number: number, title, path }) => `#${number} ${title}: ${origin}${path}`),
    ),
    part(
      "Decided",
      decisions.map(
        ({ question, answer, by }) =>
          `${cutTo(oneLine(question), lineMax)} → ${answer}${by === null ? "" : ` (by ${deciders[by] ?? by})`}`,
      ),
    ),
    `\n${output.table(tasks, taskColumns(tasks))}\n`,
    `${output.paint("dim", figuresOf(report).join(" · "))}\n`,
  ].join("");
}

function figuresOf({ stats, metrics, created_at: from, updated_at: until }: OutcomeReport): readonly string[] {
  return [
    counted(stats.tasks_observed, "observation"),
    `${stats.discoveries_extracted} ${stats.discoveries_extracted === 1 ? "discovery" : "discoveries"}`,
    counted(stats.steering_actions, "steering action"),
    counted(stats.escalations_created, "question"),
    cost(metrics.cost_total_micro_usd, metrics.unpriced_calls),
    duration(elapsedMs(from, until)),
  ];
}
