// Users and projects straight in a test database, for tests of stores: no HTTP, no signing in.

import { afterAll } from "vitest";
import { type Database, openDatabase, type Tx } from "../../src/db/database.ts";
import type { EntityKind } from "../../src/domain/entity/kinds.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { createProject } from "../../src/store/entity/project-store.ts";
import { patientDatabase } from "./patience.ts";
import { type TestDb, testDb } from "./test-db.ts";

export type StoreWorld = TestDb & {
  readonly db: Database;
  readonly makeUser: (name?: string) => Promise<UserId>;
  /** Owned by the user. */
  readonly makeProject: (owner: UserId, name?: string) => Promise<string>;
  readonly makeEntity: (owner: UserId, projectId: string, kind: EntityKind, title?: string) => Promise<string>;
  readonly as: <T>(user: UserId, work: (tx: Tx) => Promise<T>) => Promise<T>;
};

export async function storeWorld(): Promise<StoreWorld> {
  const test = await testDb();
  const db = openDatabase({ url: test.appUrl, poolSize: 4, onConnectionLost: () => {}, ...patientDatabase });
  afterAll(() => db.close());
  const as: StoreWorld["as"] = (userId, work) => db.asUser({ userId }, work);
  return {
    ...test,
    db,
    as,
    makeUser: async (name = "Someone") => {
      const id = realEnv.newId() as UserId;
      await test.admin.query("insert into homework.auth_users (id, name, email) values ($1, $2, $3)", [
        id,
        name,
        `${id}@example.com`,
      ]);
      return id;
    },
    makeProject: async (owner, name = "Project") => {
      const id = realEnv.newId();
      const fields = { name, description: "", type_key: "project.default", state_key: "active", props: {} };
      await as(owner, (tx) => createProject(tx, id, owner, fields));
      return id;
    },
    makeEntity: async (owner, projectId, kind, title = "Thing") => {
      const id = realEnv.newId();
      await as(owner, (tx) => createEntity(tx, kind, { id, projectId, by: owner }, { title }));
      return id;
    },
  };
}
