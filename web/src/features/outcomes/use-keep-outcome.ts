// Shows an outcome as the server has just answered it, without waiting for the next reading.

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Outcome } from "../../../../src/protocol/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { outcomeQuery } from "../../lib/data/outcomes.ts";

export function useKeepOutcome(): (outcome: Outcome) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (outcome) => {
      queryClient.setQueryData(outcomeQuery(outcome.id).queryKey, outcome);
      void queryClient.invalidateQueries({ queryKey: keys.outcome(outcome.id) });
      void queryClient.invalidateQueries({ queryKey: keys.outcomes });
    },
    [queryClient],
  );
}
