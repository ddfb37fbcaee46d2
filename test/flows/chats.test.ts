// A conversation on every protocol and with all that its providers insist on: it looks around, proposes two writes, goes on after the user's yes and no, and
// answers another message. Over HTTP, on one database, each case with a person and a lab of its own.

import { afterAll, expect, test } from "vitest";
import { chatEngine } from "../../src/engine/chat/chat-engine.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "../../src/main/env.ts";
import type { ChatEngine } from "../../src/server/ports/chat.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { type Talk, talkOf } from "../helpers/chat-world.ts";
import { hallWords } from "../helpers/planner-scenario.ts";
import { type Person, testApp } from "../helpers/test-app.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labModels } from "../lab/lab-models.ts";
import type { LabReply } from "../lab/lab-protocol.ts";
import { checkPrefixes } from "./check-prefixes.ts";
import { compareBooks, readCalls } from "./flow-books.ts";
import { flowPrices, playsFlow, protocols, refusalsOf, type Stance, stances } from "./stances.ts";

const seats = new Map<string, ChatEngine>();
const app = await testApp({
  listen: true,
  chat: () => ({ answer: async (due, signal) => seats.get(due.userId)?.answer(due, signal) }),
});
const labs = new Set<Lab>();
afterAll(async () => {
  for (const lab of labs) await lab.close();
});

const players = protocols.flatMap((protocol) =>
  stances[protocol]
    .filter((stance) => playsFlow(stance, "chat"))
    .map((stance, at) => ({ stance, user: `${protocol}-${at}`, name: `${protocol}, ${stance.name}` })),
);

test.concurrent.each(players)("$name: a write is confirmed, and the conversation goes on", async (player) => {
  const { stance, user } = player;
  const person = await app.signUp(user);
  const { body } = await app.call("POST", "/api/projects", person.session, { body: { name: "Halls" } });
  const lab = await openLab(stance, body.id);
  labs.add(lab);
  seats.set(person.id, seatAt(lab, stance));
  await checkChat(person, lab, stance);
  await lab.close();
  labs.delete(lab);
});

/** By how many answers it has given. */
function chatAnswers(projectId: string): readonly LabReply[] {
  const page = { title: "The hall", content: hallWords, project_id: projectId };
  return [
    {
      text: "I look around first.",
      toolCalls: [
        { name: "list_projects", args: {} },
        { name: "search", args: { query: "hall" } },
      ],
    },
    {
      toolCalls: [
        { name: "create_task", args: { title: "Call the parish", project_id: projectId } },
        { name: "create_document", args: page },
      ],
    },
    { text: "The task is there; the page is not." },
    { text: "I list all of it, from the very", finish: "length" },
    { toolCalls: [{ name: "list_tasks", args: { project_id: projectId } }] },
    { text: "There is one task." },
  ];
}

function openLab(stance: Stance, projectId: string): Promise<Lab> {
  const answers = chatAnswers(projectId);
  let at = 0;
  return startLab({
    prices: flowPrices,
    modes: stance.modes,
    script: () => {
      const reply = answers[at] ?? { status: 500, body: "no more answers" };
      at += 1;
      if ("status" in reply) return reply;
      const usage = { input: 900 + at, output: 100 + 7 * at, cacheRead: 10 * at };
      return { reasoning: [{ text: `Thought ${at}.` }], usage, ...reply };
    },
  });
}

function seatAt(lab: Lab, { model, timeouts }: Stance): ChatEngine {
  const { models } = labModels(lab, [model], { env: realEnv, ...(timeouts === undefined ? {} : { timeouts }) });
  const registry = makeRegistry(builtInTools);
  return chatEngine({
    db: app.db,
    models,
    registry,
    env: realEnv,
    logger: silentLogger,
    timeZone: "UTC",
    ownTools: () => [],
  });
}

async function checkChat(person: Person, lab: Lab, stance: Stance): Promise<void> {
  const refusals = refusalsOf(stance, "chat");
  const talk = talkOf(app, person.session);
  const { id } = await talk.begin();
  await talk.ask(id, "Find a hall and note what is to be done");
  await confirmFirst(talk, id);
  expect(await talk.last(id)).toMatchObject({ state: "complete", text: "The task is there; the page is not." });
  await talk.ask(id, "What is to be done?");
  expect(await talk.last(id)).toMatchObject({ state: "complete", text: "There is one task." });
  expect(lab.refusals.map(({ rule }) => rule)).toEqual(refusals);
  expect(await readTitles(person)).toEqual(["Call the parish"]);
  const resent = refusals.length;
  expect(lab.requests.length - resent).toBe(6);
  const taken = lab.requests.filter((_request, at) => lab.refusals.every((refusal) => refusal.at !== at));
  if (stance.isText === undefined) checkPrefixes(taken.slice(0, 3));
  checkPrefixes(taken.slice(3));
  const { ours, theirs } = compareBooks(await readCalls(app.admin, "chat_session_id", id), lab, resent);
  expect(ours).toEqual(theirs);
}

/** A yes to the first write and a no to the other. */
async function confirmFirst(talk: Talk, chatId: string): Promise<void> {
  const { seq, state, calls } = await talk.last(chatId);
  expect([state, calls.map(({ tool }) => tool)]).toEqual(["awaiting_confirmation", ["create_task", "create_document"]]);
  const since = (await talk.chat(chatId)).last_seq;
  const [yes = "", no = ""] = calls.map((call) => call.call_id);
  await talk.decide(chatId, seq, { [yes]: "approve", [no]: "reject" });
  await talk.until(chatId, since);
}

async function readTitles({ id }: Person): Promise<readonly string[]> {
  const { rows } = await app.admin.query(
    `select title from homework.onto_tasks where created_by = $1
     union all select title from homework.onto_documents where created_by = $1 order by 1`,
    [id],
  );
  return rows.map(({ title }) => String(title));
}
