// One's API keys: for the command line, scripts and other programs.

import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { showDone } from "../../ui/toast.ts";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { NewKeyModal } from "./new-key-modal.tsx";
import { keysQuery, settingKeys } from "./settings-queries.ts";

type ApiKey = RouteResult<typeof routes.identity.listKeys>["items"][number];

export function KeysPage() {
  const keys = useQuery(keysQuery);
  const [creating, create] = useDisclosure(false);
  usePageTitle("API keys", "Settings");
  return (
    <>
      <PageHeader
        title="API keys"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create.open}>
            New API key
          </Button>
        }
      />
      <QueryView query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyNotice icon={<IconKey aria-hidden />} title="No API keys yet">
              A key lets the command line, a script or another program act for you, as far as its scopes go.
            </EmptyNotice>
          ) : (
            <Stack component="ul" gap="xs" className="plain-list">
              {items.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {creating ? <NewKeyModal onClose={create.close} /> : null}
    </>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const revoke = useRevoking(apiKey.id);
  const ask = () =>
    askFirst({
      title: `Revoke “${apiKey.name}”?`,
      text: "Programs that use this key stop working at once.",
      confirm: "Revoke",
      onConfirm: () => revoke.mutate(),
    });
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <div className="row-text">
          <Text fw={600} className="breakable">
            {apiKey.name}{" "}
            <Text span c="dimmed" size="sm" ff="monospace">
              {apiKey.start}…
            </Text>
          </Text>
          <Text size="sm" c="dimmed">
            {apiKey.last_used_at ? (
              <>
                Last used <Time at={apiKey.last_used_at} />
              </>
            ) : (
              "Never used"
            )}
            {apiKey.expires_at ? (
              <>
                , expires <Time at={apiKey.expires_at} />
              </>
            ) : (
              ", never expires"
            )}
          </Text>
          <Group gap={4} mt={4}>
            {apiKey.scopes.map((scope) => (
              <Badge key={scope} variant="light" color="gray" tt="none">
                {scope}
              </Badge>
            ))}
          </Group>
        </div>
        <Button
          size="xs"
          variant="default"
          onClick={ask}
          loading={revoke.isPending}
          aria-label={`Revoke ${apiKey.name}`}
        >
          Revoke
        </Button>
      </Group>
    </Paper>
  );
}

function useRevoking(keyId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api(routes.identity.revokeKey, { params: { keyId } }),
    onSuccess: () => {
      showDone("The key was revoked");
      void queryClient.invalidateQueries({ queryKey: settingKeys.keys });
    },
  });
}
