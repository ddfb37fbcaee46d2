// The people of this installation, for its admins: accounts, roles, and closing an account.

import { Badge, Button, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { type InstanceRole, instanceRoles } from "../../../../src/protocol/kinds.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { meQuery } from "../../lib/data/me.ts";
import { tone } from "../../lib/tones.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { wordsOf } from "../../ui/wording.ts";
import { NewPersonModal } from "./new-person-modal.tsx";
import { peopleQuery, settingKeys } from "./settings-queries.ts";

type Person = RouteResult<typeof routes.identity.listUsers>["items"][number];

export function PeoplePage() {
  const people = useInfiniteQuery(peopleQuery);
  const [creating, create] = useDisclosure(false);
  usePageTitle("People", "Settings");
  return (
    <>
      <PageHeader
        title="People"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create.open}>
            New account
          </Button>
        }
      />
      <QueryView query={people}>
        {(data) => (
          <>
            <Stack component="ul" gap="xs" className="plain-list">
              {data.pages
                .flatMap((page) => page.items)
                .map((person) => (
                  <PersonRow key={person.id} person={person} />
                ))}
            </Stack>
            <LoadMore query={people} />
          </>
        )}
      </QueryView>
      {creating ? <NewPersonModal onClose={create.close} /> : null}
    </>
  );
}

function PersonRow({ person }: { readonly person: Person }) {
  const isMe = useQuery(meQuery).data?.user.id === person.id;
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <Text fw={600} className="breakable">
            {person.name} {isMe ? "(you)" : ""}
          </Text>
          <Text size="sm" c="dimmed" className="breakable">
            {person.email} · joined <Time at={person.created_at} />
          </Text>
        </div>
        {person.disabled ? (
          <Badge variant="light" color={tone.strong} tt="none">
            Closed
          </Badge>
        ) : null}
        {isMe ? <Text size="sm">{wordsOf(person.role)}</Text> : <PersonControls person={person} />}
      </Group>
    </Paper>
  );
}

function PersonControls({ person }: { readonly person: Person }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { role?: InstanceRole; disabled?: boolean }) =>
      api(routes.identity.updateUser, { params: { userId: person.id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: settingKeys.people }),
  });
  const askToClose = () =>
    askFirst({
      title: `Close the account of ${person.name}?`,
      text: "Their sessions, API keys, runs and chats end at once. The account can be opened again.",
      confirm: "Close account",
      onConfirm: () => change.mutate({ disabled: true }),
    });
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label={`Role of ${person.name}`}
        w={110}
        allowDeselect={false}
        data={instanceRoles.map((role) => ({ value: role, label: wordsOf(role) }))}
        value={person.role}
        disabled={change.isPending}
        onChange={(role) => role && change.mutate({ role: role as InstanceRole })}
      />
      <Button
        variant="default"
        loading={change.isPending}
        onClick={person.disabled ? () => change.mutate({ disabled: false }) : askToClose}
        aria-label={`${person.disabled ? "Open" : "Close"} account of ${person.name}`}
      >
        {person.disabled ? "Open account" : "Close account"}
      </Button>
    </Group>
  );
}
