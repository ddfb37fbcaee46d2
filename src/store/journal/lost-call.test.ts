import { expect, test } from "vitest";
import { insertOpenAnswer } from "../../../test/helpers/chat-rows.ts";
import { insertRun } from "../../../test/helpers/run-rows.ts";
import { runWorld } from "../../../test/helpers/run-world.ts";
import type { ChatId } from "../../domain/chat/chat.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { realEnv } from "../../main/env.ts";
import { takeRun } from "../../runs/take-run.ts";
import { takeAnswer } from "../chat/chat-answer-store.ts";
import { findChat } from "../chat/chat-store.ts";
import { chatJournalStore } from "./chat-journal-store.ts";
import { giveUpOldCalls, giveUpOldChatCalls } from "./lost-call-store.ts";

const world = await runWorld(1_000);
const { admin, db, store } = world;
const user = await world.makeUser();

/** A run that a worker has, with a call under way. */
async function asking(isUnpriced: boolean) {
  const run = await world.create(user);
  const job = { id: realEnv.newId(), attempt: 1, runId: run.id, iteration: 1 };
  const taken = await takeRun(store, job, "test", { maxConcurrentRuns: 1_000 });
  if (taken === null) throw new Error("the run cannot be taken");
  const reservedMicroUsd = isUnpriced ? 0 : 70;
  const call = { callId: realEnv.newId(), key: "plan", role: "planner", model: "m", reservedMicroUsd, isUnpriced };
  expect(await store.reserveCall(taken.lease, call)).toBe("kept");
  return { runId: run.id, lease: taken.lease, call };
}

async function ledger(where: "run_id" | "chat_session_id", id: string) {
  const { rows } = await admin.query(
    `select state, priced_by, cost_micro_usd::int as cost from homework.llm_usage_logs where ${where} = $1`,
    [id],
  );
  return rows[0];
}
const countIn = async (table: string, id: string) => {
  const [key] = table === "homework_runs" ? ["id"] : ["seq = 2 and session_id"];
  const { rows } = await admin.query(
    `select unpriced_calls as unpriced, cost_micro_usd::int as cost from homework.${table} where ${key} = $1`,
    [id],
  );
  return rows[0];
};

const unpriced = { state: "unknown", priced_by: "unpriced", cost: 0 };
const reserved = { state: "unknown", priced_by: "reservation", cost: 70 };

test.for([
  [true, unpriced, { unpriced: 1, cost: 0 }],
  [false, reserved, { unpriced: 0, cost: 70 }],
] as const)("a call whose answer is lost counts as unpriced: %s", async ([isUnpriced, row, sums]) => {
  const { runId, lease, call } = await asking(isUnpriced);
  await store.settleCall(lease, call, "unknown", null);
  expect([await ledger("run_id", runId), await countIn("homework_runs", runId)]).toEqual([row, sums]);
});

test.for([
  [true, unpriced, { unpriced: 1, cost: 0 }],
  [false, reserved, { unpriced: 0, cost: 70 }],
] as const)("a call of a worker that died counts as unpriced: %s", async ([isUnpriced, row, sums]) => {
  const { runId } = await asking(isUnpriced);
  await store.transaction((tx) => tx.giveUpCalls(runId));
  expect([await ledger("run_id", runId), await countIn("homework_runs", runId)]).toEqual([row, sums]);
});

test("an answer that came is priced by what it says", async () => {
  const { runId, lease, call } = await asking(true);
  const usage = {
    costMicroUsd: 12,
    inputTokens: 3,
    cachedTokens: 0,
    writtenTokens: 0,
    outputTokens: 4,
    pricedBy: "provider",
  } as const;
  await store.settleCall(lease, call, usage, null);
  expect(await ledger("run_id", runId)).toEqual({ state: "settled", priced_by: "provider", cost: 12 });
  expect(await countIn("homework_runs", runId)).toEqual({ unpriced: 0, cost: 12 });
});

test("calls that nobody came back for count as unpriced, each once", async () => {
  const runId = await insertRun(admin, user, "canceled");
  for (const isUnpriced of [true, true, false])
    await admin.query(
      `insert into homework.llm_usage_logs (call_id, run_id, user_id, role, model, state, reserved_micro_usd, is_unpriced, created_at)
       values ($1, $2, $3, 'planner', 'm', 'reserved', $4, $5, now() - interval '1 hour')`,
      [realEnv.newId(), runId, user, isUnpriced ? 0 : 70, isUnpriced],
    );
  expect(await db.asSystem((tx) => giveUpOldCalls(tx, 15))).toBe(3);
  expect(await countIn("homework_runs", runId)).toEqual({ unpriced: 2, cost: 70 });
});

const chats = chatJournalStore(db);

/** An answer that a process has, with a call under way. */
const inChat = async (silentFor: number) => {
  const chatId = (await insertOpenAnswer(admin, user, silentFor)) as ChatId;
  const lease = { chatId, userId: user as UserId, seq: 2, fence: 1 };
  const money = { reservedMicroUsd: 0, isUnpriced: true };
  const call = { callId: realEnv.newId(), key: "llm:0", role: "chat", model: "m", ...money };
  expect(await chats.reserveCall(lease, call)).toBe("kept");
  return { chatId, lease, call };
};

test("so do those of conversations: lost, left by a process that died, or left behind", async () => {
  const lost = await inChat(0);
  expect(await chats.settleCall(lost.lease, lost.call, "unknown", null)).toBe("kept");
  const left = await inChat(0);
  await admin.query("update homework.chat_messages set seen_at = '-infinity' where session_id = $1", [left.chatId]);
  const next = await db.asUser({ userId: user }, async (tx) => {
    const chat = await findChat(tx, left.chatId);
    return chat && takeAnswer(tx, chat);
  });
  expect(next).toEqual({ ...left.lease, fence: 2 });
  const stopped = await inChat(0);
  await admin.query("update homework.chat_messages set state = 'stopped' where session_id = $1 and seq = 2", [
    stopped.chatId,
  ]);
  await admin.query("update homework.llm_usage_logs set created_at = now() - interval '1 hour' where call_id = $1", [
    stopped.call.callId,
  ]);
  await db.asSystem((tx) => giveUpOldChatCalls(tx, 15));
  for (const { chatId } of [lost, left, stopped]) {
    expect(await ledger("chat_session_id", chatId)).toEqual(unpriced);
    expect(await countIn("chat_messages", chatId)).toEqual({ unpriced: 1, cost: 0 });
  }
});
