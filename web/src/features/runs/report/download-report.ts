// A report as a Markdown file.

import type { RunReport } from "../../../../../src/protocol/api.ts";
import { fileNameOf } from "../../../../../src/protocol/file-name.ts";
import { renderReportMarkdown } from "../../../../../src/protocol/report-markdown.ts";
import { readSources } from "../../../../../src/protocol/run-sources.ts";
import { api } from "../../../lib/api.ts";
import { saveFile } from "./save-file.ts";

export async function downloadReport({
  id,
  report,
}: {
  readonly id: string;
  readonly report: RunReport;
}): Promise<void> {
  const text = renderReportMarkdown(report, window.location.origin, await readSources(api, id));
  saveFile(new Blob([text], { type: "text/markdown" }), `${fileNameOf(report.title)}.md`);
}
