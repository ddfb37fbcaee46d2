// What one is told of, and where: a choice per event and channel, and whether this browser may show it.

import { Anchor, Paper, Switch, Table, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { askForPermission, useBrowserPermission } from "../../lib/browser-permission.ts";
import { type NotificationPreference, notificationPreferencesQuery } from "../../lib/data/notifications.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { BrowserNotice } from "./browser-notice.tsx";
import { eventWords } from "./event-words.ts";
import { usePreferences } from "./use-preferences.ts";
import "./settings.css";

type Event = NotificationPreference["event"];

export function NotificationSettingsPage() {
  const preferences = useQuery(notificationPreferencesQuery);
  usePageTitle("Notification settings");
  return (
    <>
      <PageHeader title="Notifications" />
      <Text mb="md" maw={640}>
        Choose what rings the bell here, and what your browser shows while Homework is open in a tab. The list of
        notifications keeps everything.
      </Text>
      <BrowserNotice />
      <QueryView query={preferences}>{(data) => <Choices preferences={data.preferences} />}</QueryView>
      <Text size="sm" c="dimmed" mt="md">
        Telegram and webhooks are set up under{" "}
        <Anchor component={Link} to="/settings/channels" underline="always">
          Channels
        </Anchor>
        .
      </Text>
    </>
  );
}

const isOfOutcome = (event: Event) => event === "escalation" || event.startsWith("outcome_");
const groups = [
  { title: "Runs", includes: (event: Event) => !isOfOutcome(event) },
  { title: "Outcomes", includes: isOfOutcome },
] as const;

const blockedWords = { granted: null, default: null, denied: "blocked", missing: "not available" } as const;

function Choices({ preferences }: { readonly preferences: readonly NotificationPreference[] }) {
  const blocked = blockedWords[useBrowserPermission()];
  return (
    <Paper withBorder className="scroll-x">
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Event</Table.Th>
            <Table.Th>Bell</Table.Th>
            <Table.Th {...(blocked === null ? {} : { c: "dimmed" })}>
              Browser{blocked === null ? "" : ` (${blocked})`}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {groups.map(({ title, includes }) => (
          <Table.Tbody key={title}>
            <Table.Tr>
              <Table.Th colSpan={3} scope="rowgroup" pt="md">
                {title}
              </Table.Th>
            </Table.Tr>
            {preferences
              .filter(({ event }) => includes(event))
              .map((preference) => (
                <EventRow key={preference.event} preference={preference} isBlocked={blocked !== null} />
              ))}
          </Table.Tbody>
        ))}
      </Table>
    </Paper>
  );
}

type EventRowProps = { readonly preference: NotificationPreference; readonly isBlocked: boolean };

function EventRow({ preference, isBlocked }: EventRowProps) {
  const { label, about } = eventWords[preference.event];
  const save = usePreferences();
  const chooseBrowser = (browser: boolean) => {
    save.mutate({ ...preference, browser });
    if (browser) void askForPermission();
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </Table.Td>
      <Table.Td>
        <Switch
          checked={preference.in_app}
          onChange={(event) => save.mutate({ ...preference, in_app: event.currentTarget.checked })}
          label={<VisuallyHidden>Ring the bell: {label}</VisuallyHidden>}
        />
      </Table.Td>
      <Table.Td className={isBlocked ? "channel-blocked" : undefined}>
        <Switch
          checked={preference.browser}
          onChange={(event) => chooseBrowser(event.currentTarget.checked)}
          label={<VisuallyHidden>Show in the browser: {label}</VisuallyHidden>}
        />
      </Table.Td>
    </Table.Tr>
  );
}
