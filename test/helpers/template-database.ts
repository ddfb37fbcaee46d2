// Brings the template database to today's schema, by the same code that upgrades a user's database.

import pg from "pg";
import { migrate } from "../../src/db/migrate.ts";

export async function migrateTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await migrate(admin);
  } finally {
    await admin.end(); // a database somebody is connected to cannot be copied
  }
}
