// One channel: what goes through it, whether it is on, a test, its last deliveries.

import { Alert, Button, Chip, Group, Paper, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Channel } from "../../../../src/protocol/api.ts";
import { type ChannelEvent, channelEvents } from "../../../../src/protocol/kinds.ts";
import { tone } from "../../lib/tones.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { eventWords } from "./event-words.ts";
import { FreshSecret } from "./fresh-secret.tsx";
import { useChannelActions } from "./use-channel-actions.ts";

export function ChannelRow({ channel }: { readonly channel: Channel }) {
  const { id, name, url, is_on, off_reason, events } = channel;
  const { change, remove, test, rotate } = useChannelActions(id);
  const [isListed, list] = useDisclosure(false);
  const askRemove = () =>
    askFirst({
      title: `Remove “${name}”?`,
      text: "The channel gets no more messages, and its deliveries are deleted.",
      confirm: "Remove",
      onConfirm: () => remove.mutate(),
    });
  // Opened only after the test was sent: a list that is read earlier would not have it, and is not read again.
  const runTest = () => test.mutate(undefined, { onSettled: list.open });
  return (
    <Paper component="li" withBorder className="row" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <div className="row-text">
            <Text fw={600} className="breakable">
              {name}
            </Text>
            {url === null ? null : (
              <Text size="sm" c="dimmed" className="breakable">
                {url}
              </Text>
            )}
          </div>
          <Switch
            label={is_on ? "On" : "Off"}
            aria-label={`Use ${name}`}
            checked={is_on}
            onChange={(event) => change.mutate({ is_on: event.currentTarget.checked })}
          />
        </Group>
        {off_reason === null ? null : (
          <Alert color={tone.failure} title="Switched off">
            {off_reason}
          </Alert>
        )}
        <Events name={name} events={events} onChange={(chosen) => change.mutate({ events: chosen })} />
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={!is_on} loading={test.isPending} onClick={runTest}>
            Send test
          </Button>
          <Button size="xs" variant="default" aria-expanded={isListed} onClick={list.toggle}>
            Deliveries
          </Button>
          {channel.kind === "webhook" ? <NewSecret name={name} rotate={rotate} /> : null}
          <Button size="xs" variant="default" loading={remove.isPending} onClick={askRemove}>
            Remove
          </Button>
        </Group>
        {isListed ? <DeliveryList channelId={id} /> : null}
      </Stack>
    </Paper>
  );
}

type EventsProps = {
  readonly name: string;
  readonly events: readonly ChannelEvent[];
  readonly onChange: (events: ChannelEvent[]) => void;
};

/** The last one stays: a channel without events is switched off instead. */
function Events({ name, events, onChange }: EventsProps) {
  const choose = (chosen: string[]) => {
    const kept = channelEvents.filter((event) => chosen.includes(event));
    if (kept.length > 0) onChange(kept);
  };
  return (
    <Group gap={6} role="group" aria-label={`Events of ${name}`}>
      <Chip.Group multiple value={[...events]} onChange={choose}>
        {channelEvents.map((event) => (
          <Chip key={event} value={event} size="xs">
            {eventWords[event].label}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  );
}

type NewSecretProps = { readonly name: string; readonly rotate: ReturnType<typeof useChannelActions>["rotate"] };

function NewSecret({ name, rotate }: NewSecretProps) {
  const ask = () =>
    askFirst({
      title: `New secret for “${name}”?`,
      text: "For a day, requests are signed with both secrets. Then only the new one counts.",
      confirm: "Make new secret",
      onConfirm: () => rotate.mutate(),
    });
  return (
    <>
      <Button size="xs" variant="default" loading={rotate.isPending} onClick={ask}>
        New secret
      </Button>
      {rotate.data ? (
        <FreshSecret title="New secret" what="secret" secret={rotate.data.secret} onClose={rotate.reset} />
      ) : null}
    </>
  );
}
