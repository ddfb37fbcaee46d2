// Notifications as rows: what happened, to which homework, when; each leads there, and can be marked as read where it is.

import { Anchor, Button, Group, Paper, Stack, Text } from "@mantine/core";
import type { ListedNotification as Notification } from "../../../../src/protocol/api.ts";
import { safeReturn } from "../../lib/search-params.ts";
import { tone } from "../../lib/tones.ts";
import { useOpenNotification, useReadNotification } from "../../lib/use-notifications.ts";
import { NotificationIcon } from "../../ui/notification-icon.tsx";
import { plainWords } from "../../ui/plain-words.ts";
import { Time } from "../../ui/time.tsx";
import { costWords, happenedWords, isWaiting, stepWord, subjectOf, toldWords } from "./notification-words.ts";

type NotificationListProps = {
  readonly items: readonly Notification[];
  /** Whether those that are unread are marked; among nothing but unread ones a mark says nothing. */
  readonly isMarked: boolean;
};

export function NotificationList({ items, isMarked }: NotificationListProps) {
  return (
    <Stack component="ul" gap="xs" className="plain-list">
      {items.map((item) => (
        <NotificationRow key={item.id} item={item} isMarked={isMarked} />
      ))}
    </Stack>
  );
}

type NotificationRowProps = { readonly item: Notification; readonly isMarked: boolean };

function NotificationRow({ item, isMarked }: NotificationRowProps) {
  const isUnread = item.read_at === null;
  const happened = happenedWords(item);
  const told = toldWords(item);
  const spent = costWords(item);
  return (
    <Paper component="li" withBorder pos="relative" className="row">
      {isUnread && isMarked ? <span className="unread-dot" role="img" aria-label="Unread" /> : null}
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <NotificationIcon event={item.run?.is_undone ? "undone" : item.event} />
        <div className="grow">
          <TitleLink item={item} />
          <Text size="xs" c="dimmed">
            {happened === null ? "" : `${happened} · `}
            {spent === null ? "" : `${spent} · `}
            <span className="unbroken">
              <Time at={item.created_at} />
            </span>
          </Text>
          {told === null ? null : (
            <Text size="sm" className="breakable" lineClamp={4} dir="auto">
              {told}
            </Text>
          )}
          <Group gap="md" mt={6}>
            <StepButton item={item} />
            {isUnread ? <ReadButton item={item} /> : null}
          </Group>
        </div>
      </Group>
    </Paper>
  );
}

/** An address of the server's making, so no route of the router's types; a new tab works as with any link. */
function TitleLink({ item }: { readonly item: Notification }) {
  const open = useOpenNotification();
  return (
    <Anchor
      href={safeReturn(item.action_url)}
      fw={item.read_at === null ? 700 : 500}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(item);
      }}
    >
      {subjectOf(item)}
    </Anchor>
  );
}

/** Leads to the run, where one does what it says. */
function StepButton({ item }: { readonly item: Notification }) {
  const open = useOpenNotification();
  const word = stepWord(item);
  if (word === null) return null;
  return (
    <Button
      size="xs"
      {...(isWaiting(item) ? { color: tone.needsYou } : { variant: "default" })}
      className="unshrinkable"
      onClick={() => open(item)}
      aria-label={`${word}: ${subjectOf(item).slice(0, 80)}`}
    >
      {word}
    </Button>
  );
}

function ReadButton({ item }: { readonly item: Notification }) {
  const read = useReadNotification();
  return (
    <Button
      size="xs"
      variant="subtle"
      px={0}
      loading={read.isPending}
      onClick={() => read.mutate(item.id)}
      aria-label={`Mark as read: ${item.title}, ${plainWords(item.message).slice(0, 80)}`}
    >
      Mark as read
    </Button>
  );
}
