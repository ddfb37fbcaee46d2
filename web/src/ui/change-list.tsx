// What happened, newest first: who did what to which thing, and what it was before.

import { Anchor, Code, Group, Stack, Text } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { routes } from "../../../src/protocol/api.ts";
import { documentTreeRel } from "../../../src/protocol/kinds.ts";
import type { RouteResult } from "../../../src/protocol/route.ts";
import { meQuery } from "../lib/data/me.ts";
import { EntityLink } from "./entity-link.tsx";
import { KindIcon } from "./kind-icon.tsx";
import { AnchorLink } from "./links.tsx";
import { Time } from "./time.tsx";
import { wordsOf } from "./wording.ts";

export type ChangeWithBefore = RouteResult<typeof routes.projects.listChanges>["items"][number];

/** Enough to recognise what it was; the whole is in the API's answer. */
const shownCharacters = 4_000;

type ChangeListProps = {
  readonly projectId: string;
  readonly changes: readonly ChangeWithBefore[];
  /** Names of people by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Leaves out what things were before. */
  readonly brief?: boolean;
};

export function ChangeList({ projectId, changes, names, brief = false }: ChangeListProps) {
  return (
    <Stack component="ol" gap="sm" className="plain-list">
      {changes.map((change) => (
        <li key={change.seq}>
          <ChangeRow projectId={projectId} change={change} names={names} brief={brief} />
        </li>
      ))}
    </Stack>
  );
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
  readonly brief: boolean;
};

const opWords = { created: "created", updated: "changed", deleted: "put", restored: "restored" } as const;

function ChangeRow({ projectId, change, names, brief }: ChangeRowProps) {
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      {change.kind === "edge" ? (
        <IconLink size={18} stroke={1.6} aria-hidden className="unshrinkable" />
      ) : (
        <KindIcon kind={change.kind} />
      )}
      <div className="grow">
        <Text size="sm" className="breakable">
          <Who change={change} names={names} /> <WhatHappened projectId={projectId} change={change} />{" "}
          <Text span c="dimmed" size="sm">
            <Time at={change.at} />
          </Text>
        </Text>
        {change.before && !brief ? <Before before={change.before} /> : null}
      </div>
    </Group>
  );
}

function WhatHappened({ projectId, change }: Pick<ChangeRowProps, "projectId" | "change">) {
  if (change.kind === "edge") return <>{linkWords(change)}</>;
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

/** An edge has no title of its own; it is told by what it says. */
function linkWords({ op, title }: ChangeWithBefore): string {
  const removed = op === "deleted";
  if (title === documentTreeRel)
    return removed ? "took a document out of another one" : "put a document below another one";
  return `${removed ? "removed" : "added"} a link “${wordsOf(title)}”`;
}

function Before({ before }: { readonly before: NonNullable<ChangeWithBefore["before"]> }) {
  return (
    <details>
      <Anchor component="summary" size="sm">
        What it was before
      </Anchor>
      <Code block mah={260} mt={4} tabIndex={0} className="pre-wrap">
        {JSON.stringify(before, null, 2).slice(0, shownCharacters)}
      </Code>
    </details>
  );
}
