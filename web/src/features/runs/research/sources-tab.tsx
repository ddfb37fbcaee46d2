// What a run read and wrote down: the web pages it opened, and its documents as a tree, live as branches appear, with one of them
// beside it and search in all of them.

import { Box, Paper, Stack, Switch, Title } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { workspaceQuery } from "../../../lib/data/runs.ts";
import { EmptyNotice } from "../../../ui/empty-notice.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { goesOnByItself } from "../../../ui/run-words.ts";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useRun } from "../run-context.tsx";
import { useReadAlong } from "../use-read-along.ts";
import { ResearchDocument } from "./research-document.tsx";
import { ResearchSearch } from "./research-search.tsx";
import { ResearchTree } from "./research-tree.tsx";
import { useFresh } from "./use-fresh.ts";
import { WebSources } from "./web-sources.tsx";
import { documentOf, shownDocuments, type Workspace } from "./workspace.ts";
import "./research.css";

export function SourcesTab() {
  const { run } = useRun();
  usePageTitle("Sources", run.title);
  useReadAlong("workspace", "document");
  const workspace = useQuery(workspaceQuery(run.id));
  return (
    <Stack>
      {/* Agents open pages by themselves: nothing is known of them here. */}
      {run.engine === "agent" ? null : <WebSources key={run.id} />}
      <QueryView query={workspace}>
        {(found) =>
          found && found.documents.length > 0 ? (
            <Research key={run.id} runId={run.id} workspace={found} />
          ) : (
            <NoDocuments isGoingOn={goesOnByItself(run.status)} />
          )
        }
      </QueryView>
    </Stack>
  );
}

type ResearchProps = { readonly runId: string; readonly workspace: Workspace };

function Research({ runId, workspace }: ResearchProps) {
  const { document, q } = useSearch({ from: "/in/homework/runs/$runId/sources" });
  const navigate = useNavigate({ from: "/homework/runs/$runId/sources" });
  const reader = useRef<HTMLDivElement>(null);
  const chosen = documentOf(workspace, document);
  const [withOwn, setWithOwn] = useState(false);
  const shown = useMemo(
    () => shownDocuments(workspace.documents, withOwn, chosen?.id),
    [workspace.documents, withOwn, chosen?.id],
  );
  const fresh = useFresh(workspace.documents, chosen?.id);
  const choose = (id: string) => {
    void navigate({ search: (before) => ({ ...before, document: id }), resetScroll: false });
    // On a phone the document is below the tree.
    if (reader.current && reader.current.getBoundingClientRect().top > window.innerHeight * 0.6)
      reader.current.scrollIntoView({ block: "start" });
  };
  const search = (text: string) =>
    void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true, resetScroll: false });
  return (
    <section className="research" aria-labelledby="run-notes">
      <Title order={2} size="h4" id="run-notes" className="research-title">
        Notes and documents
      </Title>
      <div className="research-aside">
        <ResearchSearch runId={runId} text={q ?? ""} chosenId={chosen?.id} onSearch={search} onChoose={choose}>
          <ResearchTree documents={shown} chosenId={chosen?.id} fresh={fresh} onChoose={choose} />
          <Switch
            mt="xs"
            size="sm"
            label="Show working notes"
            checked={withOwn}
            onChange={(event) => setWithOwn(event.currentTarget.checked)}
          />
        </ResearchSearch>
      </div>
      <Paper withBorder p="md" className="research-reader" ref={reader}>
        {chosen ? <ResearchDocument key={chosen.id} runId={runId} document={chosen} /> : <UnknownDocument />}
      </Paper>
    </section>
  );
}

function NoDocuments({ isGoingOn }: { readonly isGoingOn: boolean }) {
  return (
    <EmptyNotice icon={<IconFileText aria-hidden />} title="No documents yet">
      {isGoingOn
        ? "What this run finds out is written down here, branch by branch, while it works."
        : "This run has kept no documents of its own."}
    </EmptyNotice>
  );
}

function UnknownDocument() {
  return (
    <Box py="md">
      <EmptyNotice icon={<IconFileText aria-hidden />} title="This document is not here">
        It is not among the documents of this run, or it was deleted. Choose another one.
      </EmptyNotice>
    </Box>
  );
}
