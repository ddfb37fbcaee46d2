// Notifications as rows: what happened, to which homework, when; each leads there, and can be marked as read where it is.

import { Anchor, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import type { ListedNotification as Notification } from "../../../../src/protocol/api.ts";
import { safeReturn } from "../../lib/search-params.ts";
import { tone } from "../../lib/tones.ts";
import { useOpenNotification, useReadNotification } from "../../lib/use-notifications.ts";
import { NotificationIcon } from "../../ui/notification-icon.tsx";
import { messageOf } from "../../ui/notification-message.ts";
import { plainWords } from "../../ui/plain-words.ts";
import { Time } from "../../ui/time.tsx";
import { isWaiting, sinceWords, stepWord, subjectOf } from "./notification-words.ts";

export function NotificationList({ items }: { readonly items: readonly Notification[] }) {
  return (
    <Stack component="ul" gap="xs" className="plain-list">
      {items.map((item) => (
        <NotificationRow key={item.id} item={item} />
      ))}
    </Stack>
  );
}

function NotificationRow({ item }: { readonly item: Notification }) {
  const isUnread = item.read_at === null;
  const since = sinceWords(item);
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <NotificationIcon event={item.run?.is_undone ? "undone" : item.event} />
        <div className="grow">
          <Group gap="xs">
            <TitleLink item={item} />
            {isUnread ? (
              <Badge size="xs" variant="filled" tt="none">
                Unread
              </Badge>
            ) : null}
            {since === null ? null : (
              <Badge size="xs" variant="light" color={tone.plain} tt="none">
                {since}
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {item.run === null ? "" : `${item.title} · `}
            <Time at={item.created_at} />
          </Text>
          <Text size="sm" className="breakable" lineClamp={4} dir="auto">
            {messageOf(item)}
          </Text>
          <Group gap="md" mt={4}>
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
