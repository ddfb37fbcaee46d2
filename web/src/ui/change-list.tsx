// What happened, newest first: who did what to which thing, and what it was before.

import { Anchor, Group, Stack, Text } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Edge, routes } from "../../../src/protocol/api.ts";
import { documentTreeRel } from "../../../src/protocol/kinds.ts";
import type { RouteResult } from "../../../src/protocol/route.ts";
import { projectEdgesQuery } from "../lib/data/entities.ts";
import { meQuery } from "../lib/data/me.ts";
import { describeChange, listFacts } from "./change-words.ts";
import { DayList } from "./day-list.tsx";
import { EntityLink } from "./entity-link.tsx";
import { KindIcon } from "./kind-icon.tsx";
import { AnchorLink } from "./links.tsx";
import { Time } from "./time.tsx";
import { wordsOf } from "./wording.ts";

export type ChangeWithBefore = RouteResult<typeof routes.projects.listChanges>["items"][number];

/** Enough to recognise what it was; the whole is in the API's answer. */
const shownCharacters = 4_000;
/** A text that may be higher than its place scrolls, also with keys. */
const scrolledFrom = 300;

type ChangeListProps = {
  readonly projectId: string;
  readonly changes: readonly ChangeWithBefore[];
  /** Names of people by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Leaves out what things were before. */
  readonly brief?: boolean;
};

export function ChangeList({ projectId, changes, names, brief = false }: ChangeListProps) {
  const edges = useEdges(projectId, changes);
  const row = (change: ChangeWithBefore) => (
    <ChangeRow
      projectId={projectId}
      change={change}
      names={names}
      edge={edges.get(change.entity_id)}
      after={findAfter(changes, change)}
      brief={brief}
    />
  );
  if (!brief)
    return (
      <DayList label="Changes" items={changes} timeOf={({ at }) => at} keyOf={({ seq }) => seq}>
        {row}
      </DayList>
    );
  return (
    <Stack component="ol" gap="sm" className="plain-list">
      {changes.map((change) => (
        <li key={change.seq}>{row(change)}</li>
      ))}
    </Stack>
  );
}

/** Links that are still there, by id: they say what was linked with what. */
function useEdges(projectId: string, changes: readonly ChangeWithBefore[]): ReadonlyMap<string, Edge> {
  const isAsked = changes.some(({ kind }) => kind === "edge");
  const items = useQuery({ ...projectEdgesQuery(projectId), enabled: isAsked }).data?.items;
  return useMemo(() => new Map(items?.map((edge) => [edge.id, edge])), [items]);
}

/** What the thing became: what it was before the next change of it, which stands above. */
function findAfter(changes: readonly ChangeWithBefore[], { entity_id: id, seq }: ChangeWithBefore) {
  return changes.findLast((later) => later.entity_id === id && later.seq > seq)?.before ?? null;
}

/** One's own runs have a page; those of others are only named. */
function Who({ change, names }: { readonly change: ChangeWithBefore; readonly names: ReadonlyMap<string, string> }) {
  const me = useQuery(meQuery).data?.user.id;
  if (change.run_id === null) return <b>{nameOf(change, names)}</b>;
  if (change.actor_id !== me) return <b>A run</b>;
  return (
    <AnchorLink to="/homework/runs/$runId" params={{ runId: change.run_id }} fw={700} underline="always">
      A run
    </AnchorLink>
  );
}

function nameOf(change: ChangeWithBefore, names: ReadonlyMap<string, string>): string {
  return (change.actor_id ? names.get(change.actor_id) : undefined) ?? "Someone";
}

type ChangeRowProps = {
  readonly projectId: string;
  readonly change: ChangeWithBefore;
  readonly names: ReadonlyMap<string, string>;
  readonly edge: Edge | undefined;
  readonly after: ChangeWithBefore["before"];
  readonly brief: boolean;
};

const opWords = { created: "created", updated: "changed", deleted: "put", restored: "restored" } as const;

function ChangeRow({ projectId, change, names, edge, after, brief }: ChangeRowProps) {
  const words = change.before && after ? describeChange(change.before, after) : null;
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      {change.kind === "edge" ? (
        <IconLink size={18} stroke={1.6} aria-hidden className="unshrinkable" />
      ) : (
        <KindIcon kind={change.kind} />
      )}
      <div className="grow">
        <Text size="sm" className="breakable">
          <Who change={change} names={names} /> <WhatHappened projectId={projectId} change={change} edge={edge} />{" "}
          <Text span c="dimmed" size="sm">
            <Time at={change.at} />
          </Text>
        </Text>
        {words === null || brief ? null : (
          <Text size="sm" c="dimmed" className="breakable">
            {words}
          </Text>
        )}
        {change.before && !brief && change.op === "updated" && change.kind !== "edge" ? (
          <Before before={change.before} />
        ) : null}
      </div>
    </Group>
  );
}

function WhatHappened({ projectId, change, edge }: Pick<ChangeRowProps, "projectId" | "change" | "edge">) {
  if (change.kind === "edge") return edge ? <LinkedEnds edge={edge} /> : describeLink(change);
  return (
    <>
      {opWords[change.op]} the {change.kind}{" "}
      <EntityLink kind={change.kind} projectId={projectId} id={change.entity_id} underline="always">
        {change.title || "untitled"}
      </EntityLink>
      {change.op === "deleted" ? " in the bin" : ""}
    </>
  );
}

/** “put First floor below Rooms”, “linked Label every box with Three weekends (Part of)”. */
function LinkedEnds({ edge }: { readonly edge: Edge }) {
  const from = (
    <EntityLink kind={edge.src_kind} projectId={edge.src_project_id} id={edge.src_id} underline="always">
      {edge.src_title}
    </EntityLink>
  );
  const to = (
    <EntityLink kind={edge.dst_kind} projectId={edge.dst_project_id} id={edge.dst_id} underline="always">
      {edge.dst_title}
    </EntityLink>
  );
  // The tree goes from the document above to the one below it.
  if (edge.rel === documentTreeRel)
    return (
      <>
        put {to} below {from}
      </>
    );
  return (
    <>
      linked {from} with {to} ({wordsOf(edge.rel).toLowerCase()})
    </>
  );
}

/** A link that is gone has no ends any more; it is told by what it said. */
function describeLink({ op, title }: ChangeWithBefore): string {
  const removed = op === "deleted";
  if (title === documentTreeRel)
    return removed ? "took a document out of another one" : "put a document below another one";
  return `${removed ? "removed" : "added"} a link “${wordsOf(title)}”`;
}

function Before({ before }: { readonly before: NonNullable<ChangeWithBefore["before"]> }) {
  return (
    <details>
      <Anchor component="summary" size="sm">
        Show previous version
      </Anchor>
      <Stack gap={4} mt={4} pl="sm">
        {listFacts(before).map(({ label, value }) => (
          <Text
            key={label}
            size="sm"
            mah={260}
            className="pre-wrap"
            tabIndex={value.length > scrolledFrom ? 0 : undefined}
          >
            <Text span size="sm" c="dimmed">
              {label}:
            </Text>{" "}
            {value.slice(0, shownCharacters)}
          </Text>
        ))}
      </Stack>
    </details>
  );
}
