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
import { Fragment, useState } from "react";
import { clockTime, dateAndTime } from "../../lib/dates.ts";
import { AnchorLink } from "../../ui/links.tsx";
import {
  type AuditEntry,
  type AuditGroup,
  countTargets,
  describeDetails,
  describeTarget,
  listTargets,
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
  const [isOpen, setOpen] = useState(false);
  const { type } = readTarget(first.target);
  const { before, after } = sentenceOf(first.action);
  const Icon = icons[type] ?? IconUser;
  const details = describeDetails(first.details);
  const isRepeated = entries.length > 1 && (after === null || countTargets(entries) === 1);
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap" className="audit-row">
      <Text span c="dimmed" size="sm" className="audit-time">
        <time dateTime={first.at} title={spanOf(entries)}>
          {clockTime(first.at)}
        </time>
      </Text>
      <Icon size={18} stroke={1.6} aria-hidden className="unshrinkable audit-icon" />
      <div className="grow">
        <Text size="sm" className="breakable">
          <b>{nameActor(first, names)}</b> {before}
          {after === null ? null : (
            <>
              {" "}
              <Targets entries={entries} first={first} names={names} />{" "}
              <After words={after} entry={first} names={names} />
            </>
          )}
          {isRepeated ? ` ${entries.length} times` : ""}
        </Text>
        {details === null ? null : (
          <Text size="sm" c="dimmed" className="breakable">
            {details}
          </Text>
        )}
        {isOpen ? <Recorded entries={entries} /> : null}
      </div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        className="unshrinkable"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {entries.length === 1 ? "Details" : `Show ${entries.length}`}
      </Anchor>
    </Group>
  );
}

/** When it was done; from the first to the last where it was done again and again. */
function spanOf(entries: readonly AuditEntry[]): string {
  const [from, to] = [dateAndTime(entries.at(-1)?.at ?? ""), dateAndTime(entries[0]?.at ?? "")];
  return from === to ? to : `${from} to ${to}`;
}

function nameActor({ actor_id: id, action }: AuditEntry, names: AuditNames): string {
  if (id !== null) return names.people.get(id) ?? "Someone";
  return action === "sign_in_failed" ? "Someone" : "The system";
}

type AfterProps = { readonly words: string; readonly entry: AuditEntry; readonly names: AuditNames };

/** The rest of the sentence, with the project that it names. */
function After({ words, entry, names }: AfterProps) {
  const [before = "", after] = words.split("@");
  if (after === undefined) return <>{words}</>;
  const id = String(entry.details.project ?? "");
  const title = names.things.get(id);
  return (
    <>
      {before}
      {title === undefined ? "a project" : <ThingLink type="project" id={id} title={title} />}
      {after}
    </>
  );
}

type TargetsProps = {
  readonly first: AuditEntry;
  readonly entries: readonly AuditEntry[];
  readonly names: AuditNames;
};

/** By name where each of them has one that the reader may see. */
function Targets({ first, entries, names }: TargetsProps) {
  const target = readTarget(first.target);
  if (target.type === "user") {
    const isSelf = target.id === first.actor_id;
    return <>{isSelf ? "their own account" : (names.people.get(target.id) ?? "someone")}</>;
  }
  const known = listTargets(entries).map((id) => ({ id, title: names.things.get(id) }));
  if (known.length === 0 || known.some(({ title }) => title === undefined))
    return <>{describeTarget(target, countTargets(entries), first.details)}</>;
  return (
    <>
      {known.map(({ id, title = "" }, at) => (
        <Fragment key={id}>
          {at === 0 ? "" : at === known.length - 1 ? " and " : ", "}
          <ThingLink type={target.type} id={id} title={title} />
        </Fragment>
      ))}
    </>
  );
}

type ThingLinkProps = { readonly type: string; readonly id: string; readonly title: string };

function ThingLink({ type, id, title }: ThingLinkProps) {
  if (type === "run")
    return (
      <AnchorLink to="/homework/runs/$runId" params={{ runId: id }} underline="always">
        {title}
      </AnchorLink>
    );
  if (type === "outcome")
    return (
      <AnchorLink to="/outcomes/$outcomeId" params={{ outcomeId: id }} underline="always">
        {title}
      </AnchorLink>
    );
  if (type === "project")
    return (
      <AnchorLink to="/projects/$projectId" params={{ projectId: id }} underline="always">
        {title}
      </AnchorLink>
    );
  return <>{title}</>;
}

/** For someone who has to prove what happened: exact times, ids, and everything that was recorded. */
function Recorded({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
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
  );
}
