// Writing a new version of the approach.

import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Outcome, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { useVersionedEdit } from "../../../lib/use-versioned-save.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { StaleChoice } from "../../../ui/stale-choice.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { useKeepOutcome } from "../use-keep-outcome.ts";

const approachMax = 100_000;

type ApproachModalProps = {
  readonly onClose: () => void;
  /** Instead of the approach as it is. */
  readonly begunWith?: string;
};

export function ApproachModal({ onClose, begunWith }: ApproachModalProps) {
  const outcome = useOutcome();
  const keep = useKeepOutcome();
  const [text, setText] = useState(begunWith ?? outcome.approach?.text ?? "");
  const { base, saving, save } = useVersionedEdit<Outcome, string>(outcome, {
    send: (approach, version) =>
      api(routes.outcomes.update, { params: { outcomeId: outcome.id }, body: { version, approach } }),
    keep,
    onSaved: onClose,
    fill: (current) => setText(current.approach?.text ?? ""),
  });
  const isSame = text.trim() === "" || text === (base.approach?.text ?? "");
  return (
    <FormModal
      title="Edit approach"
      size="xl"
      onClose={onClose}
      onSubmit={() => {
        if (isSame) onClose();
        else save(text);
      }}
      action="Save version"
      isBusy={saving.isSaving}
      stale={
        <StaleChoice
          saving={saving}
          compare={(mine, theirs) => [{ label: "Approach", mine, theirs: theirs.approach?.text ?? "" }]}
        />
      }
    >
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
    </FormModal>
  );
}
