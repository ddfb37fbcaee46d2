// Databases of released versions are taken over: afterwards they are what a new one is, with their rows.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { releasedDatabase } from "../../test/helpers/older-database.ts";
import { readCatalog } from "../../test/helpers/read-catalog.ts";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import { newestVersion } from "./migrate.ts";

const { adminUrl } = await testDb();
const files = readdirSync(new URL("../../test/released/", import.meta.url));
const databases = await Promise.all(
  files.map(async (file) => {
    const schema = Number(/\d+/.exec(file)?.[0]);
    return { schema, ...(await releasedDatabase(schema)) };
  }),
);

const userId = "00000000-0000-4000-8000-000000000001";
const runId = "00000000-0000-4000-8000-000000000002";
/** What every release had. */
const rows = `insert into homework.auth_users (id, name, email) values ('${userId}', 'Ann', 'ann@example.com');
  insert into homework.homework_runs (id, user_id, iteration, has_slot, status, streaks, objective, engine, scope, context_type, write_mode,
      budgets, report) values ('${runId}', '${userId}', 1, true, 'queued', '{}', 'Bees', 'planner', 'global', 'global', 'autopilot', '{}', '{}');
  insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at) values ('${runId}', 1, 1, 'running', now());
  insert into homework.journal_entries (run_id, iteration, key, kind, state, fence, ended_at)
    values ('${runId}', 1, 'a', 'tool', 'done', 1, now())`;

test.each(databases)("a database of schema $schema becomes what a new one is, and keeps its rows", async (database) => {
  const { schema, admin, upgrade } = database;
  await admin.query(rows);
  expect(await upgrade()).toEqual({ from: schema, to: newestVersion() });
  const fresh = await onServer(adminUrl, readCatalog);
  const upgraded = await readCatalog(admin);
  expect(upgraded.filter((line) => !fresh.includes(line))).toEqual([]);
  expect(fresh.filter((line) => !upgraded.includes(line))).toEqual([]);
  expect(fresh.length).toBeGreaterThan(1_000);
  const { rows: kept } = await admin.query(
    "select r.objective, r.report, e.key, w.words from homework.homework_runs r join homework.journal_entries e on e.run_id = r.id join homework.homework_run_words w on w.run_id = r.id",
  );
  expect(kept).toEqual([{ objective: "Bees", report: { check_changes: [] }, key: "a", words: "bees" }]);
  expect(await upgrade()).toEqual({ from: newestVersion(), to: newestVersion() });
});
