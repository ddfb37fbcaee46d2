// Conversations written straight into the tables, in whatever state a test needs, without a model having been there.

import type pg from "pg";
import { realEnv } from "../../src/main/env.ts";

/** What the user said is message 1; the answer, message 2, waits for a word about two calls: `call_2_1` and `call_2_2`. */
export async function insertChat(admin: pg.Pool, userId: string): Promise<string> {
  const id = realEnv.newId();
  await admin.query(
    `insert into homework.chat_sessions (id, user_id, title, context_type, last_message) values ($1, $2, 'Tiles', 'global', 2)`,
    [id, userId],
  );
  await admin.query(
    `insert into homework.chat_messages (session_id, seq, role, text, state)
     values ($1, 1, 'user', 'Buy tiles', 'complete'), ($1, 2, 'assistant', 'Sure', 'awaiting_confirmation')`,
    [id],
  );
  for (const position of [1, 2])
    await admin.query(
      `insert into homework.chat_calls (session_id, seq, position, call_id, tool, kind, args, effect, needs_word, state)
       values ($1, 2, $2, 'call_2_' || $2::int, 'create_task', 'write', '{"title": "Buy tiles"}', 'create task', true, 'pending')`,
      [id, position],
    );
  return id;
}

/** An answer whose process gave its last sign of life so many seconds ago; `fence` 0: no process has begun it. */
export async function insertOpenAnswer(admin: pg.Pool, userId: string, silentFor: number, fence = 1): Promise<string> {
  const id = realEnv.newId();
  await admin.query(
    `insert into homework.chat_sessions (id, user_id, title, context_type, last_message) values ($1, $2, 'Tiles', 'global', 2)`,
    [id, userId],
  );
  await admin.query(
    `insert into homework.chat_messages (session_id, seq, role, text, state, fence, seen_at)
     values ($1, 1, 'user', 'Which tiles?', 'complete', 0, now()),
            ($1, 2, 'assistant', 'The red', 'streaming', $3, now() - make_interval(secs => $2))`,
    [id, silentFor, fence],
  );
  return id;
}

/** A call of a model that was reserved for the answer and never settled. */
export async function insertReservedCall(
  admin: pg.Pool,
  chatId: string,
  userId: string,
  minutesAgo = 0,
): Promise<string> {
  const id = realEnv.newId();
  await admin.query(
    `insert into homework.llm_usage_logs (call_id, user_id, chat_session_id, message_seq, entry_key, role, model, state, reserved_micro_usd, created_at)
     values ($1, $2, $3, 2, 'llm:0', 'chat', 'lab/model', 'reserved', 700, now() - make_interval(mins => $4))`,
    [id, userId, chatId, minutesAgo],
  );
  return id;
}
