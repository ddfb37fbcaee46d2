// The outcome that a page is about, for everything on it. The frame provides it and keeps it up to date.

import { createContext, useContext } from "react";
import type { Outcome } from "../../../../src/protocol/api.ts";

const OutcomeContext = createContext<Outcome | null>(null);

export const OutcomeProvider = OutcomeContext.Provider;

export function useOutcome(): Outcome {
  const outcome = useContext(OutcomeContext);
  if (outcome === null) throw new Error("useOutcome belongs below OutcomeProvider");
  return outcome;
}
