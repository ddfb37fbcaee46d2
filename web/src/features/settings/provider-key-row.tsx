// The key of one provider: saved and removed here, never shown.

import { Anchor, Button, Group, Paper, PasswordInput, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { askFirst } from "../../ui/confirm.tsx";
import { showDone } from "../../ui/toast.ts";
import { describeKey, type ProviderKey, providerNames } from "./model-words.ts";
import { useKeepModelSettings } from "./settings-queries.ts";

export function ProviderKeyRow({ providerKey }: { readonly providerKey: ProviderKey }) {
  const name = providerNames[providerKey.provider];
  const isFixed = providerKey.source === "environment" || providerKey.source === "command_line";
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed" className="breakable">
            {describeKey(providerKey)}
          </Text>
          {isFixed ? <HowToChange providerKey={providerKey} /> : null}
        </div>
        {isFixed ? null : <KeyForm providerKey={providerKey} name={name} />}
      </Group>
    </Paper>
  );
}

/** For someone who runs the server. */
function HowToChange({ providerKey: { source, from } }: { readonly providerKey: ProviderKey }) {
  return (
    <details>
      <Anchor component="summary" size="sm" w="fit-content">
        How to change it
      </Anchor>
      <Text size="sm" c="dimmed" mt={4} className="breakable">
        {source === "environment"
          ? `The variable ${from} holds it. Set another value there and restart the server.`
          : "It is an option of the command that starts the server. Start it again with another."}
      </Text>
    </details>
  );
}

type KeyFormProps = { readonly providerKey: ProviderKey; readonly name: string };

function KeyForm({ providerKey: { provider, source }, name }: KeyFormProps) {
  const [key, setKey] = useState("");
  const keep = useKeepModelSettings();
  const params = { provider };
  const save = useMutation({
    mutationFn: () => api(routes.models.setKey, { params, body: { key: key.trim() } }),
    onSuccess: (changed) => {
      keep(changed);
      setKey("");
      showDone(`Key for ${name} saved`);
    },
  });
  const remove = useMutation({
    mutationFn: () => api(routes.models.removeKey, { params }),
    onSuccess: (changed) => {
      keep(changed);
      showDone(`Key for ${name} removed`);
    },
  });
  const askToRemove = () =>
    askFirst({
      title: `Remove the key for ${name}?`,
      text: "Runs can no longer use models of this provider.",
      confirm: "Remove key",
      onConfirm: () => remove.mutate(),
    });
  return (
    <form
      className="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <PasswordInput
          aria-label={`Key for ${name}`}
          placeholder={source === null ? "Paste a key" : "Paste a new key"}
          autoComplete="off"
          className="key-field"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={key.trim() === ""}
          loading={save.isPending}
          aria-label={`Save the key for ${name}`}
        >
          Save
        </Button>
        {source === null ? null : (
          <Button
            variant="default"
            onClick={askToRemove}
            loading={remove.isPending}
            aria-label={`Remove the key for ${name}`}
          >
            Remove
          </Button>
        )}
      </Group>
    </form>
  );
}
