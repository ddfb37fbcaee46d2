// What the bell opens: the latest notifications, and what can be done with all of them. Choosing one reads it.

import { Group, Menu, Text, VisuallyHidden } from "@mantine/core";
import { IconChecks, IconList, IconRobot, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { AgentQuestion, ListedNotification as Notification } from "../../../../src/protocol/api.ts";
import { latestNotificationsQuery } from "../../lib/data/notifications.ts";
import { useOpenNotification, useReadAllNotifications } from "../../lib/use-notifications.ts";
import { NotificationIcon } from "../../ui/notification-icon.tsx";
import { messageOf } from "../../ui/notification-message.ts";
import { taskPlace } from "../../ui/task-place.ts";
import { Time } from "../../ui/time.tsx";
import { countUnlisted } from "./counts.ts";
import "./bell-panel.css";

const small = { size: 16, "aria-hidden": true } as const;

type BellPanelProps = { readonly unread: number; readonly asked: readonly AgentQuestion[] };

export function BellPanel({ unread, asked }: BellPanelProps) {
  const items = useQuery(latestNotificationsQuery).data?.items;
  // No menu items yet: the focus would go to the first of them, and what comes later would stand above it.
  if (items === undefined) return <Menu.Label>Loading</Menu.Label>;
  return (
    <>
      {asked.map((question) => (
        <Asked key={question.question_id} asked={question} />
      ))}
      {items.length + asked.length === 0 ? (
        <Menu.Label>Nothing yet. Runs that end or need you appear here.</Menu.Label>
      ) : null}
      {items.map((item) => (
        <Latest key={item.id} item={item} />
      ))}
      <More count={countUnlisted(unread, items)} />
      <Menu.Divider />
      <BellActions unread={unread} />
    </>
  );
}

function Asked({ asked }: { readonly asked: AgentQuestion }) {
  const navigate = useNavigate();
  return (
    <Menu.Item
      onClick={() => void navigate(taskPlace(asked))}
      className="bell-item"
      leftSection={<IconRobot {...small} />}
    >
      <Text size="sm" fw={700} className="breakable" lineClamp={3} dir="auto">
        {asked.title || asked.task_id}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={4} className="breakable" dir="auto">
        An agent asks: {asked.question}
      </Text>
    </Menu.Item>
  );
}

const isUnread = ({ read_at: readAt }: Notification) => readAt === null;

function Latest({ item }: { readonly item: Notification }) {
  const open = useOpenNotification();
  return (
    <Menu.Item
      onClick={() => open(item)}
      className="bell-item"
      leftSection={<NotificationIcon event={item.run?.is_undone ? "undone" : item.event} />}
    >
      <Group gap="xs" wrap="nowrap" justify="space-between" align="baseline">
        <Text size="sm" fw={isUnread(item) ? 700 : 500} className="breakable" lineClamp={3} dir="auto">
          {isUnread(item) ? <VisuallyHidden>Unread: </VisuallyHidden> : null}
          {item.run?.title ?? item.title}
        </Text>
        <Text size="xs" c="dimmed" className="unbroken">
          <Time at={item.created_at} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed" lineClamp={4} className="breakable" dir="auto">
        {saidBelow(item)}
      </Text>
    </Menu.Item>
  );
}

/** Under the name of a run: what happened to it, and what was told. */
function saidBelow(item: Notification): string {
  if (item.run === null) return messageOf(item);
  return item.run.is_undone ? `${item.title}, undone since` : `${item.title} · ${messageOf(item)}`;
}

/** Unread ones that are older than those above. */
function More({ count }: { readonly count: number }) {
  const navigate = useNavigate();
  if (count === 0) return null;
  return (
    <Menu.Item
      c="var(--mantine-color-anchor)"
      onClick={() => void navigate({ to: "/notifications", search: { unread: true } })}
    >
      {count.toLocaleString("en")} more unread
    </Menu.Item>
  );
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
