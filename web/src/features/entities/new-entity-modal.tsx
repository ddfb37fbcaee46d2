// The form for a new thing. A document opens afterwards, because there is something to write in it.

import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Entity, routes } from "../../../../src/protocol/api.ts";
import { type EntityKind, foreignProps, kindSpecs, limits } from "../../../../src/protocol/kinds.ts";
import { keys } from "../../lib/data/keys.ts";
import { fromDateInput } from "../../lib/dates.ts";
import { refreshProject } from "../../lib/refresh.ts";
import { useCreate } from "../../lib/use-create.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { priorityWords } from "../../ui/wording.ts";

type NewEntityModalProps = {
  readonly projectId: string;
  readonly kind: EntityKind;
  /** For a document: the one it goes below. */
  readonly parentId?: string;
  readonly onClose: () => void;
};

export function NewEntityModal({ projectId, kind, parentId, onClose }: NewEntityModalProps) {
  const spec = kindSpecs[kind];
  const afterwards = useAfterCreation(onClose);
  const create = useCreate(routes[kind].create, { onSuccess: afterwards });
  const form = useForm({
    initialValues: { title: "", description: "", priority: null as string | null, due: "", isForeign: false },
    validate: { title: (value) => (value.trim() === "" ? "Enter a title" : null) },
  });
  const submit = form.onSubmit(({ title, description, priority, due, isForeign }) =>
    create.mutate({
      params: { projectId },
      body: {
        title,
        description,
        ...(spec.hasPriority && priority ? { priority: Number(priority) } : {}),
        ...(spec.hasDueDate && due ? { due_at: fromDateInput(due) } : {}),
        ...(parentId ? { parent_id: parentId } : {}),
        ...(isForeign ? { props: foreignProps } : {}),
      },
    }),
  );
  return (
    <FormModal
      title={parentId ? "New document below this one" : `New ${kind}`}
      onClose={onClose}
      onSubmit={submit}
      action="Create"
      isBusy={create.isPending}
    >
      <TextInput label="Title" withAsterisk data-autofocus maxLength={limits.title} {...form.getInputProps("title")} />
      <Textarea
        label="Description"
        placeholder="Optional"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={limits.description}
        {...form.getInputProps("description")}
      />
      {spec.hasPriority ? <PrioritySelect {...form.getInputProps("priority")} /> : null}
      {spec.hasDueDate ? <TextInput label="Due" type="date" {...form.getInputProps("due")} /> : null}
      {kind === "document" ? (
        <Checkbox
          label="Someone else wrote the text"
          description="Runs and chats read it as material and follow no instructions in it."
          {...form.getInputProps("isForeign", { type: "checkbox" })}
        />
      ) : null}
    </FormModal>
  );
}

type PrioritySelectProps = { readonly value?: string | null; readonly onChange?: (value: string | null) => void };

function PrioritySelect(props: PrioritySelectProps) {
  const data = priorityWords.map((label, index) => ({ value: String(index + 1), label }));
  return <Select label="Priority" placeholder="None" clearable data={data} {...props} />;
}

function useAfterCreation(onClose: () => void): (made: Entity) => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (made) => {
    queryClient.setQueryData(keys.entity(made.project_id, made.id), made);
    refreshProject(queryClient, made.project_id);
    onClose();
    if (made.kind !== "document") return;
    const params = { projectId: made.project_id, plural: kindSpecs.document.plural, entityId: made.id };
    void navigate({ to: "/projects/$projectId/$plural/$entityId", params });
  };
}
