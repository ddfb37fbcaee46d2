// Where one is signed in, and ending that.

import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { showDone } from "../../ui/toast.ts";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { programName } from "./program-name.ts";
import { sessionsQuery, settingKeys } from "./settings-queries.ts";

type Session = RouteResult<typeof routes.identity.listSessions>["items"][number];

export function SessionsPage() {
  const sessions = useQuery(sessionsQuery);
  const hasOthers = sessions.data?.items.some((session) => !session.current) ?? false;
  usePageTitle("Sessions", "Settings");
  return (
    <>
      <PageHeader title="Sessions" actions={hasOthers ? <EndOthers /> : null} />
      <QueryView query={sessions}>
        {({ items }) => (
          <Stack component="ul" gap="xs" className="plain-list">
            {items.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function SessionRow({ session }: { readonly session: Session }) {
  const name = programName(session.user_agent);
  const end = useEnding(() => api(routes.identity.revokeSession, { params: { sessionId: session.id } }));
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <Text size="sm" fw={600} className="breakable" lineClamp={2}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {session.address ? `From ${session.address}, l` : "L"}ast seen <Time at={session.last_seen_at} />, ends{" "}
            <Time at={session.expires_at} />
          </Text>
        </div>
        {session.current ? (
          <Badge variant="light" color="green" tt="none">
            This browser
          </Badge>
        ) : (
          <Button
            size="xs"
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate()}
            aria-label={`End the session of ${name}`}
          >
            End
          </Button>
        )}
      </Group>
    </Paper>
  );
}

function EndOthers() {
  const end = useEnding(() => api(routes.identity.revokeOtherSessions, {}));
  const ask = () =>
    askFirst({
      title: "End all other sessions?",
      text: "Every other browser you are signed in with has to sign in again.",
      confirm: "End them",
      onConfirm: () => end.mutate(),
    });
  return (
    <Button variant="default" onClick={ask} loading={end.isPending}>
      End all others
    </Button>
  );
}

function useEnding(send: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      showDone("Ended");
      void queryClient.invalidateQueries({ queryKey: settingKeys.sessions });
    },
  });
}
