// The report of a run as Markdown, for a file, an e-mail or a page. Pure. Titles come from models and people: they stay on
// their line and cannot become markup. The summary is prose and stays as it was written.

import type { RunReport } from "./api.ts";
import { cost, counted, duration } from "./figures.ts";

export function renderReportMarkdown(report: RunReport): string {
  const { what_changed: changed, stopping_reason: reason } = report;
  return [
    `# ${inline(report.title)}`,
    report.summary.trim(),
    section("Objective", [quoted(report.objective)]),
    section("Created", changed.created.map(thing)),
    section("Changed", changed.updated.map(thing)),
    section(
      "Linked",
      changed.linked.map((link) => `- ${code(link.from_id)} ${inline(link.relationship)} ${code(link.to_id)}`),
    ),
    section("Checks", report.checks.map(check)),
    section("Figures", [`- ${reportFigures(report).join("\n- ")}`]),
    section("How it ended", [`${inline(reason.type)}: ${inline(reason.detail)}`]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** What it took, one figure each. */
export function reportFigures({ metrics }: RunReport): readonly string[] {
  return [
    counted(metrics.iterations, "iteration"),
    duration(metrics.duration_ms),
    cost(metrics.total_cost_micro_usd, metrics.unpriced_calls),
    counted(metrics.total_tokens, "token"),
    counted(metrics.tool_calls, "tool call"),
  ];
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${heading}\n\n${lines.join("\n")}`;
}

const thing = ({ type, title, id }: RunReport["what_changed"]["created"][number]) =>
  `- ${inline(type)} **${inline(title)}** (${code(id)})`;

const check = ({ check: kind, about, is_green: isGreen, seen }: RunReport["checks"][number]) =>
  `- [${isGreen ? "x" : " "}] ${inline(about === "" ? kind : about)}: ${inline(seen)}`;

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

const code = (text: string) => `\`${text.replaceAll(/[`\s]+/g, " ")}\``;
