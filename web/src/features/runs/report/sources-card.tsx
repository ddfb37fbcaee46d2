// The web pages that a result rests on: the first few on the screen, all of them on paper.

import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RunReport } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { wordsOf } from "../../../../../src/protocol/report-markdown.ts";
import { listOpened } from "../../../../../src/protocol/run-sources.ts";
import { Card } from "../../../ui/card.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { shortAddress } from "../research/source-words.ts";
import { useRun } from "../run-context.tsx";
import { allSourcesQuery } from "./sources-query.ts";

/** More are on their own tab. */
const shownMax = 5;

export function SourcesCard({ report }: { readonly report: RunReport }) {
  const { run } = useRun();
  const { data: sources = [] } = useQuery(allSourcesQuery(run.id));
  const pages = listOpened(sources);
  if (pages.length === 0) return null;
  return (
    <Card title={wordsOf(report).sources} beside={counted(pages.length, "web page")}>
      <ul className="plain-list">
        {pages.map(({ id, title, url, host }, place) => (
          <li key={id} className={place < shownMax ? "run-row" : "run-row only-printed"}>
            <Anchor size="sm" href={url ?? ""} target="_blank" rel="noopener noreferrer" className="breakable">
              <bdi>{title || shortAddress(url ?? "")}</bdi>
            </Anchor>
            <Text size="xs" c="dimmed" className="not-printed">
              {host}
            </Text>
            <Text size="xs" c="dimmed" className="only-printed breakable">
              {url}
            </Text>
          </li>
        ))}
      </ul>
      <AnchorLink size="sm" className="not-printed" to="/homework/runs/$runId/sources" params={{ runId: run.id }}>
        {pages.length > shownMax ? `All ${counted(pages.length, "page")}, searches and notes` : "Searches and notes"}
      </AnchorLink>
    </Card>
  );
}
