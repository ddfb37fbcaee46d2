// The bell: how many notifications are unread, and the latest of them. Choosing one, or visiting the page it leads to, reads it.

import { ActionIcon, Group, Indicator, Menu, Text, VisuallyHidden } from "@mantine/core";
import { IconBell, IconChecks, IconList, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { ListedNotification as Notification } from "../../../../src/protocol/api.ts";
import { latestNotificationsQuery } from "../../lib/data/notifications.ts";
import { useOpenNotification, useReadAllNotifications, useVisits } from "../../lib/use-notifications.ts";
import { NotificationIcon } from "../../ui/notification-icon.tsx";
import { messageOf } from "../../ui/notification-message.ts";
import { Time } from "../../ui/time.tsx";
import { useAtWork } from "./at-work.ts";
import { shortCount } from "./counts.ts";
import { UnreadInTitle } from "./unread-in-title.tsx";

const small = { size: 16, "aria-hidden": true } as const;

export function Bell() {
  const { unread } = useAtWork();
  useVisits(useLocation({ select: ({ pathname }) => pathname }), unread);
  return (
    <>
      <UnreadInTitle unread={unread} />
      <Menu position="bottom-end" width="min(380px, calc(100vw - 24px))" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={bellLabel(unread)}
            c="var(--mantine-color-text)"
          >
            <Indicator
              label={shortCount(unread)}
              size={18}
              color="blue.9"
              disabled={unread === 0}
              offset={3}
              aria-hidden
              data-testid="unread-count"
            >
              <IconBell size={22} stroke={1.6} aria-hidden />
            </Indicator>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{unread === 0 ? "Notifications" : `Notifications, ${unread} unread`}</Menu.Label>
          <Latest />
          <Menu.Divider />
          <BellActions unread={unread} />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function bellLabel(unread: number): string {
  return unread === 0 ? "Notifications" : `Notifications, ${unread} unread`;
}

/** In the document, and so asked for, only while the menu is open. */
function Latest() {
  const items = useQuery(latestNotificationsQuery).data?.items;
  const open = useOpenNotification();
  // Not items: the focus goes to the first item when the menu opens, and a disabled one cannot take it.
  if (items === undefined) return <Menu.Label>Loading</Menu.Label>;
  if (items.length === 0) return <Menu.Label>Nothing yet. Runs that end or need you appear here.</Menu.Label>;
  return items.map((item) => (
    <Menu.Item
      key={item.id}
      onClick={() => open(item)}
      leftSection={<NotificationIcon event={item.run?.is_undone ? "undone" : item.event} />}
    >
      <NotificationText item={item} />
    </Menu.Item>
  ));
}

function NotificationText({ item }: { readonly item: Notification }) {
  const isUnread = item.read_at === null;
  return (
    <>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="sm" fw={isUnread ? 700 : 500} className="breakable" lineClamp={2} dir="auto">
          {isUnread ? <VisuallyHidden>Unread: </VisuallyHidden> : null}
          {item.run?.title ?? item.title}
        </Text>
        <Text size="xs" c="dimmed" className="unbroken">
          <Time at={item.created_at} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2} className="breakable" dir="auto">
        {saidBelow(item)}
      </Text>
    </>
  );
}

/** Under the name of a run: what happened to it, and what was told. */
function saidBelow(item: Notification): string {
  if (item.run === null) return messageOf(item);
  return item.run.is_undone ? `${item.title}, undone since` : `${item.title} · ${messageOf(item)}`;
}

function BellActions({ unread }: { readonly unread: number }) {
  const navigate = useNavigate();
  const readAll = useReadAllNotifications();
  return (
    <>
      {unread > 0 ? (
        <Menu.Item leftSection={<IconChecks {...small} />} onClick={() => readAll.mutate()}>
          Mark all as read
        </Menu.Item>
      ) : null}
      <Menu.Item leftSection={<IconList {...small} />} onClick={() => void navigate({ to: "/notifications" })}>
        All notifications
      </Menu.Item>
      <Menu.Item
        leftSection={<IconSettings {...small} />}
        onClick={() => void navigate({ to: "/settings/notifications" })}
      >
        Notification settings
      </Menu.Item>
    </>
  );
}
