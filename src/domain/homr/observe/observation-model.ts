// Which model observes: the seed's sizes are roles of an installation, anything else is a model by its name.

import type { HomrConfig } from "../homr-config.ts";

export type ObservationModel =
  | { readonly kind: "role"; readonly role: "observer" | "planner" }
  | { readonly kind: "named"; readonly name: string };

/** Names that stand for a role of the installation. */
export const observationRoles: readonly string[] = ["haiku", "sonnet"];

export function chooseObservationModel({ observationModel }: Pick<HomrConfig, "observationModel">): ObservationModel {
  if (observationModel === "haiku") return { kind: "role", role: "observer" };
  return observationModel === "sonnet" ? { kind: "role", role: "planner" } : { kind: "named", name: observationModel };
}
