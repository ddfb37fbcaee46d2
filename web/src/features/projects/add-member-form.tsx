// Adds someone who has an account here, by e-mail.

import { Button, Group, Paper, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { type ProjectRole, projectRoles } from "../../../../src/protocol/kinds.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useCreate } from "../../lib/use-create.ts";
import { showDone } from "../../ui/toast.ts";
import { wordsOf } from "../../ui/wording.ts";

export function AddMemberForm({ projectId }: { readonly projectId: string }) {
  const queryClient = useQueryClient();
  const form = useForm<{ email: string; role: ProjectRole }>({ initialValues: { email: "", role: "editor" } });
  const add = useCreate(routes.projects.addMember, {
    onSuccess: (member) => {
      showDone(`${member.name} is a member now`);
      form.reset();
      refreshProject(queryClient, projectId);
    },
  });
  return (
    <Paper withBorder p="md">
      <form onSubmit={form.onSubmit((body) => add.mutate({ params: { projectId }, body }))}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="E-mail"
            description="The person needs an account here"
            type="email"
            required
            className="grow"
            miw={220}
            {...form.getInputProps("email")}
          />
          <Select
            label="Role"
            w={120}
            allowDeselect={false}
            data={projectRoles.map((role) => ({ value: role, label: wordsOf(role) }))}
            {...form.getInputProps("role")}
          />
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </form>
    </Paper>
  );
}
