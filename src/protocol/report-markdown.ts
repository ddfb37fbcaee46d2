// The report of a run as Markdown, for a file, an e-mail or a page: the result first. Pure. Titles come from models and people:
// they stay on their line and cannot become markup. The summary is prose and stays as it was written, but for pictures.

import { noticedHeading } from "../domain/agent/work.ts";
import { countKind, countNoun, joinWords, type ReportWords, reportWords } from "../domain/run/report/report-words.ts";
import type { RunReport, RunSource } from "./api.ts";
import { cost, duration } from "./figures.ts";
import { kindSpecs } from "./kinds.ts";
import { linkRemoteImages } from "./remote-images.ts";
import { listOpened } from "./run-sources.ts";

type Thing = Pick<RunReport["what_changed"]["created"][number], "type" | "id" | "title" | "project_id">;

/** `origin`: where the pages are, such as `https://homework.example.com`; without it, links hold within the application. */
export function renderReportMarkdown(report: RunReport, origin: string, sources: readonly RunSource[]): string {
  const words = wordsOf(report);
  const link = (thing: Thing) => linkTo(thing, origin);
  return [
    `# ${inline(report.title)}`,
    section(words.result, resultLines(report, words, link), "\n\n"),
    section(words.openQuestions, report.open_questions.map(bullet)),
    section(words.unsure, report.unsure.map(bullet)),
    section(
      words.messages,
      report.messages.map((message) => messageLine(message, words)),
    ),
    section(words.checks, checkLines(report, words)),
    section(words.checkChanges, checkChangeLines(report, words)),
    section(words.changes, changeLines(report, words, link)),
    section(report.work?.branch ?? "", workLines(report)),
    section(words.sources, sourceLines(sources, words)),
    section(words.effort, [`- ${reportFigures(report).join("\n- ")}`]),
    section(words.ending, [inline(report.stopping_reason.detail)]),
    section(words.objective, [quoted(report.objective)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

const workLines = ({ work }: RunReport): string[] => [
  ...(work?.commits ?? []).map(({ id, title }) => `- \`${id.slice(0, 10)}\` ${inline(title)}`),
  ...(work?.files ?? []).map(({ path, change }) => `- ${change}: ${inline(path)}`),
  ...(work?.facts ?? []).map((fact) => `- ${inline(fact)}`),
  ...(work?.noticed.length ? [`- ${noticedHeading}: ${inline(work.noticed.join(", "))}`] : []),
];

/** The headings and kinds of a report, in its language. */
export const wordsOf = ({ language }: Pick<RunReport, "language">): ReportWords => reportWords[language];

/** The page of a thing; null where it is not known in which project that is. */
export function pathOfThing({ type, id, project_id: projectId }: Thing): string | null {
  if (type === "project") return `/projects/${id}`;
  const spec = Object.entries(kindSpecs).find(([kind]) => kind === type)?.[1];
  return spec === undefined || projectId === null ? null : `/projects/${projectId}/${spec.plural}/${id}`;
}

/** `9 tasks and 1 document`; empty where there were none. */
export function changedWords(report: RunReport, op: "created" | "updated"): string {
  const words = wordsOf(report);
  return joinWords(
    words,
    report.what_changed.counts.filter((count) => count[op] > 0).map((count) => countKind(words, count[op], count.type)),
  );
}

/** What it took, one figure each. */
export function reportFigures(report: RunReport): readonly string[] {
  const { metrics } = report;
  const words = wordsOf(report);
  const cached =
    metrics.cached_tokens === null ? "" : ` (${countNoun(metrics.cached_tokens, [words.cached, words.cached])})`;
  return [
    cost(metrics.total_cost_micro_usd, metrics.unpriced_calls, words),
    `${countNoun(metrics.total_tokens, words.tokens)}${cached}`,
    `${duration(metrics.duration_ms)} ${words.active}`,
    countNoun(metrics.iterations, words.iterations),
    countNoun(metrics.tool_calls, words.toolCalls),
  ];
}

export const passedWords = (report: RunReport): string =>
  wordsOf(report).passedOf(report.checks.filter(({ state }) => state === "passed").length, report.checks.length);

/** Files of agents that no command has looked at: whether they work is not known. */
export const ranNoCommand = (isByAgents: boolean, checkKinds: readonly string[]): boolean =>
  isByAgents && !checkKinds.includes("command_succeeds");

/** The same as a sentence for where the checks stand; empty where it does not hold. */
export const noCommandWords = (report: RunReport): string =>
  ranNoCommand(
    report.work !== null,
    report.checks.map(({ check }) => check),
  )
    ? wordsOf(report).noCommand
    : "";

function resultLines(report: RunReport, words: ReportWords, link: (thing: Thing) => string): readonly string[] {
  const { primary_output: output } = report;
  const summary = linkRemoteImages(report.summary.trim());
  const named =
    output === null
      ? []
      : [
          `**${link(output)}** (${kindWord(words, output.type)})`,
          ...(output.opening === "" ? [] : [quoted(linkRemoteImages(output.opening))]),
        ];
  return [...named, ...(summary === "" ? [] : [summary])];
}

const kindWord = (words: ReportWords, type: string) => inline(words.kinds[type]?.[0] ?? type);

function messageLine({ kind, question, text, how }: RunReport["messages"][number], words: ReportWords): string {
  const asked = question === null ? "" : ` (${inline(question)})`;
  const said = `- **${kind === "answer" ? words.answer : words.guidance}**${asked}: ${inline(text)}`;
  return `${said}\n  - ${inline(how ?? words.noWordOnIt)}`;
}

function checkLines(report: RunReport, words: ReportWords): readonly string[] {
  const note = noCommandWords(report);
  if (report.checks.length === 0) return note === "" ? [] : [note];
  return [
    `${[`${passedWords(report)}.`, note].filter(Boolean).join(" ")}\n`,
    ...report.checks.map(({ check, about, state, seen }) => {
      const shown = state === "pending" ? words.pending : seen;
      return `- [${state === "passed" ? "x" : " "}] ${inline(about === "" ? check : about)}${shown === "" ? "" : `: ${inline(shown)}`}`;
    }),
  ];
}

const checkChangeLines = ({ check_changes: changed }: RunReport, words: ReportWords): readonly string[] =>
  changed.map(({ changes, why, is_approved: isApproved }) => {
    const by = isApproved ? ` (${words.approvedByYou})` : "";
    return `- ${inline(changes.join("; "))}${by}\n  - ${inline(why)}`;
  });

/** More than anyone reads in a file; the counts are of everything. */
const listedMax = 100;

function changeLines(report: RunReport, words: ReportWords, link: (thing: Thing) => string): readonly string[] {
  const { created, updated, linked } = report.what_changed;
  const list = (name: string, op: "created" | "updated", things: readonly Thing[]) => {
    if (things.length === 0) return [];
    const counted = changedWords(report, op);
    const rest = things.length - listedMax;
    return [
      `- ${name}: ${inline(counted === "" ? String(things.length) : counted)}`,
      ...things.slice(0, listedMax).map((thing) => `  - ${link(thing)} (${kindWord(words, thing.type)})`),
      ...(rest > 0 ? [`  - ${words.more(rest)}`] : []),
    ];
  };
  const links = linked.length === 0 ? [] : [`- ${words.linked}: ${countNoun(linked.length, words.links)}`];
  const lines = [...list(words.created, "created", created), ...list(words.updated, "updated", updated), ...links];
  // Files of agents have a section of their own.
  return lines.length === 0 && !report.work?.file_count ? [words.nothing] : lines;
}

/** The web pages that the run opened. */
function sourceLines(sources: readonly RunSource[], words: ReportWords): readonly string[] {
  const pages = listOpened(sources);
  const rest = pages.length - listedMax;
  return [
    ...pages.slice(0, listedMax).map(({ title, url, host }) => {
      const address = (url ?? "").replaceAll("(", "%28").replaceAll(")", "%29");
      return title === "" ? `- <${address}>` : `- [${inline(title)}](${address}), ${host}`;
    }),
    ...(rest > 0 ? [`- ${words.more(rest)}`] : []),
  ];
}

function section(heading: string, lines: readonly string[], between = "\n"): string {
  return lines.length === 0 ? "" : `## ${heading}\n\n${lines.join(between)}`;
}

const bullet = (text: string) => `- ${inline(text)}`;

function linkTo(thing: Thing, origin: string): string {
  const path = pathOfThing(thing);
  return path === null ? inline(thing.title) : `[${inline(thing.title)}](${origin}${encodeURI(path)})`;
}

const quoted = (text: string) =>
  text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** On one line, and nothing in it is markup. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\`*<>[\]|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");
}
