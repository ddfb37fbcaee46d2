import { expect, test } from "vitest";
import { chatWorld, type Talk, textFrom } from "../../../test/helpers/chat-world.ts";
import type { DueAnswer } from "../../domain/chat/chat.ts";
import type { EntityKind } from "../../domain/entity/kinds.ts";
import { realEnv } from "../../main/env.ts";
import type { ChatMessage } from "../../protocol/api.ts";
import { listEntities } from "../../store/entity/entity-store.ts";

const world = await chatWorld();
const ann = await world.signUp("ann");
const talk = world.talkAs(ann);

const titles = async (projectId: string, kind: EntityKind = "task") =>
  (await world.as(ann, (tx) => listEntities(tx, kind, projectId, { limit: 50 } as never))).items.map(
    (one) => one.title,
  );

const ledgerOf = async (chatId: string) =>
  (
    await world.admin.query(
      `select state, run_id, user_id, entry_key, role, cost_micro_usd::int as cost, reserved_micro_usd::int as reserved,
              (input_tokens + output_tokens)::int as tokens, priced_by
         from homework.llm_usage_logs where chat_session_id = $1 order by created_at, call_id`,
      [chatId],
    )
  ).rows;

test("an answer comes in pieces, is stored whole, and is in the ledger to the micro-dollar", async () => {
  world.script(() => ({
    text: "Hello there, dear Ann. ".repeat(12),
    slowMs: 60,
    usage: { input: 1_000, output: 200 },
  }));
  const chat = await talk.begin();
  const before = world.lab.ledger.totals().costMicroUsd;
  const events = await talk.ask(chat.id, "Good morning");
  const answer = await talk.last(chat.id);
  expect(answer).toMatchObject({
    seq: 2,
    role: "assistant",
    state: "complete",
    text: "Hello there, dear Ann. ".repeat(12),
    model: "openrouter/anthropic/claude-sonnet-5.5",
    is_demo: false,
  });
  expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(1);
  expect(answer.text.startsWith(textFrom(events, 2))).toBe(true);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  const spent = world.lab.ledger.totals().costMicroUsd - before;
  expect(answer.metrics).toEqual({ cost_total_micro_usd: spent, unpriced_calls: 0, tokens_total: 1_200 });
  expect(await ledgerOf(chat.id)).toEqual([
    expect.objectContaining({
      state: "settled",
      run_id: null,
      user_id: ann.id,
      entry_key: "llm:0",
      role: "chat",
      cost: spent,
    }),
  ]);
  expect((await talk.chat(chat.id)).title).toBe("Good morning");
});

test("what was said before stands in the next prompt, the user's words unfenced", async () => {
  world.script((_, at) => ({ text: `answer ${at}` }));
  const chat = await talk.begin();
  await talk.ask(chat.id, "My first question");
  await talk.ask(chat.id, "My second question");
  const last = world.lab.requests.at(-1);
  expect(last?.messages).toEqual([
    { role: "user", text: "My first question", toolCalls: [] },
    { role: "assistant", text: "answer 0", toolCalls: [] },
    { role: "user", text: expect.stringMatching(/^\[It is \w+day, \d+ \w+ \d{4} at .*\(UTC\)\.\]$/), toolCalls: [] },
    { role: "user", text: "My second question", toolCalls: [] },
  ]);
  expect(last?.system).not.toContain("question");
});

test("reads are done at once and their results go back fenced", async () => {
  const project = await world.makeProject(ann, "Balcony");
  world.script((_, at) =>
    at === 0 ? { toolCalls: [{ name: "list_projects", args: {} }] } : { text: "You have a balcony." },
  );
  const chat = await talk.begin();
  const events = await talk.ask(chat.id, "Which projects?");
  expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
    "message",
    "message",
    "tool",
    "message",
    "done",
  ]);
  const reply = world.lab.requests.at(-1)?.messages.at(-1);
  expect(reply?.role).toBe("tool");
  expect(reply?.text).toMatch(/^<<<untrusted \w+ from "result of list_projects/);
  expect(reply?.text).toContain(project);
  const [, reading] = await talk.messages(chat.id);
  expect(reading).toMatchObject({
    state: "complete",
    calls: [{ tool: "list_projects", state: "done", needs_confirmation: false }],
  });
});

