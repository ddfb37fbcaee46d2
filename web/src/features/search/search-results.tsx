// What a search found, in groups; best match first in each.

import { Group, Mark, Paper, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconRobot, IconRocket, IconSearchOff } from "@tabler/icons-react";
import { Fragment, type ReactNode, useId } from "react";
import type { ListedRun, OutcomeHit, SearchHit } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import type { AgentHit } from "../../lib/data/search-agents.ts";
import { type AnyKind, countFound, useSearchAll } from "../../lib/use-search-all.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { EntityLink } from "../../ui/entity-link.tsx";
import { KindIcon } from "../../ui/kind-icon.tsx";
import { AnchorLink } from "../../ui/links.tsx";
import { OutcomeHitIcon, OutcomeHitLink, outcomeHitWords } from "../../ui/outcome-hit.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RunStatusBadge } from "../../ui/run-status-badge.tsx";
import { Snippet } from "../../ui/snippet.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { markWords } from "./mark-words.ts";

/** The most the contract gives; there are no further pages. */
const hitsShown = 50;

const icon = { size: 18, stroke: 1.6, "aria-hidden": true, className: "unshrinkable" } as const;

const thingKinds: readonly SearchHit["kind"][] = ["project", "document", "task", "goal", "plan", "milestone"];
const thingTitles: Readonly<Record<SearchHit["kind"], string>> = {
  project: "Projects",
  document: "Documents",
  task: "Tasks",
  goal: "Goals",
  plan: "Plans",
  milestone: "Milestones",
};

type SearchResultsProps = {
  readonly text: string;
  readonly kind: AnyKind | undefined;
  readonly notes: boolean;
};

