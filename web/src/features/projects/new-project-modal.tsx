// The form for a new project. Afterwards one is in it.

import { Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { routes } from "../../../../src/protocol/api.ts";
import { limits } from "../../../../src/protocol/kinds.ts";
import { keys } from "../../lib/data/keys.ts";
import { useCreate } from "../../lib/use-create.ts";
import { FormModal } from "../../ui/form-modal.tsx";

export function NewProjectModal({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: "", description: "" },
    validate: { name: (value) => (value.trim() === "" ? "Enter a name" : null) },
  });
  const create = useCreate(routes.projects.create, {
    onSuccess: (project) => {
      queryClient.setQueryData(keys.facts(project.id), project);
      void queryClient.invalidateQueries({ queryKey: keys.projects });
      void navigate({ to: "/projects/$projectId", params: { projectId: project.id } });
    },
  });
  return (
    <FormModal
      title="New project"
      onClose={onClose}
      onSubmit={form.onSubmit((body) => create.mutate({ body }))}
      action="Create"
      isBusy={create.isPending}
    >
      <TextInput
        label="Name"
        placeholder="What is it about?"
        maxLength={limits.title}
        data-autofocus
        withAsterisk
        {...form.getInputProps("name")}
      />
      <Textarea
        label="Description"
        placeholder="Optional: what should come out of it"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={limits.description}
        {...form.getInputProps("description")}
      />
    </FormModal>
  );
}
