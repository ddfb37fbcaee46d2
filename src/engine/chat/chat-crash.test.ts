// A process that dies anywhere in an exchange, and the next one that goes on with it: nothing is written twice, and no answer of
// the model is asked or paid for twice.

import { expect, test } from "vitest";
import { z } from "zod";
import { chatWorld } from "../../../test/helpers/chat-world.ts";
import { type DeathAt, dyingDatabase } from "../../../test/helpers/dying-database.ts";
import type { Database } from "../../db/database.ts";
import type { DueAnswer } from "../../domain/chat/chat.ts";
import { listEntities } from "../../store/entity/entity-store.ts";
import { builtInTools } from "../../tools/built-in.ts";
import { outsideTool } from "../../tools/tool.ts";

/** Idempotency keys of what reached the outside. */
const reached: { readonly tool: string; readonly key: string }[] = [];

const outside = (name: string, isRepeatable: boolean) =>
  outsideTool<Record<string, never>>({
    name,
    description: "Reaches outside.",
    args: z.strictObject({}),
    tags: [],
    stage: 1,
    isRepeatable,
    destination: () => null,
    act: async (_context, _args, { idempotencyKey: key }) => {
      reached.push({ tool: name, key });
      return { ok: true, text: "It is there.", artifacts: [], summary: "Reached it", isUntrusted: false };
    },
  });

const tools = [...builtInTools, outside("look_up", true), outside("post_it", false)];
const world = await chatWorld({ tools, isSilent: true });
const ann = await world.signUp("ann");
const talk = world.talkAs(ann);

const usage = { input: 1_000, output: 200 };

/** Reads, looks something up, and wants a task and a post, which wait for a word; after it, it ends. */
async function begin() {
  const project = await world.makeProject(ann);
  reached.length = 0;
  const calls = ["list_projects", "look_up"].map((name) => ({ name, args: {} }));
  const wanted = [
    { name: "create_task", args: { project_id: project, title: "Buy tiles" } },
    { name: "post_it", args: {} },
  ];
  world.script(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    return (
      [
        { toolCalls: calls, usage },
        { toolCalls: wanted, usage },
      ][turn] ?? { text: "Done.", usage }
    );
  });
  const before = world.lab.requests.length;
  const chat = await talk.begin();
  await talk.send(chat.id, "Tiles please");
  return { chatId: chat.id, project, asked: () => world.lab.requests.length - before };
}

const answerOn = (db: Database, chatId: string) =>
  world.engineOn(db).answer({ chatId, userId: ann.id } as DueAnswer, new AbortController().signal);

/** Once the first process is taken for dead. */
async function goOn(chatId: string): Promise<void> {
  await world.admin.query(
    "update homework.chat_messages set seen_at = '-infinity' where session_id = $1 and state = 'streaming'",
    [chatId],
  );
  await answerOn(world.db, chatId);
}

async function approve(chatId: string): Promise<void> {
  const { seq, calls } = await talk.last(chatId);
  const words = calls.map(({ call_id: id }) => [id, "approve"] as const);
  await talk.decide(chatId, seq, Object.fromEntries(words));
}

/** The whole exchange; the process dies where `death` says. */
async function play(death: DeathAt) {
  const begun = await begin();
  const { chatId, project } = begun;
  const first = dyingDatabase(world.db, death);
  await answerOn(first, chatId);
  await goOn(chatId);
  await approve(chatId);
  if (!first.isDead()) await answerOn(first, chatId);
  await goOn(chatId);
  const tasks = await world.as(ann, (tx) => listEntities(tx, "task", project, { limit: 50 } as never));
  const { rows: ledger } = await world.admin.query(
    `select message_seq || '/' || entry_key as call, state, cost_micro_usd::int as cost, reserved_micro_usd::int as reserved
       from homework.llm_usage_logs where chat_session_id = $1 order by 1, state`,
    [chatId],
  );
  return {
    isDead: first.isDead(),
    asked: begun.asked(),
    tasks: tasks.items.length,
    ledger,
    messages: await talk.messages(chatId),
    events: (await talk.until(chatId, 0, ["done"])).map(({ seq }) => seq),
  };
}

const never: DeathAt = { transaction: Number.POSITIVE_INFINITY, when: "before" };
const answers = ["2/llm:0", "3/llm:0", "4/llm:0"];

test("undisturbed, every answer is asked for once and every call is an entry", async () => {
  const { asked, tasks, ledger, messages } = await play(never);
  expect([asked, tasks]).toEqual([3, 1]);
  expect(ledger.map(({ call, state }) => `${call} ${state}`)).toEqual(answers.map((call) => `${call} settled`));
  expect(messages.map(({ state, calls }) => [state, calls.map(({ tool, state: end }) => `${tool} ${end}`)])).toEqual([
    ["complete", []],
    ["complete", ["list_projects done", "look_up done"]],
    ["complete", ["create_task done", "post_it done"]],
    ["complete", []],
  ]);
  const { rows } = await world.admin.query(
    `select message_seq || '/' || e.key as entry from homework.journal_entries e join homework.chat_sessions s on s.id = chat_session_id
      where s.user_id = $1 and e.state = 'done' order by 1`,
    [ann.id],
  );
  expect(rows.map(({ entry }) => entry)).toEqual(["2/1", "2/2", "2/llm:0", "3/1", "3/2", "3/llm:0", "4/llm:0"]);
});

test("wherever it dies, the next process goes on there", async () => {
  let deaths = 0;
  for (const when of ["before", "after"] as const)
    for (let transaction = 0, isDead = true; isDead; transaction++) {
      const played = await play({ transaction, when });
      isDead = played.isDead;
      deaths += isDead ? 1 : 0;
      const where = `${when} ${transaction}`;
      const settled = played.ledger.filter(({ state }) => state === "settled").map(({ call }) => call);
      const lost = played.ledger.filter(({ state }) => state === "unknown");
      expect([where, settled]).toEqual([where, answers]);
      expect([where, played.ledger.length]).toEqual([where, settled.length + lost.length]);
      // Only the call that was under way is asked again; it is paid for at its reservation.
      expect([where, lost.length <= 1 && played.asked <= 3 + lost.length]).toEqual([where, true]);
      for (const { cost, reserved } of lost) expect(cost).toBe(reserved);
      const paid = played.messages.reduce((sum, { metrics }) => sum + metrics.cost_total_micro_usd, 0);
      expect([where, paid]).toEqual([where, played.ledger.reduce((sum, { cost }) => sum + cost, 0)]);
      expect([where, played.tasks]).toEqual([where, 1]);
      // One may be repeated, with the same key; the other happens once or is said to be uncertain.
      expect([where, new Set(reached.filter(({ tool }) => tool === "look_up").map(({ key }) => key)).size]).toEqual([
        where,
        1,
      ]);
      const posts = reached.filter(({ tool }) => tool === "post_it").length;
      const post = played.messages[2]?.calls[1];
      expect([where, posts <= 1, post?.state === "done" ? posts : 1]).toEqual([where, true, 1]);
      expect([where, played.messages.map(({ state }) => state)]).toEqual([where, Array(4).fill("complete")]);
      expect([where, played.messages.at(-1)?.text]).toEqual([where, "Done."]);
      expect([where, played.events]).toEqual([where, played.events.map((_, at) => at + 1)]);
    }
  expect(deaths).toBeGreaterThan(20);
});
