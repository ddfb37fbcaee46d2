// The questions of HOMЯ that wait for the reader, oldest first, above everything else. One that the address names is brought into sight,
// also if it has ended meanwhile: then it says how.

import { Alert } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { escalationQuery, homrStatusQuery } from "../../../lib/data/homr.ts";
import { useOutcome } from "../outcome-context.tsx";
import { endWords } from "./escalation-answer.ts";
import { EscalationCard } from "./escalation-card.tsx";

export function EscalationAlerts() {
  const { id } = useOutcome();
  const { escalation: named } = useSearch({ from: "/in/outcomes/$outcomeId" });
  const open = useQuery(homrStatusQuery(id)).data?.pending_escalations;
  if (open === undefined) return null;
  const oldestFirst = open.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
  const isNamedOpen = open.some((each) => each.id === named);
  return (
    <>
      {oldestFirst.map((escalation) => (
        <EscalationCard key={escalation.id} escalation={escalation} isNamed={escalation.id === named} />
      ))}
      {named === undefined || isNamedOpen ? null : <EndedQuestion escalationId={named} />}
    </>
  );
}

function EndedQuestion({ escalationId }: { readonly escalationId: string }) {
  const { id } = useOutcome();
  const escalation = useQuery(escalationQuery(id, escalationId)).data;
  const how = escalation && endWords(escalation);
  if (!how) return null;
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} title={escalation.question.text} className="breakable">
      {how}
    </Alert>
  );
}
