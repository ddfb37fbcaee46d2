// From what the domain holds to what the contract carries: names with underscores, nothing left out by accident.

import type {
  Change as DomainChange,
  Edge as DomainEdge,
  Entity as DomainEntity,
  Project as DomainProject,
  EntitySummary as DomainSummary,
  Page,
  Saved,
} from "../domain/entity/entity.ts";
import { AppError } from "../lib/app-error.ts";
import { unreachable } from "../lib/assert.ts";
import type { Change, Edge, Entity, EntitySummary, Member, Project } from "../protocol/api.ts";
import type { Member as DomainMember } from "../store/project-store.ts";

export const toWireProject = (project: DomainProject): Project => ({
  id: project.id,
  name: project.name,
  description: project.description,
  type_key: project.typeKey,
  state_key: project.stateKey as Project["state_key"],
  props: project.props,
  role: project.role,
  version: project.version,
  created_at: project.createdAt,
  updated_at: project.updatedAt,
  deleted_at: project.deletedAt,
});

export const toWireSummary = (entity: DomainSummary): EntitySummary => ({
  id: entity.id,
  kind: entity.kind,
  project_id: entity.projectId,
  title: entity.title,
  description: entity.description,
  type_key: entity.typeKey,
  state_key: entity.stateKey,
  props: entity.props,
  priority: entity.priority,
  due_at: entity.dueAt,
  parent_id: entity.parentId,
  version: entity.version,
  created_by: entity.createdBy,
  created_by_run: entity.createdByRun,
  updated_by_run: entity.updatedByRun,
  created_at: entity.createdAt,
  updated_at: entity.updatedAt,
  deleted_at: entity.deletedAt,
});

export const toWireEntity = (entity: DomainEntity): Entity => ({ ...toWireSummary(entity), content: entity.content });

export const toWireMember = (member: DomainMember): Member => ({
  user_id: member.userId,
  name: member.name,
  email: member.email,
  role: member.role,
  added_at: member.addedAt,
});

export const toWireEdge = (edge: DomainEdge): Edge => ({
  id: edge.id,
  rel: edge.rel,
  src_kind: edge.src.kind,
  src_id: edge.src.id,
  src_project_id: edge.src.projectId,
  src_title: edge.src.title,
  dst_kind: edge.dst.kind,
  dst_id: edge.dst.id,
  dst_project_id: edge.dst.projectId,
  dst_title: edge.dst.title,
  props: edge.props,
  created_at: edge.createdAt,
});

export const toWireChange = (change: DomainChange): Change => ({
  seq: change.seq,
  at: change.at,
  op: change.op,
  kind: change.kind,
  entity_id: change.entityId,
  title: change.title,
  version: change.version,
  actor_id: change.actorId,
  run_id: change.runId,
});

export const toWirePage = <From, To>({ items, nextCursor }: Page<From>, toWire: (item: From) => To) => ({
  items: items.map(toWire),
  next_cursor: nextCursor,
});

/** A write against a version: the new state, or the error that says why not. */
export function savedOrThrow<From, To>(saved: Saved<From>, what: string, toWire: (value: From) => To): To {
  switch (saved.outcome) {
    case "saved":
      return toWire(saved.value);
    case "stale":
      throw new AppError("stale_version", `Someone changed this ${what} since you read it`, {
        details: { current: toWire(saved.current) },
      });
    case "binned":
      throw new AppError("deleted", `This ${what} is in the bin; restore it first`);
    case "missing":
      throw missing(what);
    default:
      return unreachable(saved);
  }
}

export const missing = (what: string) => new AppError("not_found", `There is no such ${what}, or you may not see it`);

export function foundOrThrow<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw missing(what);
  return value;
}
