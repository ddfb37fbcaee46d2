// Going on with a stopped run: says what was used up, and suggests how much more it may use.

import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { iterationsDone } from "../../../../../src/protocol/run-view.ts";
import { stopWords } from "../../../../../src/protocol/words/stop.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useRun } from "../run-context.tsx";
import { BudgetFields } from "./budget-fields.tsx";
import { type BudgetForm, budgetUses, changedBudgets, suggestBudgets } from "./budget-form.ts";
import { useResume } from "./use-simple-commands.ts";

export function ResumeModal({ onClose }: { readonly onClose: () => void }) {
  const { run, view } = useRun();
  const done = iterationsDone(view);
  const [form, setForm] = useState<BudgetForm>(() => suggestBudgets(run, done));
  const resume = useResume({ onDone: onClose });
  const away = useAway();
  const reason = run.stop_reason?.type;
  return (
    <Dialog onClose={onClose} title="Resume this run">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (away === null) resume.mutate(changedBudgets(run.budgets, form));
        }}
      >
        <Stack>
          <Text size="sm">
            {reason ? `It stopped because ${stopWords[reason]}. ` : ""}It goes on where it was, with the budgets below.
            Where one was used up, there is a suggestion with room for about ten more iterations like the ones before.
          </Text>
          <BudgetFields form={form} onChange={setForm} uses={budgetUses(run, done)} />
          <Group justify="flex-end">
            <ControlButton variant="default" says="Leaves it stopped" offBecause={null} onClick={onClose}>
              Leave it stopped
            </ControlButton>
            <ControlButton type="submit" says="Goes on with these budgets" offBecause={away} loading={resume.isPending}>
              Resume
            </ControlButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
