// Editing what the outcome is for. Someone who saved meanwhile is not overwritten without being asked.

import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type Outcome, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { useVersionedSave } from "../../../lib/use-versioned-save.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
import { StaleChoice } from "../../../ui/stale-choice.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { useKeepOutcome } from "../use-keep-outcome.ts";
import { draftOfIntent, type IntentDraft, toIntent } from "./intent-draft.ts";
import { IntentFields } from "./intent-fields.tsx";

export function IntentModal({ onClose }: { readonly onClose: () => void }) {
  const outcome = useOutcome();
  const keep = useKeepOutcome();
  // The version the form was filled from: that is what makes a stale write noticeable.
  const [base, setBase] = useState(outcome);
  const [draft, setDraft] = useState(() => draftOfIntent(outcome.intent));
  const saving = useVersionedSave<Outcome, IntentDraft>({
    send: (changed, version) =>
      api(routes.outcomes.update, { params: { outcomeId: outcome.id }, body: { version, intent: toIntent(changed) } }),
    onSaved: (saved) => {
      keep(saved);
      onClose();
    },
    onTakeTheirs: (current) => {
      keep(current);
      setBase(current);
      setDraft(draftOfIntent(current.intent));
    },
  });
  return (
    <Dialog onClose={onClose} title="Edit intent" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.save(draft, base.version);
        }}
      >
        <Stack>
          {outcome.status === "active" ? (
            <Text size="sm" c="dimmed">
              Running tasks read the change from their next iteration. Reviews start over.
            </Text>
          ) : null}
          <IntentFields value={draft} onChange={setDraft} />
          <DialogButtons onCancel={onClose} action="Save intent" isBusy={saving.isSaving} />
        </Stack>
      </form>
      {saving.conflict ? (
        <StaleChoice
          fields={[
            {
              label: "Intent",
              mine: intentText(saving.conflict.patch),
              theirs: intentText(draftOfIntent(saving.conflict.current.intent)),
            },
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

const intentText = ({ summary, items, successCriteria }: IntentDraft): string =>
  [summary, ...items.map(({ title, criteria }) => `${title}\n${criteria}`), successCriteria]
    .filter((part) => part.trim() !== "")
    .join("\n\n");
