// Taking a result away: printing it, a Markdown file, an archive of everything, the clipboard.

import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCopy, IconDownload, IconFileZip, IconPrinter } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { RunReport, RunSource } from "../../../../../src/protocol/api.ts";
import { renderReportMarkdown } from "../../../../../src/protocol/report-markdown.ts";
import { tone } from "../../../lib/tones.ts";
import { showDone } from "../../../ui/toast.ts";
import { useRun } from "../run-context.tsx";
import { downloadArchive } from "./download-archive.ts";
import { downloadReport } from "./download-report.ts";
import { allSourcesQuery } from "./sources-query.ts";

export function ReportActions({ report }: { readonly report: RunReport }) {
  const { run } = useRun();
  // Read before they are asked for: a browser copies only at once after a click.
  const { data: sources = [] } = useQuery(allSourcesQuery(run.id));
  const download = useMutation({ mutationFn: () => downloadReport({ id: run.id, report }) });
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => window.print()}
      >
        Print or save as PDF
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download as Markdown
      </Button>
      <ArchiveButton />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => void copy(report, sources)}
      >
        Copy as Markdown
      </Button>
    </Group>
  );
}

function ArchiveButton() {
  const { run } = useRun();
  const pack = useMutation({ mutationFn: () => downloadArchive(run) });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFileZip size={16} aria-hidden />}
      loading={pack.isPending}
      onClick={() => pack.mutate()}
    >
      Download everything (zip)
    </Button>
  );
}

async function copy(report: RunReport, sources: readonly RunSource[]): Promise<void> {
  try {
    await navigator.clipboard.writeText(renderReportMarkdown(report, window.location.origin, sources));
    showDone("Copied to the clipboard");
  } catch {
    notifications.show({
      color: tone.failure,
      message: "The browser does not let this page copy. Download it instead.",
    });
  }
}
