// Editing what the outcome is for. Someone who saved meanwhile is not overwritten without being asked.

import { Text } from "@mantine/core";
import { useState } from "react";
import { type Outcome, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { useVersionedEdit } from "../../../lib/use-versioned-save.ts";
import { FormModal } from "../../../ui/form-modal.tsx";
import { StaleChoice } from "../../../ui/stale-choice.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { useKeepOutcome } from "../use-keep-outcome.ts";
import { draftOfIntent, type IntentDraft, toIntent } from "./intent-draft.ts";
import { IntentFields } from "./intent-fields.tsx";

export function IntentModal({ onClose }: { readonly onClose: () => void }) {
  const outcome = useOutcome();
  const keep = useKeepOutcome();
  const [draft, setDraft] = useState(() => draftOfIntent(outcome.intent));
  const { saving, save } = useVersionedEdit<Outcome, IntentDraft>(outcome, {
    send: (changed, version) =>
      api(routes.outcomes.update, { params: { outcomeId: outcome.id }, body: { version, intent: toIntent(changed) } }),
    keep,
    onSaved: onClose,
    fill: (current) => setDraft(draftOfIntent(current.intent)),
  });
  return (
    <FormModal
      title="Edit intent"
      size="lg"
      onClose={onClose}
      onSubmit={() => save(draft)}
      action="Save intent"
      isBusy={saving.isSaving}
      stale={
        <StaleChoice
          saving={saving}
          compare={(mine, theirs) => [
            {
              label: "Intent",
              mine: intentText(mine),
              theirs: intentText(draftOfIntent(theirs.intent)),
            },
          ]}
        />
      }
    >
      {outcome.status === "active" ? (
        <Text size="sm" c="dimmed">
          Running tasks read the change from their next iteration. Reviews start over.
        </Text>
      ) : null}
      <IntentFields value={draft} onChange={setDraft} />
    </FormModal>
  );
}

const intentText = ({ summary, items, successCriteria }: IntentDraft): string =>
  [summary, ...items.map(({ title, criteria }) => `${title}\n${criteria}`), successCriteria]
    .filter((part) => part.trim() !== "")
    .join("\n\n");
