// Everything one was told, or only what is unread: what still needs the reader first, then the newest.

import { Alert, Button, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconBell, IconChecks, IconHandStop } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useId } from "react";
import type { ListedNotification } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import { notificationsQuery } from "../../lib/data/notifications.ts";
import { runCountsQuery } from "../../lib/data/runs.ts";
import { tone } from "../../lib/tones.ts";
import { useReadAllNotifications } from "../../lib/use-notifications.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { ButtonLink } from "../../ui/links.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { NotificationList } from "./notification-list.tsx";
import { isWaiting } from "./notification-words.ts";

export function NotificationsPage() {
  const unread = useSearch({ from: "/in/notifications" }).unread ?? false;
  const told = useInfiniteQuery(notificationsQuery(unread));
  const unreadCount = told.data?.pages[0]?.unread_count ?? 0;
  usePageTitle(unread ? "Unread notifications" : "Notifications");
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={
          <>
            {unreadCount > 0 ? <ReadAll /> : null}
            <ButtonLink to="/settings/notifications" variant="default">
              Notification settings
            </ButtonLink>
          </>
        }
      />
      <UnreadChoice unread={unread} unreadCount={unreadCount} />
      <QueryView query={told}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          const waiting = items.filter(isWaiting);
          return (
            <>
              <StillWaiting shown={waiting.length} />
              {items.length === 0 ? <Nothing unread={unread} /> : null}
              <Stack gap="lg">
                <Part title="Needs you" items={waiting} isMarked={!unread} />
                <Part
                  title={waiting.length === 0 ? null : "Everything else"}
                  items={items.filter((item) => !isWaiting(item))}
                  isMarked={!unread}
                />
              </Stack>
              <LoadMore query={told} />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

type PartProps = {
  /** Null where it is all there is. */
  readonly title: string | null;
  readonly items: readonly ListedNotification[];
  readonly isMarked: boolean;
};

function Part({ title, ...list }: PartProps) {
  const headingId = useId();
  if (list.items.length === 0) return null;
  if (title === null) return <NotificationList {...list} />;
  return (
    <section aria-labelledby={headingId}>
      <Title order={2} size="h5" mb="xs" id={headingId}>
        {title}
      </Title>
      <NotificationList {...list} />
    </section>
  );
}

/** What has been read, or was told long ago, may wait for its reader all the same. */
function StillWaiting({ shown }: { readonly shown: number }) {
  const standing = useQuery(runCountsQuery).data;
  const runs = standing?.counts.waiting_on_user ?? 0;
  const questions = standing?.open_questions ?? 0;
  const asked = standing?.agent_questions.length ?? 0;
  if (runs <= shown && questions + asked === 0) return null;
  const parts = [
    ...(runs === 0 ? [] : [`${counted(runs, "run")} ${runs === 1 ? "needs" : "need"} you`]),
    ...(questions === 0 ? [] : [`your outcomes have ${counted(questions, "question")}`]),
    ...(asked === 0 ? [] : [`your agents have ${counted(asked, "question")}`]),
  ];
  const words = parts.join(", and ");
  return (
    <Alert color={tone.needsYou} mb="md" p="sm">
      <Group gap="xs">
        <IconHandStop size={20} aria-hidden className="unshrinkable" />
        <Text size="sm" fw={600} className="row-text">
          {words.charAt(0).toUpperCase() + words.slice(1)}.
        </Text>
        {runs + asked > 0 ? (
          <ButtonLink to="/homework" hash="needs-you" size="xs" color={tone.needsYou}>
            Show what needs you
          </ButtonLink>
        ) : (
          <ButtonLink to="/outcomes" size="xs" color={tone.needsYou}>
            Show what needs you
          </ButtonLink>
        )}
      </Group>
    </Alert>
  );
}

function UnreadChoice({ unread, unreadCount }: { readonly unread: boolean; readonly unreadCount: number }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      mb="md"
      aria-label="Which notifications"
      value={unread ? "unread" : "all"}
      onChange={(which) =>
        void navigate({ to: "/notifications", search: which === "unread" ? { unread: true } : {}, replace: true })
      }
      data={[
        { value: "all", label: "All" },
        { value: "unread", label: unreadCount === 0 ? "Unread" : `Unread (${unreadCount})` },
      ]}
    />
  );
}

function ReadAll() {
  const readAll = useReadAllNotifications();
  return (
    <Button
      variant="default"
      leftSection={<IconChecks size={16} aria-hidden />}
      loading={readAll.isPending}
      onClick={() => readAll.mutate()}
    >
      Mark all as read
    </Button>
  );
}

function Nothing({ unread }: { readonly unread: boolean }) {
  return (
    <EmptyNotice icon={<IconBell aria-hidden />} title={unread ? "Nothing unread" : "Nothing yet"}>
      {unread ? "You have seen all notifications." : "Runs that finish, stop, fail or need your answer appear here."}
    </EmptyNotice>
  );
}