/** A conversation in which a call waits for a word. */
async function proposed(
  name: string,
  args: object,
  after = "Done.",
): Promise<{ chatId: string; message: ChatMessage }> {
  world.script((_, at) => (at === 0 ? { text: "I can do that.", toolCalls: [{ name, args }] } : { text: after }));
  const chat = await talk.begin();
  const events = await talk.ask(chat.id, "Please do it");
  expect(events.at(-1)?.type).toBe("confirm");
  return { chatId: chat.id, message: await talk.last(chat.id) };
}

test("a write is shown in the platform's words and nothing is written before a yes", async () => {
  const project = await world.makeProject(ann);
  const { message } = await proposed("create_task", { project_id: project, title: "Buy tiles", description: "red" });
  expect(message).toMatchObject({
    state: "awaiting_confirmation",
    calls: [{ tool: "create_task", state: "pending", needs_confirmation: true }],
  });
  expect(message.calls[0]?.effect.split("\n")[0]).toBe("create task “Buy tiles”");
  expect(message.calls[0]?.effect).toContain("description: “red”");
  expect(await titles(project)).toEqual([]);
});

test("after a yes exactly what was shown is written, by the user and no run, and the model hears of it", async () => {
  const project = await world.makeProject(ann);
  const { chatId, message } = await proposed(
    "create_task",
    { project_id: project, title: "Buy tiles" },
    "There it is.",
  );
  const since = (await talk.chat(chatId)).last_seq;
  await talk.decide(chatId, message.seq, { [message.calls[0]?.call_id ?? ""]: "approve" });
  await talk.until(chatId, since);
  expect(await titles(project)).toEqual(["Buy tiles"]);
  const { rows } = await world.admin.query(
    "select actor_id, run_id from homework.onto_changes where project_id = $1 and kind = 'task'",
    [project],
  );
  expect(rows).toEqual([{ actor_id: ann.id, run_id: null }]);
  const made = await world.admin.query("select created_by_run from homework.onto_tasks where project_id = $1", [
    project,
  ]);
  expect(made.rows).toEqual([{ created_by_run: null }]);
  expect(world.lab.requests.at(-1)?.messages.at(-1)?.text).toContain("Made the task");
  expect(await talk.last(chatId)).toMatchObject({ text: "There it is.", state: "complete" });
});

test("after a no nothing is written, and the model hears that", async () => {
  const project = await world.makeProject(ann);
  const { chatId, message } = await proposed(
    "create_task",
    { project_id: project, title: "Buy tiles" },
    "As you like.",
  );
  const since = (await talk.chat(chatId)).last_seq;
  await talk.decide(chatId, message.seq, { [message.calls[0]?.call_id ?? ""]: "reject" });
  await talk.until(chatId, since);
  expect(await titles(project)).toEqual([]);
  expect(world.lab.requests.at(-1)?.messages.at(-1)?.text).toContain("did not allow it");
});

test("of two calls the one that was allowed is carried out, once both are decided", async () => {
  const project = await world.makeProject(ann);
  world.script((_, at) =>
    at === 0
      ? {
          toolCalls: ["One", "Two"].map((title) => ({ name: "create_task", args: { project_id: project, title } })),
        }
      : { text: "Fine." },
  );
  const chat = await talk.begin();
  await talk.ask(chat.id, "Both please");
  const { seq, calls } = await talk.last(chat.id);
  const [one, two] = calls.map((call) => call.call_id);
  const waiting = await talk.decide(chat.id, seq, { [one ?? ""]: "reject" });
  expect(waiting.state).toBe("awaiting_confirmation");
  const since = (await talk.chat(chat.id)).last_seq;
  await talk.decide(chat.id, seq, { [two ?? ""]: "approve" });
  await talk.until(chat.id, since);
  expect(await titles(project)).toEqual(["Two"]);
});

