// A report as a Markdown file.

import type { RunReport } from "../../../../../src/protocol/api.ts";
import { renderReportMarkdown } from "../../../../../src/protocol/report-markdown.ts";
import { fileNameOf } from "./report-words.ts";

export function downloadReport(report: RunReport): void {
  const address = URL.createObjectURL(
    new Blob([renderReportMarkdown(report, window.location.origin)], { type: "text/markdown" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = fileNameOf(report);
  link.click();
  URL.revokeObjectURL(address);
}
