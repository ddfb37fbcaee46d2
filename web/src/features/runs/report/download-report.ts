// A report as a Markdown file.

import type { RunReport } from "../../../../../src/protocol/api.ts";
import { fileNameOf } from "../../../../../src/protocol/file-name.ts";
import { renderReportMarkdown } from "../../../../../src/protocol/report-markdown.ts";
import { saveFile } from "./save-file.ts";

export function downloadReport(report: RunReport): void {
  const text = renderReportMarkdown(report, window.location.origin);
  saveFile(new Blob([text], { type: "text/markdown" }), `${fileNameOf(report.title)}.md`);
}