test("what would not do any more what was shown is not done", async () => {
  const project = await world.makeProject(ann);
  const task = realEnv.newId();
  await world.admin.query(
    `insert into homework.onto_tasks (id, project_id, title, type_key, state_key, created_by)
     values ($1, $2, 'Paint', 'task.default', 'todo', $3)`,
    [task, project, ann.id],
  );
  const { chatId, message } = await proposed("update_task", { id: task, title: "Paint it red" });
  await world.admin.query("update homework.onto_tasks set title = 'Paint it blue' where id = $1", [task]);
  const since = (await talk.chat(chatId)).last_seq;
  await talk.decide(chatId, message.seq, { [message.calls[0]?.call_id ?? ""]: "approve" });
  await talk.until(chatId, since);
  expect(await titles(project)).toEqual(["Paint it blue"]);
  expect(world.lab.requests.at(-1)?.messages.at(-1)?.text).toContain("was changed meanwhile");
});

test("what was shown cannot be changed afterwards, by no code", async () => {
  const project = await world.makeProject(ann);
  const { chatId } = await proposed("create_task", { project_id: project, title: "Buy tiles" });
  const change = (set: string) =>
    world.admin.query(`update homework.chat_calls set ${set} where session_id = $1`, [chatId]);
  await expect(change(`args = '{"title": "Sell the house"}'`)).rejects.toMatchObject({ code: "HW033" });
  await expect(change("effect = 'nothing'")).rejects.toMatchObject({ code: "HW033" });
});

test("a write that would be refused is told to the model, and nobody is asked", async () => {
  world.script((_, at) =>
    at === 0
      ? { toolCalls: [{ name: "create_task", args: { project_id: realEnv.newId(), title: "Lost" } }] }
      : { text: "There is no such project." },
  );
  const chat = await talk.begin();
  const events = await talk.ask(chat.id, "Make a task");
  expect(events.at(-1)?.type).toBe("done");
  expect(world.lab.requests.at(-1)?.messages.at(-1)?.text).toContain("There is no project");
});

test("writing on instead of confirming turns down what waits", async () => {
  const project = await world.makeProject(ann);
  const { chatId, message } = await proposed("create_task", { project_id: project, title: "Buy tiles" }, "Understood.");
  await talk.ask(chatId, "No, leave it");
  const messages = await talk.messages(chatId);
  expect(messages.find(({ seq }) => seq === message.seq)).toMatchObject({
    state: "stopped",
    calls: [{ state: "rejected" }],
  });
  expect(await titles(project)).toEqual([]);
  await expect(
    talk.decide(chatId, message.seq, { [message.calls[0]?.call_id ?? ""]: "approve" }),
  ).rejects.toMatchObject({ status: 409 });
});

test("a run is started only with a yes, and knows the conversation", async () => {
  const { chatId, message } = await proposed("start_homework", { objective: "Plan the whole kitchen" });
  const runs = () =>
    world.admin.query("select objective, chat_session_id from homework.homework_runs where user_id = $1", [ann.id]);
  expect((await runs()).rows).toEqual([]);
  expect(message.calls[0]?.effect).toContain("“Plan the whole kitchen”");
  const since = (await talk.chat(chatId)).last_seq;
  await talk.decide(chatId, message.seq, { [message.calls[0]?.call_id ?? ""]: "approve" });
  await talk.until(chatId, since);
  expect((await runs()).rows).toEqual([{ objective: "Plan the whole kitchen", chat_session_id: chatId }]);
});

test("a model that only ever calls tools is stopped after eight answers", async () => {
  world.script(() => ({ toolCalls: [{ name: "list_projects", args: {} }] }));
  const chat = await talk.begin();
  const before = world.lab.requests.length;
  const events = await talk.ask(chat.id, "Go on");
  expect(events.at(-1)).toMatchObject({ type: "error" });
  expect(world.lab.requests.length - before).toBe(8);
  expect(await talk.last(chat.id)).toMatchObject({ state: "failed", error: expect.stringContaining("8 answers") });
});

test("a try that broke off leaves nothing of its text", async () => {
  world.script((_, at) =>
    at === 0
      ? { text: "Wrong beginning, ".repeat(10), slowMs: 40, cut: 8 }
      : { text: "The right answer.", slowMs: 150 },
  );
  const chat = await talk.begin();
  const events = await talk.ask(chat.id, "Hello");
  const answer = await talk.last(chat.id);
  expect(answer.text).toBe("The right answer.");
  expect(textFrom(events, answer.seq)).not.toContain("Wrong");
  expect((await ledgerOf(chat.id)).map(({ state }) => state)).toEqual(["unknown", "settled"]);
});

