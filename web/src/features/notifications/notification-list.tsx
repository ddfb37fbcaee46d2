// Notifications as rows: what happened, to which homework, when; each leads there, and can be marked as read where it is.

import { Anchor, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import type { Notification } from "../../../../src/protocol/api.ts";
import { safeReturn } from "../../lib/search-params.ts";
import { useOpenNotification, useReadNotification } from "../../lib/use-notifications.ts";
import { NotificationIcon } from "../../ui/notification-icon.tsx";
import { plainWords } from "../../ui/plain-words.ts";
import { Time } from "../../ui/time.tsx";

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
  return (
    <Paper component="li" withBorder className="row">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <NotificationIcon event={item.event} />
        <div className="grow">
          <Group gap="xs">
            <TitleLink item={item} />
            {isUnread ? (
              <Badge size="xs" variant="filled" tt="none">
                Unread
              </Badge>
            ) : null}
            <Text size="xs" c="dimmed">
              <Time at={item.created_at} />
            </Text>
          </Group>
          <Text size="sm" c="dimmed" className="breakable" lineClamp={4} dir="auto">
            {plainWords(item.message)}
          </Text>
          {isUnread ? <ReadButton item={item} /> : null}
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
      {item.title}
    </Anchor>
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
