// biome-ignore-all lint/performance/noBarrelFile: the one door for pages, which may import protocol only
// The fixed words of the contract that pages and the CLI need: kinds, states, roles, scopes and limits.

import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";

export { isFilingField, nameField } from "../domain/change-set/fields.ts";
export type { ChannelEvent } from "../domain/channel/channel.ts";
export { channelEvents, channelNameMax, channelUrlMax, usualEvents } from "../domain/channel/channel.ts";
export { chatLimits } from "../domain/chat/chat.ts";
export { foreignProps } from "../domain/entity/keep-mark.ts";
export type { EntityKind, EntitySort } from "../domain/entity/kinds.ts";
export { documentTreeRel, entityKinds, kindSpecs, projectStates, sortsOfKind } from "../domain/entity/kinds.ts";
export { limits } from "../domain/entity/limits.ts";
export { offeredFrom } from "../domain/homr/context/memory.ts";
export { nameAnswer, ownWords } from "../domain/homr/questions/escalation.ts";
export { taskLimits } from "../domain/homr/tasks/task-limits.ts";
export type { AuditPart } from "../domain/identity/audit.ts";
export { auditParts } from "../domain/identity/audit.ts";
export type { InstanceRole, ProjectRole, Scope } from "../domain/identity/identity.ts";
export { includesRole, instanceRoles, projectRoles, scopes } from "../domain/identity/identity.ts";
export { foreignTextLimits } from "../domain/policy/foreign-text-limits.ts";
export { defaultBudget } from "../domain/run/budget/budget.ts";
export { runLimits, runPages } from "../domain/run/limits.ts";
export { describeHold } from "../domain/run/provider/describe-hold.ts";

/** The kind a word in a URL stands for: `tasks` is `task`. */
export function kindOfPlural(plural: string): EntityKind | undefined {
  return entityKinds.find((kind) => kindSpecs[kind].plural === plural);
}
