// What asks models, and which of them one run asks where its user chose others than the installation's. Whether there is such a
// model, the provider says when it is asked.

/** The parts of a run that ask a model. */
export const runModelRoles = ["planner", "executor", "repair", "summary", "judge"] as const;
export type RunModelRole = (typeof runModelRoles)[number];

/** Everything that asks a model, in runs and outside of them. */
export const modelRoles = [...runModelRoles, "observer", "chat"] as const;
export type ModelRole = (typeof modelRoles)[number];

/** Providers whose models need nothing but a key. */
export const keyProviders = ["anthropic", "openai", "google", "openrouter"] as const;
export type KeyProvider = (typeof keyProviders)[number];

/** By role, as `provider/model`; a role that is not here has the installation's. */
export type RunModels = { readonly [Role in RunModelRole]?: string | undefined };

/** Role by role; null takes back every choice. */
export function changeModels(before: RunModels | null, change: RunModels | null | undefined): RunModels | null {
  if (change === undefined) return before;
  if (change === null) return null;
  const after = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, model]) => model !== undefined));
  return Object.keys(after).length === 0 ? null : after;
}
