// Answers in conversations: ask the model, do what it may do freely, wait for the user's word where it needs one, tell the
// model what came of it, until it has said what there is to say. Where it stands is in the store: this can be called again
// after every word of the user, in any process.

import type { Chat } from "../domain/chat/chat.ts";
import { chatLimits } from "../domain/chat/chat.ts";
import { answersSoFar } from "../domain/chat/history.ts";
import { AppError } from "../lib/app-error.ts";
import { unreachable } from "../lib/assert.ts";
import type { ModelFault } from "../llm/model.ts";
import { chatPrompt } from "../prompts/chat-prompt.ts";
import type { ChatEngine, DueAnswer } from "../runs/chat-port.ts";
import { type EndedAnswer, endAnswer, failAnswer, holdAnswer, saveCalls } from "../store/chat-answer-store.ts";
import { addMessage, chatFacts, findChat, openAnswer, tellChat } from "../store/chat-store.ts";
import { makeRegistry, type Registry } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { askChat } from "./chat-ask.ts";
import { prepareCalls } from "./chat-calls.ts";
import { carryOutDecided } from "./chat-carry-out.ts";
import { gatherView } from "./chat-view.ts";
import { AnswerGone, type ChatDeps, type ChatWork } from "./chat-work.ts";

/** Tokens: some pages. What is longer belongs into a document. */
const outputMax = 4_000;

export function chatEngine(deps: ChatDeps): ChatEngine {
  return { answer: (due, signal) => answerDue(deps, due, signal) };
}

async function answerDue(deps: ChatDeps, due: DueAnswer, signal: AbortSignal): Promise<void> {
  try {
    // One message each; carrying out what was decided is one more.
    for (let step = 0; step <= chatLimits.answers + 1; step++) {
      const work = await openWork(deps, due, signal);
      if (work === null) return;
      if (work.message.calls.length > 0) await carryOutDecided(work);
      else if (!(await writeAnswer(work))) return;
    }
  } catch (thrown) {
    if (thrown instanceof AnswerGone) return;
    await giveUp(deps, due, thrown, signal);
  }
}

/** Null: nothing is being written, so there is nothing to do. */
async function openWork(deps: ChatDeps, { chatId, userId }: DueAnswer, signal: AbortSignal): Promise<ChatWork | null> {
  signal.throwIfAborted();
  const { chat, message } = await deps.db.asUser({ userId }, async (tx) => ({
    chat: await findChat(tx, chatId),
    message: await openAnswer(tx, chatId),
  }));
  if (chat === null || message?.state !== "streaming") return null;
  const answer = { chatId, seq: message.seq };
  return { ...deps, chat, userId, message, answer, signal, tools: toolsOf(deps, chat) };
}

/** They belong to the workspace of a run. */
const runTools: readonly string[] = ["write_note", "start_branch", "write_summary", "read_result"];

function toolsOf({ registry, ownTools }: ChatDeps, chat: Chat): Registry {
  const own = makeRegistry(ownTools(chat));
  const isShared = ({ name }: Tool) => !runTools.includes(name);
  const allowed = registry.all.filter(isShared).map(({ name }) => name);
  return {
    all: [...registry.all.filter(isShared), ...own.all],
    find: (name) => {
      const mine = own.find(name);
      if (mine.ok) return mine;
      const found = registry.find(name);
      return found.ok && !isShared(found.tool) ? { ok: false, text: `There is no tool ${name} in a chat.` } : found;
    },
    offers: (selection) => [...registry.offers({ ...selection, allowed }), ...own.offers(selection)],
  };
}