export function SearchResults({ text, kind, notes }: SearchResultsProps) {
  const search = useSearchAll({ text, kind, notes, limit: hitsShown });
  return (
    <div aria-busy={search.isFetching}>
      <VisuallyHidden role="status">{search.data ? `${countFound(search.data)} found` : ""}</VisuallyHidden>
      <QueryView query={search}>
        {(found) =>
          countFound(found) === 0 ? (
            <NothingFound kind={kind} notes={notes} />
          ) : (
            <Stack gap="lg">
              <Text size="sm" c="dimmed">
                {counted(countFound(found), "result")}, best match first in each group
              </Text>
              <ResultGroup title="Runs" hits={found.runs} keyOf={({ id }) => id} Row={RunRow} text={text} />
              <ResultGroup title="Outcomes" hits={found.outcomes} keyOf={({ id }) => id} Row={OutcomeRow} text={text} />
              <ResultGroup title="Agents" hits={found.agents} keyOf={keyOfAgent} Row={AgentRow} text={text} />
              {thingKinds.map((thing) => (
                <ResultGroup
                  key={thing}
                  title={thingTitles[thing]}
                  hits={found.things.filter((hit) => hit.kind === thing)}
                  keyOf={({ id }) => id}
                  Row={ThingRow}
                  text={text}
                />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </div>
  );
}

type ResultGroupProps<Hit> = {
  readonly title: string;
  readonly hits: readonly Hit[];
  readonly keyOf: (hit: Hit) => string;
  readonly Row: (props: { readonly hit: Hit; readonly text: string }) => ReactNode;
  /** What was searched for. */
  readonly text: string;
};

function ResultGroup<Hit>({ title, hits, keyOf, Row, text }: ResultGroupProps<Hit>) {
  const headingId = useId();
  if (hits.length === 0) return null;
  return (
    <section aria-labelledby={headingId}>
      <Group gap={8} mb="xs">
        <Title order={2} size="h5" id={headingId}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {hits.length}
        </Text>
      </Group>
      <Stack component="ul" gap="xs" className="plain-list">
        {hits.map((hit) => (
          <Row key={keyOf(hit)} hit={hit} text={text} />
        ))}
      </Stack>
    </section>
  );
}

const keyOfAgent = ({ project, task }: AgentHit) => `${project}/${task?.id ?? ""}`;

type RowProps = {
  readonly picture: ReactNode;
  readonly link: ReactNode;
  /** A line below the link: where it is, or since when; null where there is nothing to add. */
  readonly about: ReactNode;
  readonly snippet?: ReactNode;
  readonly badge?: ReactNode;
};

function Row({ picture, link, about, snippet, badge }: RowProps) {
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {picture}
        <div className="grow">
          <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
            {link}
            {badge}
          </Group>
          {about === null ? null : (
            <Text size="xs" c="dimmed">
              {about}
            </Text>
          )}
          {snippet}
        </div>
      </Group>
    </Paper>
  );
}

type MarkedProps = { readonly title: string; readonly text: string };

function Marked({ title, text }: MarkedProps) {
  let start = 0;
  return markWords(title, text).map((piece) => {
    const key = start;
    start += piece.text.length;
    return piece.match ? <Mark key={key}>{piece.text}</Mark> : <Fragment key={key}>{piece.text}</Fragment>;
  });
}

function RunRow({ hit, text }: { readonly hit: ListedRun; readonly text: string }) {
  const link = (
    <AnchorLink to="/homework/runs/$runId" params={{ runId: hit.id }} fw={600} className="breakable" dir="auto">
      <Marked title={hit.title} text={text} />
    </AnchorLink>
  );
  const about = (
    <>
      {hit.is_archived ? "Archived · " : ""}
      {hit.completed_at === null ? "Started " : "Ended "}
      <Time at={hit.completed_at ?? hit.started_at ?? hit.created_at} />
    </>
  );
  const isPaused = hit.stop_reason?.type === "paused";
  const badge = <RunStatusBadge status={hit.status} isPaused={isPaused} />;
  return <Row picture={<IconRocket {...icon} />} link={link} about={about} badge={badge} />;
}

function OutcomeRow({ hit, text }: { readonly hit: OutcomeHit; readonly text: string }) {
  return (
    <Row
      picture={<OutcomeHitIcon kind={hit.kind} />}
      link={
        <OutcomeHitLink hit={hit} fw={600} className="breakable" dir="auto">
          <Marked title={hit.title} text={text} />
        </OutcomeHitLink>
      }
      about={hit.kind === "outcome" ? null : `${outcomeHitWords[hit.kind]} in ${hit.outcome_name}`}
      snippet={<Snippet pieces={hit.snippet} />}
      badge={<StateBadge state={hit.state_key} />}
    />
  );
}

function AgentRow({ hit: { project, task }, text }: { readonly hit: AgentHit; readonly text: string }) {
  const link =
    task === null ? (
      <AnchorLink to="/agents/projects/$agentProject" params={{ agentProject: project }} fw={600} className="breakable">
        <Marked title={project} text={text} />
      </AnchorLink>
    ) : (
      <AnchorLink
        to="/agents/projects/$agentProject/tasks/$agentTask"
        params={{ agentProject: project, agentTask: task.id }}
        fw={600}
        className="breakable"
        dir="auto"
      >
        <Marked title={task.title} text={text} />
      </AnchorLink>
    );
  const about = task === null ? "Project of agents" : `Agent task in ${project}`;
  return <Row picture={<IconRobot {...icon} />} link={link} about={about} />;
}

function ThingRow({ hit, text }: { readonly hit: SearchHit; readonly text: string }) {
  return (
    <Row
      picture={<KindIcon kind={hit.kind} />}
      link={
        <EntityLink kind={hit.kind} projectId={hit.project_id} id={hit.id} fw={600} className="breakable">
          <Marked title={hit.title} text={text} />
        </EntityLink>
      }
      about={
        <>
          {hit.kind === "project" ? null : `In ${hit.project_name} · `}
          <span className="unbroken">
            {hit.kind === "project" ? "Changed " : "changed "}
            <Time at={hit.updated_at} />
          </span>
        </>
      }
      snippet={<Snippet pieces={hit.snippet} />}
      badge={<StateBadge state={hit.state_key} />}
    />
  );
}

function NothingFound({ kind, notes }: Pick<SearchResultsProps, "kind" | "notes">) {
  return (
    <EmptyNotice icon={<IconSearchOff aria-hidden />} title="Nothing found">
      Try fewer or other words{kind === undefined ? "" : ", or all kinds"}
      {notes ? "" : ", or search working notes, too"}.
    </EmptyNotice>
  );
}
