// The form of a task, new or there.

import { useForm } from "@mantine/form";
import { problemsOfTask, type TaskDraft } from "./task-draft.ts";

export const useTaskForm = (initialValues: TaskDraft) =>
  useForm<TaskDraft>({ initialValues, validate: problemsOfTask });

export type TaskForm = ReturnType<typeof useTaskForm>;