test("a provider that does not take the key fails the answer with words for people", async () => {
  world.script(() => ({ status: 401 }));
  const chat = await talk.begin();
  await talk.ask(chat.id, "Hello");
  expect(await talk.last(chat.id)).toMatchObject({ state: "failed", error: expect.stringContaining("key") });
});

async function underWay(theirs: Talk): Promise<{ chatId: string }> {
  const chat = await theirs.begin();
  const sent = await theirs.send(chat.id, "Tell me a long story");
  await theirs.until(chat.id, sent.since_seq, ["text"]);
  return { chatId: chat.id };
}

const stop = (chatId: string) => world.call("POST", `/api/chat/sessions/${chatId}/stop`, ann.session, { body: {} });

test("stopping keeps what was said, ends the call, and pays for it", async () => {
  world.script(() => ({ text: "Once upon a time. ".repeat(400), slowMs: 50 }));
  const { chatId } = await underWay(talk);
  expect((await stop(chatId)).body).toEqual({ stopped_seq: 2 });
  await expect.poll(async () => (await ledgerOf(chatId)).map(({ state }) => state)).toEqual(["unknown"]);
  const answer = await talk.last(chatId);
  expect(answer).toMatchObject({ state: "stopped", error: null });
  expect(answer.text.length).toBeGreaterThan(0);
  expect(answer.text.length).toBeLessThan(5_000);
  const [row] = await ledgerOf(chatId);
  expect(row.cost).toBe(row.reserved);
  expect(answer.metrics.cost_total_micro_usd).toBe(row.reserved);
  world.script(() => ({ text: "Something shorter." }));
  await talk.ask(chatId, "Shorter please");
  expect((await talk.last(chatId)).text).toBe("Something shorter.");
});

test("while an answer is being written another message has to wait", async () => {
  world.script(() => ({ text: "Slowly. ".repeat(100), slowMs: 50 }));
  const { chatId } = await underWay(talk);
  await expect(talk.send(chatId, "And?")).rejects.toMatchObject({ status: 409, code: "wrong_status" });
  await stop(chatId);
});

test("an answer is finished although nobody watches", async () => {
  world.script(() => ({ text: "Nobody there? ".repeat(10), slowMs: 30 }));
  const chat = await talk.begin();
  await talk.send(chat.id, "Hello");
  await expect.poll(async () => (await talk.last(chat.id)).state).toBe("complete");
});

test("whoever comes back to the stream gets what they missed", async () => {
  world.script(() => ({ text: "One two three. ".repeat(20), slowMs: 20 }));
  const chat = await talk.begin();
  const events = await talk.ask(chat.id, "Count");
  const again = await talk.until(chat.id, 2);
  expect(again).toEqual(events.slice(2));
});

test("an answer that was stopped elsewhere is noticed, and gets not another word", async () => {
  world.script(() => ({ text: "Once upon a time. ".repeat(400), slowMs: 50 }));
  const { chatId } = await underWay(talk);
  await world.admin.query("update homework.chat_messages set state = 'stopped' where session_id = $1 and seq = 2", [
    chatId,
  ]);
  const { text } = await talk.last(chatId);
  await expect.poll(async () => (await ledgerOf(chatId)).map(({ state }) => state)).toEqual(["unknown"]);
  expect((await talk.last(chatId)).text).toBe(text);
});

test("a server that stops lets go of its answers, and the next one writes them", async () => {
  world.script((_, at) => ({ text: `Once ${at} upon a time. `.repeat(at === 0 ? 400 : 2), slowMs: 50 }));
  const { chatId } = await underWay(talk);
  await world.app.chats.close();
  expect((await talk.last(chatId)).state).toBe("streaming");
  expect((await ledgerOf(chatId)).map(({ state }) => state)).toEqual(["unknown"]);
  await world.engineOn(world.db).answer({ chatId, userId: ann.id } as DueAnswer, new AbortController().signal);
  expect(await talk.last(chatId)).toMatchObject({ state: "complete", text: "Once 1 upon a time. ".repeat(2) });
  expect((await ledgerOf(chatId)).map(({ state }) => state)).toEqual(["unknown", "settled"]);
});
