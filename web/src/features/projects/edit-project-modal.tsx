// Changing a project's name, description and state; asks when someone else changed it meanwhile.

import { Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { type Project, routes } from "../../../../src/protocol/api.ts";
import { limits, projectStates } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useVersionedEdit } from "../../lib/use-versioned-save.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { StaleChoice } from "../../ui/stale-choice.tsx";
import { wordsOf } from "../../ui/wording.ts";

type Fields = Pick<Project, "name" | "description" | "state_key">;

const labels: Readonly<Record<keyof Fields, string>> = { name: "Name", description: "Description", state_key: "State" };

const fieldsOf = ({ name, description, state_key }: Project): Fields => ({ name, description, state_key });

type EditProjectModalProps = { readonly project: Project; readonly onClose: () => void };

export function EditProjectModal({ project, onClose }: EditProjectModalProps) {
  const queryClient = useQueryClient();
  const form = useForm<Fields>({
    initialValues: fieldsOf(project),
    validate: { name: (value) => (value.trim() === "" ? "Enter a name" : null) },
  });
  const { base, saving, save } = useVersionedEdit<Project, Partial<Fields>>(project, {
    send: (patch, version) =>
      api(routes.projects.update, { params: { projectId: project.id }, body: { ...patch, version } }),
    keep: (current) => {
      queryClient.setQueryData(keys.facts(project.id), current);
      refreshProject(queryClient, project.id);
    },
    onSaved: onClose,
    fill: (current) => form.setValues(fieldsOf(current)),
  });
  const submit = (values: Fields) => {
    const patch = changedFields(base, values);
    if (Object.keys(patch).length === 0) return onClose();
    save(patch);
  };
  return (
    <FormModal
      title="Edit the project"
      onClose={onClose}
      onSubmit={form.onSubmit(submit)}
      action="Save"
      isBusy={saving.isSaving}
      stale={<StaleChoice saving={saving} compare={staleFields} />}
    >
      <TextInput label="Name" withAsterisk maxLength={limits.title} data-autofocus {...form.getInputProps("name")} />
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxRows={14}
        maxLength={limits.description}
        {...form.getInputProps("description")}
      />
      <Select
        label="State"
        allowDeselect={false}
        data={projectStates.map((value) => ({ value, label: wordsOf(value) }))}
        {...form.getInputProps("state_key")}
      />
    </FormModal>
  );
}

function changedFields(base: Project, values: Fields): Partial<Fields> {
  return {
    ...(values.name === base.name ? {} : { name: values.name }),
    ...(values.description === base.description ? {} : { description: values.description }),
    ...(values.state_key === base.state_key ? {} : { state_key: values.state_key }),
  };
}

function staleFields(patch: Partial<Fields>, current: Project) {
  const names = Object.keys(patch) as (keyof Fields)[];
  return names.map((name) => ({ label: labels[name], mine: patch[name] ?? "", theirs: current[name] }));
}