/** True: another one is due. */
async function writeAnswer(work: ChatWork): Promise<boolean> {
  const { db, env, userId, chat, answer } = work;
  const { gathered, facts } = await db.asUser({ userId }, async (tx) => ({
    gathered: await gatherView(tx, chat, answer.seq, env.now()),
    facts: await chatFacts(tx, chat.id),
  }));
  if (answersSoFar(gathered.messages) >= chatLimits.answers)
    return fail(
      work,
      `It did not come to an end within ${chatLimits.answers} answers. Ask for less at once, or start a run.`,
    );
  const { system, messages: spoken } = chatPrompt(gathered.view, env.newId().replaceAll("-", ""));
  const asked = await askChat(work, {
    role: "chat",
    system,
    messages: spoken.map((message) => (message.role === "assistant" ? { ...message, native: null } : message)),
    tools: work.tools.offers({ stage: 3, chosen: [], missed: [], allowed: null }),
    format: "text",
    maxOutputTokens: outputMax,
    cacheKey: chat.id,
    view: gathered.view,
  });
  if (asked.kind === "fault") return fail(work, faultWords(asked.fault, env.now()));
  if (asked.kind === "cut_off") return fail(work, `The answer broke off: ${asked.why}. Ask for less at once.`);
  const { text, toolCalls } = asked.answer;
  const said = { text, model: asked.model.id, isDemo: asked.model.isDemo, error: null };
  if (toolCalls.length === 0) {
    if (text.trim() === "") return fail(work, "The model answered without a word. Ask again.");
    return end(work, { ...said, state: "complete" });
  }
  const known = { ...facts, hasReadUntrusted: facts.hasReadUntrusted || gathered.isUntrusted };
  const calls = await prepareCalls(work, toolCalls, known);
  const waiting = calls.filter(({ state }) => state === "pending");
  await inAnswer(work, async (tx) => {
    await endAnswer(tx, answer, { ...said, state: waiting.length > 0 ? "awaiting_confirmation" : "complete" });
    await saveCalls(tx, answer, calls);
    if (waiting.length === 0) await addMessage(tx, chat.id, { role: "assistant" });
    else
      await tellChat(tx, chat.id, "confirm", {
        message_seq: answer.seq,
        calls: waiting.map(({ callId, tool, effect, args }) => ({ call_id: callId, tool, effect, args })),
      });
  });
  return waiting.length === 0;
}

type InTx = Parameters<ChatWork["db"]["asUser"]>[1] extends (tx: infer T) => unknown ? T : never;

/** In one transaction, and only while the answer is still wanted. */
function inAnswer({ db, userId, answer }: ChatWork, todo: (tx: InTx) => Promise<void>): Promise<void> {
  return db.asUser({ userId }, async (tx) => {
    if ((await holdAnswer(tx, answer)) === "gone") throw new AnswerGone();
    await todo(tx);
  });
}

async function end(work: ChatWork, ended: EndedAnswer): Promise<false> {
  const { answer } = work;
  await inAnswer(work, async (tx) => {
    await endAnswer(tx, answer, ended);
    await tellChat(tx, answer.chatId, "done", { message_seq: answer.seq, state: ended.state, model: ended.model });
  });
  return false;
}

async function fail(work: ChatWork, why: string): Promise<false> {
  work.signal.throwIfAborted();
  await inAnswer(work, (tx) => failAnswer(tx, work.answer, why));
  return false;
}

function faultWords(fault: ModelFault, nowMs: number): string {
  switch (fault.kind) {
    case "limit":
      return `The model's provider asks to wait for ${Math.max(1, Math.ceil((fault.untilMs - nowMs) / 1_000))} s: ${fault.why}`;
    case "transient":
      return `The model could not be reached: ${fault.why}`;
    case "auth":
      return `The model's provider does not take the key: ${fault.why}`;
    case "quota":
      return `The account with the model's provider is used up: ${fault.why}`;
    case "refused":
      return `The model's provider refused it: ${fault.why}`;
    case "too_long":
      return `The conversation is too long for the model: ${fault.why}`;
    case "filtered":
      return `The model's provider filtered the content: ${fault.why}`;
    default:
      return unreachable(fault);
  }
}

/** Whatever stopped it, nobody waits for ever: an answer that is still open has failed. Stopped ones are not open. */
async function giveUp(deps: ChatDeps, due: DueAnswer, thrown: unknown, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return refuseAnswer(deps, due, thrown);
  await failOpen(deps, due, "The server was stopped while this was being written. Ask again.");
}

/** Also for whoever cannot even begin: the settings of the models are wrong, say. */
export async function refuseAnswer(
  deps: Pick<ChatDeps, "db" | "logger">,
  due: DueAnswer,
  thrown: unknown,
): Promise<void> {
  deps.logger.error({ chat: due.chatId, error: thrown }, "an answer failed");
  const isSaid = thrown instanceof AppError && thrown.code !== "internal";
  await failOpen(deps, due, isSaid ? thrown.message : "Something went wrong on our side. Ask again.");
}

async function failOpen({ db, logger }: Pick<ChatDeps, "db" | "logger">, due: DueAnswer, why: string): Promise<void> {
  const { chatId, userId } = due;
  try {
    await db.asUser({ userId }, async (tx) => {
      const open = await openAnswer(tx, chatId);
      if (open?.state !== "streaming") return;
      const answer = { chatId, seq: open.seq };
      if ((await holdAnswer(tx, answer)) === "open") await failAnswer(tx, answer, why);
    });
  } catch (error) {
    logger.warn({ chat: chatId, error }, "an answer that failed could not be marked; housekeeping will");
  }
}
