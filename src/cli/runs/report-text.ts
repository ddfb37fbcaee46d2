// The report of a run for a terminal. Pure; for other places there is Markdown (src/protocol/report-markdown.ts).

import type { RunReport } from "../../protocol/api.ts";
import { reportFigures } from "../../protocol/report-markdown.ts";
import type { Output } from "../output.ts";
import { oneLine, withoutEscapes } from "../plain-text.ts";

/** A report is read, not searched: what is left out is in `--md` and `--json`. */
const listedMax = 30;

export function renderReport(output: Output, report: RunReport): string {
  const { what_changed: changed, stopping_reason: reason } = report;
  const things = [
    ...changed.created.map((thing) => ({ did: "created", ...thing })),
    ...changed.updated.map((thing) => ({ did: "changed", ...thing })),
    ...changed.linked.map(({ from_id, to_id, relationship }) => ({
      did: "linked",
      type: relationship,
      id: from_id,
      title: `to ${to_id}`,
    })),
  ];
  return [
    `${output.paint("bold", oneLine(report.title))}\n`,
    report.summary === "" ? "" : `${withoutEscapes(report.summary.trim())}\n`,
    section(output, "What changed", things, ({ did, type, id, title }) => `${did} ${type} ${title} (${id})`),
    section(
      output,
      "Checks",
      report.checks,
      ({ check, about, is_green, seen }) => `${is_green ? "green" : "red"}  ${about || check}: ${seen}`,
    ),
    `${output.paint("dim", [...reportFigures(report), oneLine(`${reason.type}: ${reason.detail}`)].join(" · "))}\n`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function section<Item>(output: Output, heading: string, items: readonly Item[], line: (item: Item) => string): string {
  if (items.length === 0) return "";
  const more = items.length > listedMax ? `  and ${items.length - listedMax} more\n` : "";
  const lines = items.slice(0, listedMax).map((item) => `  ${oneLine(line(item))}\n`);
  return `${output.paint("bold", heading)}\n${lines.join("")}${more}`;
}
