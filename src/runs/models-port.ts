// Which models do the work here, as the server shows it: names and where they come from, never a key.

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

export type ModelsPort = { readonly show: () => Promise<ShownModels> };
