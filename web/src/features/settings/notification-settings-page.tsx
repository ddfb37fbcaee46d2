// What one is told of, and where: a choice per event and channel, and whether this browser may show it.

import { Anchor, Paper, Switch, Table, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { askForPermission } from "../../lib/browser-permission.ts";
import { type NotificationPreference, notificationPreferencesQuery } from "../../lib/data/notifications.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { BrowserNotice } from "./browser-notice.tsx";
import { usePreferences } from "./use-preferences.ts";

const words: Readonly<Record<NotificationPreference["event"], { readonly label: string; readonly about: string }>> = {
  waiting_on_user: { label: "Needs you", about: "The run has a question and waits for your answer." },
  holding: { label: "Delayed", about: "A provider makes the run wait for more than 15 minutes." },
  completed: { label: "Completed", about: "The run is done and its checks passed." },
  stopped: { label: "Stopped", about: "The run reached a limit or made no progress." },
  failed: { label: "Failed", about: "The run cannot continue." },
  escalation: { label: "Outcome needs a decision", about: "HOMЯ has a question. The tasks it names wait." },
  outcome_achieved: { label: "Outcome achieved", about: "Two reviews in a row found nothing to fix." },
  outcome_stopped: { label: "Outcome stopped", about: "The outcome reached its cost limit or cannot continue." },
};

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

function Choices({ preferences }: { readonly preferences: readonly NotificationPreference[] }) {
  return (
    <Paper withBorder className="scroll-x">
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When homework …</Table.Th>
            <Table.Th>Bell</Table.Th>
            <Table.Th>Browser</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preferences.map((preference) => (
            <EventRow key={preference.event} preference={preference} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function EventRow({ preference }: { readonly preference: NotificationPreference }) {
  const { label, about } = words[preference.event];
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
      <Table.Td>
        <Switch
          checked={preference.browser}
          onChange={(event) => chooseBrowser(event.currentTarget.checked)}
          label={<VisuallyHidden>Show in the browser: {label}</VisuallyHidden>}
        />
      </Table.Td>
    </Table.Tr>
  );
}
