// Edits a task against the version that was there when the form was opened. When someone else saved first, one chooses.

import { Alert } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type OutcomeTaskDetail, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { outcomeTaskQuery } from "../../../lib/data/outcomes.ts";
import { useVersionedEdit } from "../../../lib/use-versioned-save.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { StaleChoice } from "../../../ui/stale-choice.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { draftOf, patchOf, staleFieldsOf, type TaskDraft, type TaskPatch } from "./task-draft.ts";
import { TaskChecks, TaskFields } from "./task-fields.tsx";
import { nameTask } from "./task-words.ts";
import { useTaskForm } from "./use-task-form.ts";

type EditTaskModalProps = { readonly task: OutcomeTaskDetail; readonly onClose: () => void };

export function EditTaskModal({ task, onClose }: EditTaskModalProps) {
  const { id: outcomeId, engine } = useOutcome();
  const queryClient = useQueryClient();
  const form = useTaskForm(draftOf(task, engine));
  const keep = (current: OutcomeTaskDetail) => {
    queryClient.setQueryData(outcomeTaskQuery(outcomeId, task.id).queryKey, current);
    void queryClient.invalidateQueries({ queryKey: keys.outcome(outcomeId) });
  };
  const { base, saving, save } = useVersionedEdit<OutcomeTaskDetail, TaskPatch>(task, {
    send: (patch, version) =>
      api(routes.outcomeTasks.update, { params: { outcomeId, taskId: task.id }, body: { ...patch, version } }),
    keep,
    onSaved: (saved) => {
      showDone(`Saved #${saved.number}`);
      onClose();
    },
    fill: (current) => form.setValues(draftOf(current, engine)),
  });
  const submit = (draft: TaskDraft) => {
    const patch = patchOf(draft, base);
    if (Object.keys(patch).length === 0) onClose();
    else save(patch);
  };
  return (
    <FormModal
      title={`Edit ${nameTask(base)}`}
      size="lg"
      onClose={onClose}
      onSubmit={form.onSubmit(submit)}
      action="Save"
      isBusy={saving.isSaving}
      stale={<StaleChoice saving={saving} compare={staleFieldsOf} />}
    >
      {base.run_id === null || base.status === "failed" ? null : (
        <Alert color="blue" p="xs">
          A worker has this task. It hears of new words with its next iteration; with other checks the task begins anew.
        </Alert>
      )}
      <TaskFields form={form} />
      <TaskChecks form={form} />
    </FormModal>
  );
}
