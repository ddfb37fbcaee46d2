// Writing a new version of the approach.

import { Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Outcome, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { useVersionedSave } from "../../../lib/use-versioned-save.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
import { StaleChoice } from "../../../ui/stale-choice.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { useKeepOutcome } from "../use-keep-outcome.ts";

const approachMax = 100_000;

type ApproachModalProps = {
  readonly onClose: () => void /** Instead of the approach as it is. */;
  readonly begunWith?: string;
};

export function ApproachModal({ onClose, begunWith }: ApproachModalProps) {
  const outcome = useOutcome();
  const keep = useKeepOutcome();
  // The version the text was taken from: that is what makes a stale write noticeable.
  const [base, setBase] = useState(outcome);
  const [text, setText] = useState(begunWith ?? outcome.approach?.text ?? "");
  const saving = useVersionedSave<Outcome, string>({
    send: (approach, version) =>
      api(routes.outcomes.update, { params: { outcomeId: outcome.id }, body: { version, approach } }),
    onSaved: (saved) => {
      keep(saved);
      onClose();
    },
    onTakeTheirs: (current) => {
      keep(current);
      setBase(current);
      setText(current.approach?.text ?? "");
    },
  });
  const isSame = text.trim() === "" || text === (base.approach?.text ?? "");
  return (
    <Dialog onClose={onClose} title="Edit approach" size="xl">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSame) onClose();
          else saving.save(text, base.version);
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            Saving makes a new version. Running tasks read it from their next iteration.
          </Text>
          <Textarea
            aria-label="Approach"
            autosize
            minRows={12}
            maxRows={28}
            maxLength={approachMax}
            dir="auto"
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <DialogButtons onCancel={onClose} action="Save version" isBusy={saving.isSaving} />
        </Stack>
      </form>
      {saving.conflict ? (
        <StaleChoice
          fields={[
            { label: "Approach", mine: saving.conflict.patch, theirs: saving.conflict.current.approach?.text ?? "" },
          ]}
          saving={saving.isSaving}
          onKeepMine={saving.keepMine}
          onTakeTheirs={saving.takeTheirs}
          onClose={saving.dismiss}
        />
      ) : null}
    </Dialog>
  );
}
