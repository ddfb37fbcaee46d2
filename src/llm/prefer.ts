// The models a run asks for itself come before those of the settings; those remain what is asked when they fail.

import type { NonEmpty } from "../domain/run/run.ts";
import type { ModelRef, ModelRole, Models } from "./model.ts";
import { parseModelId } from "./model-id.ts";

export function prefer(models: Models, wanted: Readonly<Partial<Record<string, string>>> | null): Models {
  return wanted === null ? models : { ...models, chainOf: (role) => chainWith(models.chainOf(role), role, wanted) };
}

/** Unknown model names are ignored: names are checked when a run is created. */
function chainWith(
  chain: NonEmpty<ModelRef>,
  role: ModelRole,
  wanted: Readonly<Partial<Record<string, string>>>,
): NonEmpty<ModelRef> {
  const id = wanted[role];
  const model = id === undefined ? null : parseModelId(id);
  return model === null ? chain : [model, ...chain.filter((each) => each.id !== model.id)];
}
