// Which models do the work here, as the server shows it: names and where they come from, never a key.

import type { RunModels } from "../../domain/run/run-models.ts";

export type ShownModels = {
  /** Rules play the model; it is no AI. */
  readonly isDemo: boolean;
  /** In a sentence: where they come from, or how to get real ones. */
  readonly about: string;
  readonly roles: readonly ShownRole[];
  /** Names to offer for a run. */
  readonly choices: readonly string[];
};

export type ShownRole = {
  readonly role: string;
  readonly model: string;
  /** Asked in this order when it fails. */
  readonly fallbacks: readonly string[];
};

export type ModelsPort = {
  readonly show: () => Promise<ShownModels>;
  /** Why one of these models cannot be asked here, and what to do; null: all of them can. */
  readonly findProblem: (names: readonly string[]) => Promise<string | null>;
  /** Models that a run with this choice may ask and whose price is not known: a limit of money cannot hold them. */
  readonly findUnpriced: (chosen: RunModels | null) => Promise<readonly string[]>;
};
