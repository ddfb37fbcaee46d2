// The last deliveries of a channel: what was sent, whether it arrived, and why not.

import { Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChannelDelivery } from "../../../../src/protocol/api.ts";
import { tone } from "../../lib/tones.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { deliveriesQuery, settingKeys } from "./settings-queries.ts";

const looks = {
  pending: { label: "Pending", color: tone.plain },
  delivered: { label: "Delivered", color: tone.passed },
  given_up: { label: "Failed", color: tone.failure },
  dropped: { label: "Not sent", color: tone.plain },
} as const;

const retrying = { label: "Retrying", color: tone.plain } as const;

export function DeliveryList({ channelId }: { readonly channelId: string }) {
  const deliveries = useQuery(deliveriesQuery(channelId));
  const hasFailed = deliveries.data?.items.some(({ state }) => state === "given_up") ?? false;
  useChannelsReadAgain(hasFailed);
  return (
    <QueryView query={deliveries}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing was sent yet.
          </Text>
        ) : (
          <Stack component="ul" gap={6} className="plain-list" aria-label="Last deliveries">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}

/** What could not be delivered may have switched its channel off. */
function useChannelsReadAgain(hasFailed: boolean) {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (hasFailed) void queryClient.invalidateQueries({ queryKey: settingKeys.channels });
  }, [hasFailed, queryClient]);
}

function DeliveryRow({ delivery }: { readonly delivery: ChannelDelivery }) {
  const { state, title, created_at, next_at, attempts, last_error } = delivery;
  const isRetrying = state === "pending" && last_error !== null;
  const { label, color } = isRetrying ? retrying : looks[state];
  return (
    <li>
      <Group gap="xs">
        <Badge variant="light" color={color} tt="none">
          {label}
        </Badge>
        <Text size="sm">{title}</Text>
        <Text size="sm" c="dimmed">
          <Time at={created_at} />
          {attempts > 1 ? `, ${attempts} tries` : null}
          {isRetrying ? (
            <>
              , next <Time at={next_at} />
            </>
          ) : null}
        </Text>
      </Group>
      {last_error === null ? null : (
        <Text size="sm" c="dimmed" className="breakable">
          {last_error}
        </Text>
      )}
    </li>
  );
}
