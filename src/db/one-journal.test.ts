// Migration 0019 on a database of before: entries and ledger of runs and chats are there afterwards, under their new names.

import { expect, test } from "vitest";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import { knownMigrations } from "./migrate.ts";
import { ensureRoles } from "./roles.ts";

const { adminUrl } = await testDb();
const user = "00000000-0000-4000-8000-000000000001";
const run = "00000000-0000-4000-8000-000000000002";
const chat = "00000000-0000-4000-8000-000000000003";

const before = `insert into auth_users (id, name, email) values ('${user}', 'Ann', 'ann@example.com');
  insert into homework_runs (id, user_id, iteration, has_slot, status, streaks, objective, engine, scope, context_type, write_mode, budgets)
    values ('${run}', '${user}', 1, true, 'queued', '{}', 'x', 'planner', 'global', 'global', 'autopilot', '{}');
  insert into homework_run_steps (run_id, iteration, key, kind, state, fence, ended_at) values ('${run}', 1, 'a', 'tool', 'done', 1, now());
  insert into chat_sessions (id, user_id, title, context_type, last_message) values ('${chat}', '${user}', 'x', 'global', 2);
  insert into chat_messages (session_id, seq, role, text, state) values ('${chat}', 1, 'user', 'x', 'complete'), ('${chat}', 2, 'assistant', '', 'streaming');
  insert into llm_usage_logs (call_id, user_id, chat_session_id, step_key, role, model, state, reserved_micro_usd, cost_micro_usd, priced_by, settled_at)
    values (gen_random_uuid(), '${user}', '${chat}', 'message:2', 'chat', 'm', 'settled', 7, 5, 'table', now());`;

test("entries of a run and calls of a conversation are those of before", async () => {
  await onServer(adminUrl, async (client) => {
    await client.query("drop schema homework cascade; drop schema if exists homework_queue cascade");
    await ensureRoles(client);
    await client.query(
      "set search_path = homework; set role homework_owner; create table schema_migrations (version int)",
    );
    const apply = (sql: string) => client.query(`begin; ${sql}; commit`);
    const known = knownMigrations();
    for (const { sql } of known.slice(0, 18)) await apply(sql);
    await client.query(`reset role; ${before}; set role homework_owner`);
    await apply(known[18]?.sql ?? "");
    await client.query("reset role");
    const rowsOf = async (sql: string) => (await client.query(sql)).rows;
    expect(await rowsOf("select run_id, iteration, key, chat_session_id, handle from journal_entries")).toEqual([
      { run_id: run, iteration: 1, key: "a", chat_session_id: null, handle: null },
    ]);
    expect(await rowsOf("select message_seq, cost_micro_usd::int as cost from llm_usage_logs")).toEqual([
      { message_seq: 2, cost: 5 },
    ]);
    // The ledger is guarded again, and an entry has one owner.
    await expect(client.query("update llm_usage_logs set cost_micro_usd = 0")).rejects.toMatchObject({ code: "HW013" });
    await expect(
      client.query(`update journal_entries set chat_session_id = '${chat}', message_seq = 2`),
    ).rejects.toMatchObject({ constraint: "entry_has_one_owner" });
    await client.query(`delete from auth_users where id = '${user}'`);
    expect(await rowsOf("select key from journal_entries")).toEqual([]);
  });
});
