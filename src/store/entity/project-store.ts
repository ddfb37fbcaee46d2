// Projects and who belongs to them.

import { type InferResult, sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { raised, sqlState } from "../../db/errors.ts";
import type { Page, Project, Props, Saved } from "../../domain/entity/entity.ts";
import { type ProjectRole, projectRoles, type UserId } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { camelCased, objectColumn } from "../row.ts";

const role = z.enum(projectRoles);

const selectProjects = (tx: Tx) =>
  tx
    .selectFrom("onto_projects as p")
    .innerJoin("onto_project_members as m", (join) =>
      join.onRef("m.project_id", "=", "p.id").on("m.user_id", "=", sql<string>`app_user_id()`),
    )
    .select(["p.id", "p.name", "p.description", "p.type_key", "p.state_key", "p.props", "p.version", "m.role"])
    .select(["p.created_at", "p.updated_at", "p.deleted_at"]);

type Row = InferResult<ReturnType<typeof selectProjects>>[number];

const toProject = (row: Row): Project => ({
  ...camelCased(row),
  props: objectColumn.parse(row.props),
  role: role.parse(row.role),
});

export type ProjectFilter = PageQuery & {
  readonly state?: string | undefined;
  readonly deleted: boolean;
};

export async function listProjects(tx: Tx, filter: ProjectFilter): Promise<Page<Project>> {
  const after = decodeCursor("projects", "time", filter.cursor);
  let query = selectProjects(tx)
    .where("p.deleted_at", filter.deleted ? "is not" : "is", null)
    .where(isPast(after, "p.updated_at", "p.id"))
    .orderBy("p.updated_at", "desc")
    .orderBy("p.id", "desc")
    .limit(filter.limit + 1);
  if (filter.state) query = query.where("p.state_key", "=", filter.state);
  const projects = (await query.execute()).map(toProject);
  return toPage("projects", projects, filter.limit, ({ updatedAt, id }) => [updatedAt, id]);
}

export async function findProject(tx: Tx, projectId: string): Promise<Project | null> {
  const row = await selectProjects(tx).where("p.id", "=", projectId).executeTakeFirst();
  return row ? toProject(row) : null;
}

export type NewProject = {
  readonly name: string;
  readonly description: string;
  readonly type_key: string;
  readonly state_key: string;
  readonly props: Props;
};

/** The user who makes a project owns it. */
export async function createProject(tx: Tx, id: string, owner: UserId, project: NewProject): Promise<Project> {
  await tx
    .insertInto("onto_projects")
    .values({
      ...project,
      id,
      props: JSON.stringify(project.props),
      created_by: owner,
      created_by_run: sql`app_run_id()`,
    })
    .execute();
  await tx.insertInto("onto_project_members").values({ project_id: id, user_id: owner, role: "owner" }).execute();
  const created = await findProject(tx, id);
  if (!created) throw new Error("bug: a project its maker cannot see");
  return created;
}

export type ProjectChange = { readonly version: number } & {
  readonly [K in keyof NewProject]?: NewProject[K] | undefined;
};

export async function updateProject(tx: Tx, projectId: string, change: ProjectChange): Promise<Saved<Project>> {
  const { version, props, ...fields } = change;
  const { numUpdatedRows } = await tx
    .updateTable("onto_projects")
    .set({ ...fields, ...(props ? { props: JSON.stringify(props) } : {}), ...touched })
    .where("id", "=", projectId)
    .where("version", "=", version)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return toSaved(await findProject(tx, projectId), numUpdatedRows > 0n);
}

/** How a write against a version ended, from what is there after it. */
export function toSaved<Item extends Pick<Project, "deletedAt">>(current: Item | null, isSaved: boolean): Saved<Item> {
  if (!current) return { outcome: "missing" };
  if (isSaved) return { outcome: "saved", value: current };
  return current.deletedAt ? { outcome: "binned" } : { outcome: "stale", current };
}

/**
 * One up, and never a number that this row had before an undo took it back: a client that still holds that version holds
 * something else than what is there. `id` is the row's own, the history has no such column.
 */
export const nextVersion = sql<number>`greatest(version, (select max(c.version) from onto_changes c
  where c.entity_id = id and c.is_undone)) + 1`;

/** What every write of a row sets besides its fields. */
export const touched = {
  version: nextVersion,
  updated_at: sql<string>`now()`,
  updated_by_run: sql<string | null>`app_run_id()`,
};

/** Into the bin and out of it; doing it twice changes nothing. */
export async function setProjectBinned(tx: Tx, projectId: string, binned: boolean): Promise<Project | null> {
  await tx
    .updateTable("onto_projects")
    .set({ deleted_at: binned ? sql`now()` : null, ...touched })
    .where("id", "=", projectId)
    .where("deleted_at", binned ? "is" : "is not", null)
    .execute();
  return findProject(tx, projectId);
}

export type Member = {
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: ProjectRole;
  readonly addedAt: string;
};

export async function roleIn(tx: Tx, projectId: string): Promise<ProjectRole | null> {
  const row = await tx
    .selectFrom("onto_project_members")
    .select("role")
    .where("project_id", "=", projectId)
    .where("user_id", "=", sql<string>`app_user_id()`)
    .executeTakeFirst();
  return row ? role.parse(row.role) : null;
}

export async function listMembers(tx: Tx, projectId: string, userId?: string): Promise<readonly Member[]> {
  let query = tx
    .selectFrom("onto_project_members as m")
    .innerJoin("auth_users as u", "u.id", "m.user_id")
    .select(["m.user_id", "u.name", "u.email", "m.role", "m.added_at"])
    .where("m.project_id", "=", projectId)
    .orderBy("m.added_at")
    .orderBy("u.id");
  if (userId) query = query.where("m.user_id", "=", userId);
  return (await query.execute()).map((row) => ({
    ...camelCased(row),
    userId: row.user_id as UserId,
    role: role.parse(row.role),
  }));
}

/** Null where no account here has that address. */
export async function addMember(tx: Tx, projectId: string, email: string, as: ProjectRole): Promise<Member | null> {
  const found = await sql<{ id: string | null }>`select app_find_user(${projectId}::uuid, ${email}) as id`.execute(tx);
  const userId = found.rows[0]?.id;
  if (!userId) return null;
  const added = await tx
    .insertInto("onto_project_members")
    .values({ project_id: projectId, user_id: userId, role: as })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 0n)
    throw new AppError("already_exists", `${email} already belongs to this project`);
  return (await listMembers(tx, projectId, userId))[0] ?? null;
}

export async function changeMember(tx: Tx, projectId: string, userId: string, as: ProjectRole): Promise<Member | null> {
  await keepingAnOwner(() =>
    tx
      .updateTable("onto_project_members")
      .set({ role: as })
      .where("project_id", "=", projectId)
      .where("user_id", "=", userId)
      .execute(),
  );
  return (await listMembers(tx, projectId, userId))[0] ?? null;
}

export async function removeMember(tx: Tx, projectId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await keepingAnOwner(() =>
    tx
      .deleteFrom("onto_project_members")
      .where("project_id", "=", projectId)
      .where("user_id", "=", userId)
      .executeTakeFirst(),
  );
  return numDeletedRows > 0n;
}

async function keepingAnOwner<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (sqlState(thrown) !== raised.lastOwner) throw thrown;
    throw new AppError("last_owner", "A project keeps at least one owner: make someone else an owner first", {
      cause: thrown,
    });
  }
}
