// Edits a task against the version that was there when the form was opened. When someone else saved first, one chooses.

import { Alert, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type OutcomeTaskDetail, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { outcomeTaskQuery } from "../../../lib/data/outcomes.ts";
import { useVersionedSave } from "../../../lib/use-versioned-save.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
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
  // A change from elsewhere must not slip in below what is being typed.
  const [base, setBase] = useState(task);
  const form = useTaskForm(draftOf(task, engine));
  const keep = (current: OutcomeTaskDetail) => {
    queryClient.setQueryData(outcomeTaskQuery(outcomeId, task.id).queryKey, current);
    void queryClient.invalidateQueries({ queryKey: keys.outcome(outcomeId) });
  };
  const saving = useVersionedSave<OutcomeTaskDetail, TaskPatch>({
    send: (patch, version) =>
      api(routes.outcomeTasks.update, { params: { outcomeId, taskId: task.id }, body: { ...patch, version } }),
    onSaved: (saved) => {
      keep(saved);
      showDone(`Saved #${saved.number}`);
      onClose();
    },
    onTakeTheirs: (current) => {
      keep(current);
      setBase(current);
      form.setValues(draftOf(current, engine));
    },
  });
  const submit = (draft: TaskDraft) => {
    const patch = patchOf(draft, base);
    if (Object.keys(patch).length === 0) onClose();
    else saving.save(patch, base.version);
  };
  return (
    <>
      <Dialog title={`Edit ${nameTask(base)}`} size="lg" onClose={onClose}>
        <form onSubmit={form.onSubmit(submit)}>
          <Stack>
            {base.run_id === null || base.status === "failed" ? null : (
              <Alert color="blue" p="xs">
                A worker has this task. It hears of new words with its next iteration; with other checks the task begins
                anew.
              </Alert>
            )}
            <TaskFields form={form} />
            <TaskChecks form={form} />
            <DialogButtons onCancel={onClose} action="Save" isBusy={saving.isSaving} />
          </Stack>
        </form>
      </Dialog>
      {saving.conflict ? (
        <StaleChoice
          fields={staleFieldsOf(saving.conflict.patch, saving.conflict.current)}
          saving={saving.isSaving}
          onKeepMine={saving.keepMine}
          onTakeTheirs={saving.takeTheirs}
          onClose={saving.dismiss}
        />
      ) : null}
    </>
  );
}
