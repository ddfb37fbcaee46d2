// One line of the audit: a sentence, and on request the ids and values that were recorded.

import { Anchor, Code, Group, Stack, Text } from "@mantine/core";
import {
  IconBell,
  IconFolder,
  IconKey,
  IconRobot,
  IconRocket,
  IconTargetArrow,
  IconUser,
  type TablerIcon,
} from "@tabler/icons-react";
import { dateAndTime } from "../../lib/dates.ts";
import { AnchorLink } from "../../ui/links.tsx";
import { Time } from "../../ui/time.tsx";
import {
  type AuditEntry,
  type AuditGroup,
  describeDetails,
  describeTarget,
  readTarget,
  sentenceOf,
} from "./audit-words.ts";
import type { AuditNames } from "./use-audit-names.ts";
import "./settings.css";

const icons: Readonly<Record<string, TablerIcon>> = {
  run: IconRocket,
  outcome: IconTargetArrow,
  project: IconFolder,
  key: IconKey,
  provider: IconRobot,
  role: IconRobot,
  channel: IconBell,
};

type AuditRowProps = { readonly group: AuditGroup; readonly names: AuditNames };

export function AuditRow({ group: { first, entries }, names }: AuditRowProps) {
  const { type } = readTarget(first.target);
  const { before, after } = sentenceOf(first.action);
  const Icon = icons[type] ?? IconUser;
  const details = describeDetails(first.details);
  const isRepeated = entries.length > 1 && after === null;
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap" className="audit-row">
      <Icon size={18} stroke={1.6} aria-hidden className="unshrinkable" />
      <div className="grow">
        <Text size="sm" className="breakable">
          <b>{nameActor(first, names)}</b> {before}
          {after === null ? null : (
            <>
              {" "}
              <Target entry={first} count={entries.length} names={names} /> {after}
            </>
          )}
          {isRepeated ? ` ${entries.length} times` : ""}{" "}
          <Text span c="dimmed" size="sm">
            <Time at={first.at} />
          </Text>
        </Text>
        {details === null ? null : (
          <Text size="sm" c="dimmed" className="breakable">
            {details}
          </Text>
        )}
        <Recorded entries={entries} />
      </div>
    </Group>
  );
}

function nameActor({ actor_id: id, action }: AuditEntry, names: AuditNames): string {
  if (id !== null) return names.people.get(id) ?? "Someone";
  return action === "sign_in_failed" ? "Someone" : "The system";
}

type TargetProps = { readonly entry: AuditEntry; readonly count: number; readonly names: AuditNames };

function Target({ entry, count, names }: TargetProps) {
  const target = readTarget(entry.target);
  const title = count === 1 ? names.things.get(target.id) : undefined;
  if (target.type === "user") {
    const isSelf = target.id === entry.actor_id;
    return <>{isSelf ? "their own account" : (names.people.get(target.id) ?? "someone")}</>;
  }
  if (title !== undefined) {
    if (target.type === "run")
      return (
        <AnchorLink to="/homework/runs/$runId" params={{ runId: target.id }} underline="always">
          {title}
        </AnchorLink>
      );
    if (target.type === "outcome")
      return (
        <AnchorLink to="/outcomes/$outcomeId" params={{ outcomeId: target.id }} underline="always">
          {title}
        </AnchorLink>
      );
    if (target.type === "project")
      return (
        <AnchorLink to="/projects/$projectId" params={{ projectId: target.id }} underline="always">
          {title}
        </AnchorLink>
      );
  }
  return <>{describeTarget(target, count, entry.details)}</>;
}

/** For someone who has to prove what happened: exact times, ids, and everything that was recorded. */
function Recorded({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <details>
      <Anchor component="summary" size="xs" w="fit-content">
        {entries.length === 1 ? "Details" : `Show ${entries.length}`}
      </Anchor>
      <Stack component="ul" gap={4} mt={4} className="plain-list">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <Text size="xs" c="dimmed" className="breakable">
              {dateAndTime(entry.at)} · <Code>{entry.target}</Code>
              {Object.keys(entry.details).length === 0 ? "" : ` · ${JSON.stringify(entry.details)}`}
            </Text>
          </li>
        ))}
      </Stack>
    </details>
  );
}
