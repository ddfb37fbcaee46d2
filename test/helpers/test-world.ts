// A project with one thing of every kind, and another project that belongs to somebody else. Written straight into the
// tables, so that a test which needs hundreds of them stays quick.

import type pg from "pg";
import { type EntityKind, entityKinds, kindSpecs } from "../../src/domain/entity/kinds.ts";
import type { ProjectRole } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";

export type World = {
  readonly projectId: string;
  readonly things: Readonly<Record<EntityKind, string>>;
  /** From the task to the document. */
  readonly edgeId: string;
};

export type Members = Readonly<Record<string, ProjectRole>>;

/** `members` by their user ids. */
export async function makeWorld(admin: pg.Pool, members: Members): Promise<World> {
  const projectId = realEnv.newId();
  const edgeId = realEnv.newId();
  const things = Object.fromEntries(entityKinds.map((kind) => [kind, realEnv.newId()])) as World["things"];
  const inserts = [
    "set search_path = homework",
    `insert into onto_projects (id, name) values ('${projectId}', 'Garden')`,
    ...Object.entries(members).map(
      ([id, role]) =>
        `insert into onto_project_members (project_id, user_id, role) values ('${projectId}', '${id}', '${role}')`,
    ),
    ...entityKinds.map(
      (kind) =>
        `insert into ${kindSpecs[kind].table} (id, project_id, title) values ('${things[kind]}', '${projectId}', 'A ${kind}')`,
    ),
    `insert into onto_edges (id, rel, src_kind, src_id, src_project_id, dst_kind, dst_id, dst_project_id)
     values ('${edgeId}', 'uses', 'task', '${things.task}', '${projectId}', 'document', '${things.document}', '${projectId}')`,
    "reset search_path",
  ];
  await admin.query(inserts.join(";\n"));
  return { projectId, things, edgeId };
}
