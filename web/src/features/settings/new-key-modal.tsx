// Makes an API key and shows it, once.

import { Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { type Scope, scopes } from "../../../../src/protocol/kinds.ts";
import { useCreate } from "../../lib/use-create.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { FreshSecret } from "./fresh-secret.tsx";
import { settingKeys } from "./settings-queries.ts";

const scopeWords: Readonly<Record<Scope, string>> = {
  read: "read: look at everything you can see",
  run: "run: change your things and start runs",
  admin: "admin: handle keys, members and people",
};

const expiries = [
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "never", label: "Never" },
];

export function NewKeyModal({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const create = useCreate(routes.identity.createKey, {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: settingKeys.keys }),
  });
  const form = useForm<{ name: string; scopes: Scope[]; expires: string }>({
    initialValues: { name: "", scopes: ["read"], expires: "90" },
    validate: {
      name: (value) => (value.trim() === "" ? "A name tells you later what the key is for" : null),
      scopes: (value) => (value.length === 0 ? "Choose at least one" : null),
    },
  });
  if (create.data)
    return <FreshSecret title="Your new API key" what="key" secret={create.data.key} onClose={onClose} />;
  return (
    <FormModal
      title="New API key"
      onClose={onClose}
      onSubmit={form.onSubmit(({ name, scopes, expires }) =>
        create.mutate({ body: { name, scopes, expires_in_days: expires === "never" ? null : Number(expires) } }),
      )}
      action="Create"
      isBusy={create.isPending}
    >
      <TextInput
        label="Name"
        placeholder="Laptop, backup script, …"
        maxLength={60}
        data-autofocus
        withAsterisk
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label="Scopes" {...form.getInputProps("scopes")}>
        <Stack gap="xs" mt={4}>
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scopeWords[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select label="Expires" allowDeselect={false} data={expiries} {...form.getInputProps("expires")} />
    </FormModal>
  );
}
