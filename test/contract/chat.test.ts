// Conversations over HTTP: whose they are, what is refused, what a crash leaves behind, follow-ups of runs, the demo model.

import { expect, test } from "vitest";
import type { ChatId } from "../../src/domain/chat/chat.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { tidyUp } from "../../src/loop/housekeeping.ts";
import { realEnv } from "../../src/main/env.ts";
import { startCarryingOn } from "../../src/server/carry-on-answers.ts";
import { chatJournalStore } from "../../src/store/journal/chat-journal-store.ts";
import { insertChat, insertOpenAnswer, insertReservedCall } from "../helpers/chat-rows.ts";
import { chatWorld } from "../helpers/chat-world.ts";
import { insertRun } from "../helpers/run-rows.ts";

const world = await chatWorld({ model: "demo/rules" });
const ann = await world.signUp("ann");
const eve = await world.signUp("eve");
const talk = world.talkAs(ann);
const chats = "/api/chat/sessions";

const call = (method: string, url: string, body?: unknown, by = ann) =>
  world.call(method, url, by.session, body === undefined ? {} : { body });

test("the demo model says in every answer that it is one", async () => {
  const chat = await talk.begin();
  await talk.ask(chat.id, "How are you?");
  const answer = await talk.last(chat.id);
  expect(answer).toMatchObject({ model: "demo/rules", is_demo: true, state: "complete" });
  expect(answer.text).toContain("demo model: rules, no AI");
  expect(answer.metrics).toEqual({ cost_total_micro_usd: 0, unpriced_calls: 0, tokens_total: 0 });
});

test("the demo model finds projects, and shows no fences", async () => {
  await world.makeProject(ann, "Winter garden");
  const chat = await talk.begin();
  await talk.ask(chat.id, "Which projects do I have?");
  const answer = await talk.last(chat.id);
  expect(answer.text).toContain("Winter garden");
  expect(answer.text).not.toContain("<<<");
});

const bodies: readonly (readonly [string, unknown, number])[] = [
  ["nothing", {}, 400],
  ["an empty text", { text: "" }, 400],
  ["blanks", { text: " \n\t" }, 400],
  ["100 kB", { text: "x".repeat(100_000) }, 400],
  ["NUL", { text: "a\u0000b" }, 400],
  ["a field too many", { text: "x", model: "mine" }, 400],
];
test.for(bodies)("a message of %s is refused, and leaves nothing", async ([, body, status]) => {
  const chat = await talk.begin();
  expect((await call("POST", `${chats}/${chat.id}/messages`, body)).status).toBe(status);
  expect(await talk.messages(chat.id)).toEqual([]);
});

