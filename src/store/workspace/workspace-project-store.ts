// The project that a user's runs over everything keep their pages in: one per user, made when the first of them needs it.

import { sql } from "kysely";
import { asPlatform, type Tx } from "../../db/database.ts";
import { includesRole, type UserId } from "../../domain/identity/identity.ts";
import type { Run } from "../../domain/run/run.ts";
import { workspaceProjectType } from "../../domain/workspace/pages.ts";
import { createProject, roleIn } from "../entity/project-store.ts";

export type RunOfWorkspace = Pick<Run, "id" | "userId" | "objective" | "scope">;

/**
 * Where the run keeps its pages, and the run's row says so: a run over one project that its user may write to keeps them
 * there, every other one in its user's own project.
 */
export async function ensureWorkspaceProject(tx: Tx, run: RunOfWorkspace, newId: () => string): Promise<string> {
  const own = await ownWorkspaceProject(tx, run);
  if (own !== null) {
    await namePlace(tx, run.id, own);
    return own;
  }
  // Two runs of one user that begin at once make one project: the second looks when the first is done.
  await sql`select pg_advisory_xact_lock(hashtextextended('homework.workspace:' || ${run.userId}, 0))`.execute(tx);
  const known = await findWorkspaceProject(tx, run.userId);
  const projectId = known ?? newId();
  // The run may write there only once its row says so (`keep_to_scope`), also the project itself.
  await namePlace(tx, run.id, projectId);
  if (known === null) await createProject(tx, projectId, run.userId, workspaceProject);
  return projectId;
}

const workspaceProject = {
  name: "Homework workspace",
  description: "Where runs over everything keep their pages.",
  type_key: workspaceProjectType,
  state_key: "active",
  props: {},
};

/** Null: it keeps them in the project of its user. */
export async function ownWorkspaceProject(tx: Tx, { scope }: RunOfWorkspace): Promise<string | null> {
  if (scope.kind !== "project") return null;
  const role = await roleIn(tx, scope.projectId);
  return role !== null && includesRole(role, "editor") ? scope.projectId : null;
}

/** The oldest, should a person have made another of that type. Its row is locked until we are done, so that it stays. */
export async function findWorkspaceProject(tx: Tx, userId: UserId): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select p.id from onto_project_members m join onto_projects p on p.id = m.project_id
     where m.user_id = ${userId} and m.role = 'owner' and p.type_key = ${workspaceProjectType} and p.deleted_at is null
     order by p.created_at, p.id limit 1 for key share of p`.execute(tx);
  return rows[0]?.id ?? null;
}

const namePlace = (tx: Tx, runId: string, projectId: string) =>
  asPlatform(tx, (platform) =>
    sql`update homework_runs set workspace_project_id = ${projectId}
         where id = ${runId} and workspace_project_id is distinct from ${projectId}`.execute(platform),
  );
