// Adds a webhook and shows its secret, once.

import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import {
  type ChannelEvent,
  channelEvents,
  channelNameMax,
  channelUrlMax,
  usualEvents,
} from "../../../../src/protocol/kinds.ts";
import { useCreate } from "../../lib/use-create.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { eventWords } from "./event-words.ts";
import { FreshSecret } from "./fresh-secret.tsx";
import { settingKeys } from "./settings-queries.ts";

export function NewWebhook() {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Group>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
        Add webhook
      </Button>
      {isOpen ? <NewWebhookDialog onClose={dialog.close} /> : null}
    </Group>
  );
}

const secretAbout = "Your program checks the signature of each request with it.";

function NewWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const create = useCreate(routes.channels.addWebhook, {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: settingKeys.channels }),
  });
  const form = useForm<{ name: string; url: string; events: ChannelEvent[] }>({
    initialValues: { name: "", url: "", events: [...usualEvents] },
    validate: {
      name: (value) => (value.trim() === "" ? "A name tells you later what the webhook is for" : null),
      url: (value) => (URL.canParse(value) ? null : "An address such as https://example.com/hook"),
      events: (value) => (value.length === 0 ? "Choose at least one" : null),
    },
  });
  if (create.data)
    return (
      <FreshSecret
        title="Secret of the webhook"
        what="secret"
        secret={create.data.secret}
        about={secretAbout}
        onClose={onClose}
      />
    );
  return (
    <FormModal
      title="Add webhook"
      onClose={onClose}
      onSubmit={form.onSubmit((body) => create.mutate({ body }))}
      action="Add"
      isBusy={create.isPending}
    >
      <TextInput
        label="Name"
        placeholder="Backend, automation, …"
        maxLength={channelNameMax}
        data-autofocus
        withAsterisk
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Address"
        placeholder="https://example.com/hook"
        maxLength={channelUrlMax}
        withAsterisk
        {...form.getInputProps("url")}
      />
      <Checkbox.Group label="When a run …" {...form.getInputProps("events")}>
        <Stack gap="xs" mt={4}>
          {channelEvents.map((event) => (
            <Checkbox key={event} value={event} label={eventWords[event].label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormModal>
  );
}
