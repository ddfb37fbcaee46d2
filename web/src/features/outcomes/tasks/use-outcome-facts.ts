// What of the outcome decides whether its tasks may begin.

import { useQuery } from "@tanstack/react-query";
import { homrStatusQuery } from "../../../lib/data/homr.ts";
import { useOutcome } from "../outcome-context.tsx";
import type { OutcomeFacts } from "./wait-reasons.ts";

export function useOutcomeFacts(): OutcomeFacts {
  const outcome = useOutcome();
  const open = useQuery(homrStatusQuery(outcome.id)).data?.pending_escalations ?? [];
  const isWholePaused = open.some(({ is_whole_outcome: isWhole, pauses }) => isWhole && pauses);
  return { ...outcome, isWholePaused };
}
