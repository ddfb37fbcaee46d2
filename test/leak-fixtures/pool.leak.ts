// Leaves a pool with an idle connection open.

import pg from "pg";
import { test } from "vitest";

test("asks the database something", async () => {
  const pool = new pg.Pool({ connectionString: process.env.LEAK_DATABASE_URL });
  await pool.query("select 1");
});
