// Changing a project's name, description and state; asks when someone else changed it meanwhile.

import { Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Project, routes } from "../../../../src/protocol/api.ts";
import { limits, projectStates } from "../../../../src/protocol/kinds.ts";
import { api } from "../../lib/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useVersionedSave } from "../../lib/use-versioned-save.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogButtons } from "../../ui/dialog-buttons.tsx";
import { StaleChoice } from "../../ui/stale-choice.tsx";
import { wordsOf } from "../../ui/wording.ts";

type Fields = Pick<Project, "name" | "description" | "state_key">;

const labels: Readonly<Record<keyof Fields, string>> = { name: "Name", description: "Description", state_key: "State" };

const fieldsOf = ({ name, description, state_key }: Project): Fields => ({ name, description, state_key });

type EditProjectModalProps = { readonly project: Project; readonly onClose: () => void };

export function EditProjectModal({ project, onClose }: EditProjectModalProps) {
  // The version the form was filled from, not the newest one: that is what makes a stale write noticeable.
  const [base, setBase] = useState(project);
  const form = useForm<Fields>({
    initialValues: fieldsOf(project),
    validate: { name: (value) => (value.trim() === "" ? "Enter a name" : null) },
  });
  const saving = useProjectSave(project.id, {
    onSaved: onClose,
    onTakeTheirs: (current) => {
      setBase(current);
      form.setValues(fieldsOf(current));
    },
  });
  const submit = (values: Fields) => {
    const patch = changedFields(base, values);
    if (Object.keys(patch).length === 0) return onClose();
    saving.save(patch, base.version);
  };
  return (
    <Dialog onClose={onClose} title="Edit the project">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <TextInput
            label="Name"
            withAsterisk
            maxLength={limits.title}
            data-autofocus
            {...form.getInputProps("name")}
          />
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
          <DialogButtons onCancel={onClose} action="Save" isBusy={saving.isSaving} />
        </Stack>
      </form>
      {saving.conflict ? (
        <StaleChoice
          fields={staleFields(saving.conflict.patch, saving.conflict.current)}
          saving={saving.isSaving}
          onKeepMine={saving.keepMine}
          onTakeTheirs={saving.takeTheirs}
          onClose={saving.dismiss}
        />
      ) : null}
    </Dialog>
  );
}

type SaveEvents = { readonly onSaved: () => void; readonly onTakeTheirs: (current: Project) => void };

function useProjectSave(projectId: string, events: SaveEvents) {
  const queryClient = useQueryClient();
  return useVersionedSave<Project, Partial<Fields>>({
    send: (patch, version) => api(routes.projects.update, { params: { projectId }, body: { ...patch, version } }),
    onSaved: (saved) => {
      queryClient.setQueryData(keys.facts(projectId), saved);
      refreshProject(queryClient, projectId);
      events.onSaved();
    },
    onTakeTheirs: (current) => {
      queryClient.setQueryData(keys.facts(projectId), current);
      events.onTakeTheirs(current);
    },
  });
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
