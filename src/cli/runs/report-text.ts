// The report of a run for a terminal, the result first. Pure; for other places there is Markdown
// (src/protocol/report-markdown.ts).

import type { RunReport, RunSource } from "../../protocol/api.ts";
import {
  changedWords,
  noCommandWords,
  passedWords,
  pathOfThing,
  reportFigures,
  wordsOf,
} from "../../protocol/report-markdown.ts";
import { listOpened } from "../../protocol/run-sources.ts";
import type { Output } from "../output.ts";
import { oneLine, withoutEscapes } from "../plain-text.ts";

/** A report is read, not searched: what is left out is in `--md` and `--json`. */
const listedMax = 30;

/** `origin`: where the pages are; without it there is no page to open. */
export function renderReport(output: Output, report: RunReport, origin: string, sources: readonly RunSource[]): string {
  const words = wordsOf(report);
  const { created, updated } = report.what_changed;
  const section = sectionsOf(output, words.more);
  const thing = (each: ChangedThing) => thingLine(each, output.isVerbose);
  return [
    `${output.paint("bold", oneLine(report.title))}\n`,
    result(output, report, origin),
    report.summary === "" ? "" : `${withoutEscapes(report.summary.trim())}\n`,
    section(words.openQuestions, report.open_questions),
    section(words.unsure, report.unsure),
    section(
      words.messages,
      report.messages.map(({ text, how }) => `${text} → ${how ?? words.noWordOnIt}`),
    ),
    section(
      report.checks.length === 0 ? words.checks : `${words.checks}: ${passedWords(report)}`,
      [
        ...report.checks.map(({ check, about, state, seen }) =>
          [`${words[state]}  ${about || check}`, seen].filter((part) => part !== "").join(": "),
        ),
        noCommandWords(report),
      ].filter((line) => line !== ""),
    ),
    section(workTitle(report), workLines(report)),
    section(`${words.created}: ${changedWords(report, "created")}`, created.map(thing)),
    section(`${words.updated}: ${changedWords(report, "updated")}`, updated.map(thing)),
    section(
      words.sources,
      listOpened(sources).map(({ title, url }) => [title, url].filter(Boolean).join("  ")),
    ),
    `${output.paint("dim", [...reportFigures(report), oneLine(report.stopping_reason.detail)].join(" · "))}\n`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function result(output: Output, report: RunReport, origin: string): string {
  const { primary_output: primary } = report;
  if (primary === null) return "";
  const path = pathOfThing(primary);
  const place = path === null || origin === "" ? "" : `  ${oneLine(`${origin}${path}`)}\n`;
  const kind = wordsOf(report).kinds[primary.type]?.[0] ?? primary.type;
  const opening = primary.opening === "" ? "" : `  ${oneLine(primary.opening)}\n`;
  return `${output.paint("bold", oneLine(primary.title))} (${oneLine(kind)})\n${place}${opening}`;
}

const workTitle = ({ work }: RunReport): string => (work === null ? "" : `${work.branch}: ${work.file_count} files`);

const workLines = ({ work }: RunReport): readonly string[] =>
  work === null
    ? []
    : [
        ...work.commits.map(({ id, title }) => `${id.slice(0, 10)} ${title}`),
        ...work.files.map(({ path, change, added, removed }) =>
          added === null ? `${change} ${path}` : `${change} ${path} (+${added} −${removed ?? 0})`,
        ),
        ...work.facts.map((fact) => `fact: ${fact}`),
      ];

type ChangedThing = RunReport["what_changed"]["created"][number];

const thingLine = ({ type, title, id }: ChangedThing, isVerbose: boolean) =>
  `${type} “${title}”${isVerbose ? ` (${id})` : ""}`;

const sectionsOf =
  (output: Output, more: (count: number) => string) =>
  (heading: string, lines: readonly string[]): string => {
    if (lines.length === 0) return "";
    const rest = lines.length > listedMax ? `  ${more(lines.length - listedMax)}\n` : "";
    const shown = lines.slice(0, listedMax).map((line) => `  ${oneLine(line)}\n`);
    return `${output.paint("bold", oneLine(heading))}\n${shown.join("")}${rest}`;
  };
