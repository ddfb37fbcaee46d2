// Dialogs that are opened from a card or from a task's own page, fetched when they are.

import { lazy, type ReactNode, Suspense, useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { askFirst } from "../../../ui/confirm.tsx";
import { nameTask } from "./task-words.ts";
import { useTaskActions } from "./use-task-actions.ts";

const SkipModal = lazy(async () => ({ default: (await import("./skip-modal.tsx")).SkipModal }));
const SplitModal = lazy(async () => ({ default: (await import("./split-modal.tsx")).SplitModal }));

export type TaskDialogs = {
  readonly skip: (task: OutcomeTask) => void;
  readonly split: (task: OutcomeTask) => void;
  /** Asks first where a run is under way. */
  readonly startOver: (task: OutcomeTask) => void;
};

export function useTaskDialogs(): readonly [TaskDialogs, ReactNode] {
  const [open, setOpen] = useState<{ readonly what: "skip" | "split"; readonly task: OutcomeTask } | null>(null);
  const { retry } = useTaskActions();
  const close = () => setOpen(null);
  const dialogs: TaskDialogs = {
    skip: (task) => setOpen({ what: "skip", task }),
    split: (task) => setOpen({ what: "split", task }),
    startOver: (task) => {
      if (task.status === "failed") retry.mutate(task);
      else
        askFirst({
          title: `Start ${nameTask(task)} over?`,
          text: "Its run is canceled and a new one begins. What the run wrote stays.",
          confirm: "Start over",
          onConfirm: () => retry.mutate(task),
        });
    },
  };
  const shown = (
    <Suspense fallback={null}>
      {open?.what === "skip" ? <SkipModal task={open.task} onClose={close} /> : null}
      {open?.what === "split" ? <SplitModal task={open.task} onClose={close} /> : null}
    </Suspense>
  );
  return [dialogs, shown];
}
