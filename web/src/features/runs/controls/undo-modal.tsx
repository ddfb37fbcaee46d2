// Taking back what a run wrote: first says what it would come to, asks about what others have worked on since, then does it.

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Undone } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";
import { useAway } from "../../../lib/use-away.ts";
import { ControlButton } from "../../../ui/control-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { showDone } from "../../../ui/toast.ts";
import { noChoices, type UndoChoices, withSeen } from "./undo-choices.ts";
import { UndoConflicts } from "./undo-conflicts.tsx";
import { UndoThings } from "./undo-things.tsx";
import { useDryRun, useUndo } from "./use-undo.ts";

export function UndoModal({ onClose }: { readonly onClose: () => void }) {
  const [choices, setChoices] = useState<UndoChoices>(noChoices);
  const dryRun = useDryRun(choices);
  return (
    <Dialog onClose={onClose} title="Take back what this run wrote" size="lg">
      <QueryView query={dryRun}>
        {(outcome) => (
          <UndoOutcome
            outcome={outcome}
            isOld={dryRun.isPlaceholderData}
            choices={withSeen(choices, outcome.conflicts.items)}
            onChoose={setChoices}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  );
}

type UndoOutcomeProps = {
  readonly outcome: Undone;
  /** Of the choices before the last one. */
  readonly isOld: boolean;
  readonly choices: UndoChoices;
  readonly onChoose: (choices: UndoChoices) => void;
  readonly onClose: () => void;
};

function UndoOutcome({ outcome, isOld, choices, onChoose, onClose }: UndoOutcomeProps) {
  const away = useAway();
  const undo = useUndo((done) => {
    showDone(`${counted(done.removed.count + done.restored.count, "thing")} taken back`);
    onClose();
  });
  const things = outcome.removed.count + outcome.restored.count;
  if (things + choices.seen.length === 0) return <NothingToUndo onClose={onClose} />;
  return (
    <Stack>
      <Text size="sm">Nothing has been changed yet. This is what taking it back would come to:</Text>
      <UndoThings outcome={outcome} />
      <UndoConflicts choices={choices} onChoose={onChoose} />
      <Text size="sm">
        You can restore it from the run's result. What someone changes meanwhile then stays as it is.
      </Text>
      {outcome.ends_run ? (
        <Alert color={tone.plain} title="The run ends for good">
          To go on from one of its iterations later, fork it.
        </Alert>
      ) : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Leave everything
        </Button>
        <ControlButton
          color={tone.strong}
          says="Takes it back now"
          offBecause={away ?? whyNot(outcome, isOld)}
          loading={undo.isPending}
          onClick={() => undo.mutate(choices)}
        >
          Take back {counted(things, "thing")}
        </ControlButton>
      </Group>
    </Stack>
  );
}

function whyNot(outcome: Undone, isOld: boolean): string | null {
  if (isOld) return "Just a moment: what it comes to is being looked up";
  const open = outcome.conflicts.count;
  if (open > 0)
    return `First choose what becomes of ${open === 1 ? "the thing" : `the ${open} things`} others worked on`;
  return outcome.removed.count + outcome.restored.count === 0 ? "Nothing would be taken back" : null;
}

function NothingToUndo({ onClose }: { readonly onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm">There is nothing to take back: the run wrote nothing, or it is taken back already.</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
