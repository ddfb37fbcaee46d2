// Where a tool may look and write: inside of the projects it was given, as the user's role there allows, and not in the bin.
// What lies elsewhere is answered word for word like what does not exist. Asked in the transaction of the work itself.

import type { Tx } from "../db/database.ts";
import type { Entity, Project } from "../domain/entity/entity.ts";
import type { EntityKind } from "../domain/entity/kinds.ts";
import { includesRole, type ProjectRole } from "../domain/identity/identity.ts";
import { pageTypes } from "../domain/workspace/pages.ts";
import { findEntity } from "../store/entity/entity-store.ts";
import { locateNode } from "../store/entity/node-store.ts";
import { findProject } from "../store/entity/project-store.ts";
import { refuse, type ToolContext, type ToolRefusal } from "./tool.ts";

export type Opened<T> = { readonly ok: true; readonly value: T } | ToolRefusal;

type Needs = Exclude<ProjectRole, "owner">;

export const isInScope = ({ projectIds }: ToolContext, projectId: string): boolean =>
  projectIds === null || projectIds.includes(projectId);

export const notFound = (what: string, id: string): ToolRefusal =>
  refuse("not_found", `There is no ${what} ${id} here. Take ids from lists or from search, never from memory.`);

/** Without an id: the one project there is to work in besides the workspace's. */
export async function openProject(
  tx: Tx,
  context: ToolContext,
  projectId: string | undefined,
  needs: Needs,
  otherwise: string | null = null,
): Promise<Opened<Project>> {
  const id = projectId ?? onlyProject(context) ?? otherwise;
  if (id === null)
    return refuse("invalid_arguments", "Say which project with project_id: list_projects shows those there are.");
  const project = isInScope(context, id) ? await findProject(tx, id) : null;
  if (project === null) return notFound("project", id);
  if (project.deletedAt !== null)
    return refuse("conflict", `The project ${id} lies in the bin. Only the user can restore it; use another project.`);
  if (!includesRole(project.role, needs))
    return refuse("denied", `The user may only look at project ${id}. Write somewhere else, or ask the user.`);
  return { ok: true, value: project };
}

function onlyProject({ projectIds, workspace }: ToolContext): string | null {
  if (projectIds === null) return null;
  const [first, ...more] = projectIds;
  if (first !== undefined && more.length === 0) return first;
  const [only, ...others] = projectIds.filter((id) => id !== workspace?.projectId);
  return only !== undefined && others.length === 0 ? only : null;
}

/** `thing`: whatever kind it is of. `isBinFine`: also what lies in the bin. */
export async function openEntity(
  tx: Tx,
  context: ToolContext,
  wanted: EntityKind | "thing",
  id: string,
  needs: Needs,
  isBinFine = false,
): Promise<Opened<Entity>> {
  const node = await locateNode(tx, id);
  if (node === null || !isInScope(context, node.projectId)) return notFound(wanted, id);
  const { kind, projectId } = node;
  if (wanted !== "thing" && wanted !== kind)
    return refuse("not_found", `${id} is a ${kind}, not a ${wanted}: use the tools for that.`);
  const project = await openProject(tx, context, projectId, needs);
  if (!project.ok) return project;
  const entity = await findEntity(tx, kind, projectId, id);
  if (entity === null) return notFound(kind, id);
  if (entity.deletedAt !== null && !isBinFine)
    return refuse("conflict", `The ${kind} ${id} lies in the bin. restore_${kind} takes it out.`);
  return { ok: true, value: entity };
}

/** Pages that the platform keeps for a run; runs themselves leave them alone. */
const platformTypes: readonly string[] = [pageTypes.root, pageTypes.scratchpad, pageTypes.plan];

/** For what will be changed or put into the bin. */
export async function openForChange(
  tx: Tx,
  context: ToolContext,
  kind: EntityKind,
  id: string,
): Promise<Opened<Entity>> {
  const opened = await openEntity(tx, context, kind, id, "editor");
  if (!opened.ok || context.runId === null || !platformTypes.includes(opened.value.typeKey)) return opened;
  return refuse("denied", `The document ${id} is kept by the platform. Use write_note for notes of your own.`);
}