const ofOne: readonly (readonly [string, string, unknown])[] = [
  ["GET", "", undefined],
  ["PATCH", "", { title: "Mine now" }],
  ["DELETE", "", undefined],
  ["POST", "/messages", { text: "Hello" }],
  ["POST", "/messages/2/confirm", { decisions: [{ call_id: "call_2_1", decision: "approve" }] }],
  ["POST", "/stop", {}],
  ["GET", "/stream", undefined],
];
test.for(ofOne)(
  "%s %s of somebody else's conversation is 404, and so is one that never was",
  async ([method, path, body]) => {
    const theirs = await insertChat(world.admin, ann.id);
    const answers = await Promise.all(
      [theirs, realEnv.newId()].map((id) => call(method, `${chats}/${id}${path}`, body, eve)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  },
);

test("the database itself shows and takes nothing of others", async () => {
  const theirs = await insertChat(world.admin, ann.id);
  for (const table of ["chat_sessions", "chat_messages", "chat_calls", "chat_events"]) {
    const { rows } = await world.as(eve, (tx) =>
      tx
        .selectFrom(table as "chat_messages")
        .selectAll()
        .execute()
        .then((rows) => ({ rows })),
    );
    expect([table, rows]).toEqual([table, []]);
  }
  const intruding = world.as(eve, (tx) =>
    tx
      .insertInto("chat_messages")
      .values({ session_id: theirs, seq: 3, role: "user", text: "Obey", state: "complete" })
      .execute(),
  );
  await expect(intruding).rejects.toMatchObject({ code: "42501" });
});

test("a decision about a call or a message that is not there is 404", async () => {
  const id = await insertChat(world.admin, ann.id);
  const decide = (seq: number, call_id: string) =>
    call("POST", `${chats}/${id}/messages/${seq}/confirm`, { decisions: [{ call_id, decision: "approve" }] });
  expect([(await decide(2, "call_2_9")).status, (await decide(7, "call_2_1")).status]).toEqual([404, 404]);
  expect((await decide(1, "call_2_1")).status).toBe(409);
});

test("stopping what waits turns it down; stopping nothing is no mistake", async () => {
  const id = await insertChat(world.admin, ann.id);
  expect((await call("POST", `${chats}/${id}/stop`, {})).body).toEqual({ stopped_seq: 2 });
  expect((await call("POST", `${chats}/${id}/stop`, {})).body).toEqual({ stopped_seq: null });
  const [, answer] = await talk.messages(id);
  expect(answer).toMatchObject({ state: "stopped", calls: [{ state: "rejected" }, { state: "rejected" }] });
});

test("a deleted conversation is gone, and its list says so", async () => {
  const chat = await talk.begin();
  expect((await call("DELETE", `${chats}/${chat.id}`)).status).toBe(200);
  expect((await call("GET", `${chats}/${chat.id}`)).status).toBe(404);
  const { body } = await call("GET", chats);
  expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(chat.id);
});

test("the same Idempotency-Key says it once", async () => {
  const chat = await talk.begin();
  const headers = { "idempotency-key": "once-only" };
  const send = () => world.call("POST", `${chats}/${chat.id}/messages`, ann.session, { body: { text: "Hi" }, headers });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  await expect
    .poll(async () => (await talk.messages(chat.id)).map(({ state }) => state))
    .toEqual(["complete", "complete"]);
});

test("messages come in pages, newest first", async () => {
  const chat = await talk.begin();
  for (const text of ["One", "Two", "Three"]) await talk.ask(chat.id, text);
  const seqs: number[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await call("GET", `${chats}/${chat.id}?limit=2${cursor === "" ? "" : `&messages_cursor=${cursor}`}`);
    seqs.push(...page.body.messages.items.map(({ seq }: { seq: number }) => seq));
    cursor = page.body.messages.next_cursor;
  }
  expect(seqs).toEqual([6, 5, 4, 3, 2, 1]);
});

const costOf = async (callId: string) =>
  (
    await world.admin.query(
      "select state, cost_micro_usd::int as cost from homework.llm_usage_logs where call_id = $1",
      [callId],
    )
  ).rows[0];

/** As the next process does it. */
const takeUp = (chatId: string) => world.app.chats.start({ chatId: chatId as ChatId, userId: ann.id as UserId });

test("after a crash the next process writes the answer, and what was reserved is paid", async () => {
  const id = await insertOpenAnswer(world.admin, ann.id, 16);
  const reserved = await insertReservedCall(world.admin, id, ann.id);
  takeUp(id);
  await talk.until(id, 0);
  const answer = await talk.last(id);
  expect(answer).toMatchObject({ seq: 2, state: "complete", text: expect.stringContaining("demo model") });
  expect(answer.metrics.cost_total_micro_usd).toBe(700);
  expect(await costOf(reserved)).toEqual({ state: "unknown", cost: 700 });
});

test("a process that comes back late settles and writes nothing of what another has taken", async () => {
  const id = await insertOpenAnswer(world.admin, ann.id, 16);
  const callId = await insertReservedCall(world.admin, id, ann.id);
  takeUp(id);
  await talk.until(id, 0);
  const lease = { chatId: id as ChatId, userId: ann.id as UserId, seq: 2, fence: 1 };
  const call = { callId, key: "llm:0", role: "chat", model: "lab/model", reservedMicroUsd: 700 };
  const usage = { costMicroUsd: 1, inputTokens: 1, cachedTokens: 0, writtenTokens: 0, outputTokens: 1 };
  const settled = await chatJournalStore(world.db).settleCall(lease, call, { ...usage, pricedBy: "table" }, null);
  expect(settled).toBe("lost");
  expect(await costOf(callId)).toEqual({ state: "unknown", cost: 700 });
});

test("an answer that another process still writes is left alone", async () => {
  const id = await insertOpenAnswer(world.admin, ann.id, 10);
  takeUp(id);
  await expect.poll(() => world.app.chats.isWriting(id)).toBe(false);
  expect((await talk.last(id)).state).toBe("streaming");
});

test("an answer that its processes die on is given up in the end", async () => {
  const id = await insertOpenAnswer(world.admin, ann.id, 16);
  await world.admin.query("update homework.chat_messages set fence = 5 where session_id = $1 and seq = 2", [id]);
  takeUp(id);
  expect((await talk.until(id, 0)).at(-1)).toMatchObject({ type: "error", data: { message_seq: 2 } });
  expect(await talk.last(id)).toMatchObject({ state: "failed", error: expect.stringContaining("ended 5 times") });
});

test("after a crash the next message goes through at once, and nothing more is written of the old answer", async () => {
  const id = await insertOpenAnswer(world.admin, ann.id, 16);
  await talk.ask(id, "Still there?");
  expect((await talk.messages(id)).map(({ state }) => state)).toEqual(["complete", "stopped", "complete", "complete"]);
});

test("a server finds what another has left, and what was never begun", async () => {
  const left = await insertOpenAnswer(world.admin, ann.id, 16);
  const due = await insertOpenAnswer(world.admin, ann.id, 0, 0);
  const { db, app } = world;
  const carryingOn = startCarryingOn({ db, desk: app.chats, env: realEnv, logger: silentLogger });
  for (const id of [left, due]) await talk.until(id, 0);
  await carryingOn.close();
  for (const id of [left, due]) expect((await talk.last(id)).state).toBe("complete");
});

test("calls that nobody settles are paid for at their reservation", async () => {
  const id = await insertChat(world.admin, ann.id);
  const [old, young] = [
    await insertReservedCall(world.admin, id, ann.id, 16),
    await insertReservedCall(world.admin, id, ann.id, 14),
  ];
  await world.db.asSystem((tx) => tidyUp(tx, 30));
  expect(await costOf(old)).toEqual({ state: "unknown", cost: 700 });
  expect((await costOf(young)).state).toBe("reserved");
});

test("a follow-up knows the run", async () => {
  const runId = await insertRun(world.admin, ann.id, "stopped");
  const { status, body } = await call("POST", `/api/homework/runs/${runId}/follow-up`, { text: "What came of it?" });
  expect([status, body.url, body.answer_seq]).toEqual([201, `/chat/${body.chat_id}`, 2]);
  await talk.until(body.chat_id, body.since_seq);
  expect(await talk.chat(body.chat_id)).toMatchObject({
    run_id: runId,
    title: "About: Write the report",
    context_type: "run",
  });
});

test("a follow-up without a word begins empty", async () => {
  const runId = await insertRun(world.admin, ann.id, "stopped");
  const { body } = await call("POST", `/api/homework/runs/${runId}/follow-up`, {});
  expect([body.message_seq, await talk.messages(body.chat_id)]).toEqual([null, []]);
});

test("somebody else's run has no follow-up", async () => {
  const runId = await insertRun(world.admin, ann.id, "stopped");
  expect((await call("POST", `/api/homework/runs/${runId}/follow-up`, {}, eve)).status).toBe(404);
});

test("more than four answers at once have to wait", async () => {
  const bob = await world.signUp("bob");
  for (const silentFor of [1, 1, 1, 1, 16]) await insertOpenAnswer(world.admin, bob.id, silentFor);
  const theirs = world.talkAs(bob);
  const chat = await theirs.begin();
  await expect(theirs.send(chat.id, "One more")).rejects.toMatchObject({ status: 429 });
});

test("answers of a server that died are not counted among them", async () => {
  const cid = await world.signUp("cid");
  for (const silentFor of [1, 1, 1, 16]) await insertOpenAnswer(world.admin, cid.id, silentFor);
  const theirs = world.talkAs(cid);
  await theirs.ask((await theirs.begin()).id, "One more");
});
