// What a run came to, for a terminal: the main output itself, then what is open, whether the checks passed and what it cost. Pure.
// In a pipe the output stays Markdown and nothing is cut; `homework report` tells more about the run.

import { noticedHeading } from "../../domain/agent/work.ts";
import type { RunReport } from "../../protocol/api.ts";
import { changedWords, noCommandWords, passedWords, reportFigures, wordsOf } from "../../protocol/report-markdown.ts";
import { renderMarkdown, wrapText } from "../markdown/render-markdown.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine, withoutEscapes } from "../plain-text.ts";
import type { MainOutput } from "./read-result.ts";

type ResultView = {
  /** Null: not a terminal. */
  readonly columns: number | null;
  /** Of the main output; null: all of them. */
  readonly linesMax: number | null;
  /** The command that shows all of it. */
  readonly readOn: string;
};

/** Longer lines are hard to read, however wide the terminal is. */
const readableWidth = 100;
/** Other things that are named; the report has the rest. */
const othersMax = 8;
const filesMax = 12;
/** So few more lines are shown at once. */
const fewLines = 10;

export function renderResult(output: Output, report: RunReport, main: MainOutput | null, view: ResultView): string {
  const writer = writerFor(output, view.columns);
  const words = wordsOf(report);
  const parts: readonly (readonly string[])[] = [
    headLines(output, report, view.columns),
    main !== null && main.markdown.trim() === report.summary.trim() ? [] : writer.text(report.summary),
    main === null ? [] : mainLines(output, writer, main, view),
    workLines(writer, report),
    otherLines(writer, report),
    listLines(writer, words.openQuestions, report.open_questions),
    listLines(writer, words.unsure, report.unsure),
    [...checkLines(output, writer, report), output.paint("dim", costLine(report))],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

type Writer = {
  readonly heading: (text: string) => string;
  readonly text: (text: string) => readonly string[];
  readonly bullet: (mark: string, text: string) => readonly string[];
  readonly markdown: (text: string) => readonly string[];
};

function writerFor(output: Output, columns: number | null): Writer {
  const heading = (text: string) => output.paint("bold", oneLine(text));
  if (columns === null)
    return {
      heading,
      text: (text) => (text.trim() === "" ? [] : [withoutEscapes(text.trim())]),
      bullet: (mark, text) => [`${mark} ${oneLine(text)}`],
      markdown: (text) => output.text(text).trimEnd().split("\n"),
    };
  const width = Math.min(columns, readableWidth);
  return {
    heading,
    text: (text) => renderMarkdown(text, width, output),
    bullet: (mark, text) =>
      wrapText(oneLine(text), width - 2, output).map((line, at) => (at === 0 ? `${mark} ${line}` : `  ${line}`)),
    markdown: (text) => renderMarkdown(text, width, output),
  };
}

const marks = { completed: ["green", "✓"], failed: ["red", "✗"] } as const;

function headLines(output: Output, report: RunReport, columns: number | null): readonly string[] {
  const { title, status, stopping_reason: ending } = report;
  const [style, mark] = status === "completed" || status === "failed" ? marks[status] : (["yellow", "■"] as const);
  const head = `${output.paint(style, mark)} ${output.paint("bold", columns === null ? oneLine(title) : cutTo(oneLine(title), columns - 2))}`;
  return status === "completed" ? [head] : [head, `  ${oneLine(ending.detail)}`];
}

function mainLines(output: Output, writer: Writer, main: MainOutput, view: ResultView): readonly string[] {
  const title = oneLine(main.title);
  const all = writer.markdown(withoutTitle(main.markdown, title));
  const max = view.columns === null ? null : view.linesMax;
  const shown = max === null || all.length <= max + fewLines ? all : all.slice(0, max);
  const rest = all.length - shown.length;
  const line = view.columns === null ? [""] : [output.paint("dim", "─".repeat(Math.min(view.columns, readableWidth)))];
  const more = rest === 1 ? "… 1 more line" : `… ${rest} more lines`;
  return [
    output.paint("bold", title),
    ...line,
    ...shown,
    ...(rest > 0 ? ["", output.paint("dim", `${more}. Read on: ${view.readOn}`)] : []),
    ...(view.columns === null ? [] : line),
  ];
}

/** A document often begins with its own title, which stands above it already. */
function withoutTitle(markdown: string, title: string): string {
  const [first = "", ...rest] = markdown.trim().split("\n");
  return first.replace(/^#\s+/, "").trim() === title ? rest.join("\n").trim() : markdown.trim();
}

function workLines(writer: Writer, { work }: RunReport): readonly string[] {
  if (work === null) return [];
  const { files, file_count: count, commits, branch, noticed } = work;
  const changed = `${count} ${count === 1 ? "file" : "files"} changed`;
  const rest = count - Math.min(files.length, filesMax);
  return [
    writer.heading(`${changed} on branch ${branch}`),
    ...files.slice(0, filesMax).map(({ path, change }) => `  ${change.padEnd(8)}  ${oneLine(path)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...commits.slice(0, filesMax).map(({ title }) => `  commit    ${oneLine(title)}`),
    ...(noticed.length === 0 ? [] : [`${noticedHeading}:`, ...noticed.map((each) => `  ${oneLine(each)}`)]),
  ];
}

/** The project around them says nothing that their own names do not. */
function otherLines(writer: Writer, report: RunReport): readonly string[] {
  const words = wordsOf(report);
  const { created, updated } = report.what_changed;
  const list = (name: string, op: "created" | "updated", things: typeof created) => {
    const others = things.filter(({ id, type }) => id !== report.primary_output?.id && type !== "project");
    if (others.length === 0) return [];
    const rest = others.length - othersMax;
    return [
      writer.heading(`${name}: ${changedWords(report, op) || things.length}`),
      ...others.slice(0, othersMax).flatMap(({ title }) => writer.bullet("•", title)),
      ...(rest > 0 ? [`  ${words.more(rest)}`] : []),
    ];
  };
  return [...list(words.created, "created", created), ...list(words.updated, "updated", updated)];
}

const listLines = (writer: Writer, heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [writer.heading(heading), ...lines.flatMap((line) => writer.bullet("•", line))];

/** The evidence of a check that failed; longer ones are in the report. */
const seenMax = 300;

function checkLines(output: Output, writer: Writer, report: RunReport): readonly string[] {
  const { checks } = report;
  const note = noCommandWords(report);
  const noted = note === "" ? [] : [output.paint("yellow", note)];
  if (checks.length === 0) return noted;
  const words = wordsOf(report);
  const failed = checks.filter(({ state }) => state === "failed");
  const pending = checks.filter(({ state }) => state === "pending").length;
  const style = failed.length > 0 ? "red" : pending > 0 ? "yellow" : "green";
  const sum = `${passedWords(report)}${pending === 0 ? "" : `, ${pending} ${words.pending}`}`;
  return [
    output.paint(style, sum),
    ...noted,
    ...failed.flatMap(({ about, check, seen }) =>
      writer.bullet(
        output.paint("red", "✗"),
        [about || check, cutTo(oneLine(seen), seenMax)].filter(Boolean).join(": "),
      ),
    ),
  ];
}

function costLine(report: RunReport): string {
  const [cost, , active] = reportFigures(report);
  return `${cost} · ${active}`;
}
