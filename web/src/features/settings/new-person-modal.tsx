// Makes an account for someone else. The password is told to them by other means.

import { PasswordInput, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { type InstanceRole, instanceRoles } from "../../../../src/protocol/kinds.ts";
import { useCreate } from "../../lib/use-create.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { showDone } from "../../ui/toast.ts";
import { wordsOf } from "../../ui/wording.ts";
import { settingKeys } from "./settings-queries.ts";

const shortestPassword = 10;

type Values = { name: string; email: string; password: string; role: InstanceRole };

export function NewPersonModal({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: "", email: "", password: "", role: "user" },
    validate: {
      name: (value) => (value.trim() === "" ? "Enter a name" : null),
      password: (value) => (value.length < shortestPassword ? `At least ${shortestPassword} characters` : null),
    },
  });
  const create = useCreate(routes.identity.createUser, {
    onSuccess: (person) => {
      showDone(`${person.name} has an account now`);
      void queryClient.invalidateQueries({ queryKey: settingKeys.people });
      onClose();
    },
  });
  return (
    <FormModal
      title="New account"
      onClose={onClose}
      onSubmit={form.onSubmit((body) => create.mutate({ body }))}
      action="Create"
      isBusy={create.isPending}
    >
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.getInputProps("name")} />
      <TextInput label="E-mail" type="email" required autoComplete="off" {...form.getInputProps("email")} />
      <PasswordInput
        label="First password"
        description={`At least ${shortestPassword} characters; they can change it`}
        required
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
      <Select
        label="Role"
        description="An admin manages people, and sees no more projects than others"
        allowDeselect={false}
        data={instanceRoles.map((role) => ({ value: role, label: wordsOf(role) }))}
        {...form.getInputProps("role")}
      />
    </FormModal>
  );
}
