// Answers in conversations: the tool loop with a chat's instructions, tools and limits. It stops where something waits for the
// user's word and goes on after it. Where it stands is in the journal of each message, so any process goes on where one died.

import type { Tx } from "../../db/database.ts";
import { type ChatCall, chatLimits, type DueAnswer } from "../../domain/chat/chat.ts";
import { showReply } from "../../domain/chat/history.ts";
import type { ProviderFault } from "../../domain/run/iteration-result.ts";
import { AppError } from "../../lib/app-error.ts";
import { assert } from "../../lib/assert.ts";
import type { ModelMessage, ToolCall } from "../../llm/model.ts";
import { chatPrompt, toReply } from "../../prompts/chat-prompt.ts";
import { Interrupted } from "../../runs/ports/engine.ts";
import type { ChatLease } from "../../runs/ports/run-store.ts";
import {
  type EndedAnswer,
  endAnswer,
  failAnswer,
  holdAnswer,
  letGoOfAnswer,
  saveCalls,
  takeAnswer,
} from "../../store/chat/chat-answer-store.ts";
import { addMessage, findMessage, lockChat, tellChat } from "../../store/chat/chat-store.ts";
import { readJournal } from "../../store/journal/journal-store.ts";
import { type Asked, askSaid, type Said } from "../ask.ts";
import { type CarriedOut, type LoopRequest, runToolLoop } from "../tool-loop.ts";
import { type CalledTool, type Caller, callTool, newCaller } from "../tools/call-tool.ts";
import { carryOutDecided, tellOfCall, withOutcome } from "./carry-out-decided.ts";
import {
  type ChatDeps,
  type ChatWork,
  chatHost,
  chatLane,
  chatTools,
  fenceOf,
  inAnswer,
  newNotice,
  type OpenAnswer,
  plainJson,
} from "./chat-host.ts";
import { gatherView } from "./gather-view.ts";
import { whileWriting } from "./while-writing.ts";

export function chatEngine(deps: ChatDeps) {
  return { answer: (due: DueAnswer, signal: AbortSignal): Promise<void> => answerDue(deps, due, signal) };
}

async function answerDue(deps: ChatDeps, due: DueAnswer, signal: AbortSignal): Promise<void> {
  let work: ChatWork | null = null;
  try {
    work = await openWork(deps, due, signal);
    if (work !== null && work.message.calls.length > 0) {
      await carryOutDecided(work);
      work = await openWork(deps, due, signal);
    }
    if (work !== null) await writeAnswer(work);
  } catch (thrown) {
    const lease = work?.answer ?? null;
    const interruption = thrown instanceof Interrupted ? thrown.by : null;
    if (interruption?.kind === "lost") return;
    if (signal.aborted) await letGo(deps, lease);
    else if (interruption?.kind === "held")
      await failOpen(deps, due, lease, describeFault(interruption.fault, deps.env.now()));
    else await refuseAnswer(deps, due, thrown, lease);
  }
}

const diedTooOften = `The server ended ${chatLimits.attempts} times while this was being written. Ask again, or ask for less at once.`;

/** Null: nothing is to be written, or another process writes it. */
async function openWork(deps: ChatDeps, due: DueAnswer, signal: AbortSignal): Promise<ChatWork | null> {
  signal.throwIfAborted();
  const { chatId, userId } = due;
  return deps.db.asUser({ userId }, async (tx) => {
    const chat = await lockChat(tx, chatId);
    const lease = chat && (await takeAnswer(tx, chat));
    const message = lease && (await findMessage(tx, chatId, lease.seq));
    if (chat === null || lease === null || message === null) return null;
    if (lease.fence > chatLimits.attempts) {
      await failAnswer(tx, lease, diedTooOften);
      return null;
    }
    const gathered = await gatherView(tx, chat, message.seq, deps.timeZone);
    const tools = chatTools(deps, chat);
    const entries = await readJournal(tx, { chat_session_id: chatId, message_seq: message.seq });
    const answer = { ...lease, entries, asked: 0 };
    const noticed = newNotice(tools, gathered);
    return { ...deps, chat, userId, message, answer, signal, tools, gathered, noticed, held: new Map() };
  });
}

type Answered = Extract<Said, { kind: "answered" }>;

async function writeAnswer(work: ChatWork): Promise<void> {
  const { chat, tools, gathered, held } = work;
  const { system, messages } = chatPrompt(gathered.view, fenceOf(chat));
  const request = {
    role: "chat" as const,
    system,
    tools: tools.offers({ stage: 3, chosen: [], missed: [], allowed: null }),
    maxOutputTokens: null,
    cacheKey: chat.id,
    view: gathered.view,
  };
  const caller = newCaller({ lane: chatLane, branchId: null, only: null });
  let said: Answered | null = null;
  const end = await runToolLoop({
    opening: messages,
    limits: {
      answers: Math.max(1, chatLimits.answers - gathered.soFar),
      calls: chatLimits.answers * chatLimits.callsAtOnce,
      callsAtOnce: chatLimits.callsAtOnce,
    },
    howToEnd: "answer the person in words, without a tool call",
    ask: async (_step, spoken) => {
      const asked = await ask(work, request, spoken);
      said = asked.ok && asked.value.kind === "answered" ? asked.value : null;
      return asked;
    },
    carryOut: (_step, calls) => carryOut(work, caller, said, calls),
  });
  if (held.size > 0) return;
  if (end.kind === "failed") return fail(work, `The answer failed: ${end.why}. Ask again, or ask for less at once.`);
  if (end.kind === "silent")
    return fail(work, `The answer did not come to an end: ${end.why}. Ask for less at once, or start a run.`);
  if (end.text.trim() === "") return fail(work, "The model answered without a word. Ask again.");
  const ended = toEnded(said, "complete", end.text);
  await inAnswer(work, async (tx) => {
    await endAnswer(tx, work.answer, ended);
    await tellChat(tx, chat.id, "done", { message_seq: work.answer.seq, state: ended.state, model: ended.model });
  });
}

/** What it says is written down as it comes; of a try that failed, nothing stays. */
const ask = (work: ChatWork, request: LoopRequest, messages: readonly ModelMessage[]): Promise<Asked<Said>> =>
  whileWriting(work, ({ onText, restart }, signal) => {
    const { answer } = work;
    const key = `llm:${answer.asked}`;
    answer.asked += 1;
    const host = chatHost(work, signal, restart);
    return askSaid(host, key, { ...request, messages, format: "text" }, { lane: chatLane, onText });
  });

function toEnded(said: Answered | null, state: EndedAnswer["state"], text: string): EndedAnswer {
  const { model, answer } = said ?? {};
  return {
    state,
    text,
    model: model?.id ?? "",
    isDemo: model?.isDemo ?? false,
    said: { native: answer?.native ?? null, callIds: (answer?.toolCalls ?? []).map(({ callId }) => callId) },
  };
}

/** Ends the message with its calls. Where one of them waits, the loop ends; else the next message begins. */
async function carryOut(
  work: ChatWork,
  caller: Caller,
  said: Answered | null,
  wanted: readonly ToolCall[],
): Promise<CarriedOut> {
  const { answer, chat } = work;
  const { seq } = answer;
  const calls = await whileWriting(work, (_writer, signal) => callAll(work, caller, wanted, signal));
  const waiting = calls.filter(({ state }) => state === "pending");
  const isEnd = waiting.length > 0;
  work.answer = await inAnswer(work, async (tx) => {
    await endAnswer(tx, answer, toEnded(said, isEnd ? "awaiting_confirmation" : "complete", said?.answer.text ?? ""));
    await saveCalls(tx, answer, calls);
    if (!isEnd) return beginNext(tx, work);
    const shown = waiting.map(({ callId, tool, effect, args }) => ({ call_id: callId, tool, effect, args }));
    await tellChat(tx, chat.id, "confirm", { message_seq: seq, calls: shown });
    return answer;
  });
  const replies = calls.map((call, at) => ({
    ...toReply(showReply(seq, call), fenceOf(chat)),
    callId: wanted[at]?.callId ?? call.callId,
  }));
  return { replies, isEnd };
}

async function beginNext(tx: Tx, { chat }: ChatWork): Promise<OpenAnswer> {
  await addMessage(tx, chat.id, { role: "assistant" });
  const lease = await takeAnswer(tx, chat);
  assert(lease, "a message that was just added is free");
  return { ...lease, entries: [], asked: 0 };
}

async function callAll(work: ChatWork, caller: Caller, wanted: readonly ToolCall[], signal: AbortSignal) {
  const calls: ChatCall[] = [];
  const host = chatHost(work, signal);
  for (const [at, { tool, args }] of wanted.entries()) {
    const key = String(at + 1);
    const isTold = host.journal.has(key);
    const call = toCall(work, at + 1, await callTool(host, caller, { key, tool, args }));
    calls.push(call);
    if (call.state !== "pending" && !isTold) await inAnswer(work, (tx) => tellOfCall(tx, work, call));
  }
  return calls;
}

const nameMax = 200;

function toCall({ answer, held }: ChatWork, position: number, { line, kind, args, outcome }: CalledTool): ChatCall {
  const tool = line.tool.slice(0, nameMax);
  const waiting = held.get(String(position));
  const call: ChatCall = {
    position,
    callId: `call_${answer.seq}_${position}`,
    tool: waiting?.tool.name ?? tool,
    kind: kind ?? "read",
    args: waiting?.args ?? plainJson(args ?? null),
    effect: waiting?.effect ?? `call ${tool}`,
    changes: waiting?.changes ?? [],
    needsWord: waiting !== undefined,
    approval: waiting?.approval ?? null,
    state: "pending",
    result: null,
    summary: null,
    isUntrusted: false,
    foundUrls: [],
  };
  return waiting === undefined ? withOutcome(call, outcome) : call;
}

async function fail(work: ChatWork, why: string): Promise<void> {
  work.signal.throwIfAborted();
  await inAnswer(work, (tx) => failAnswer(tx, work.answer, why));
}

function describeFault(fault: ProviderFault, nowMs: number): string {
  if (fault.kind === "hold") {
    const seconds = Math.max(1, Math.ceil((fault.untilMs - nowMs) / 1_000));
    return `The model cannot answer now: ${fault.why}. Ask again in ${seconds} s.`;
  }
  const what = fault.kind === "auth" ? "provider does not take the key" : "account is used up";
  return `The model's ${what}: ${fault.why}`;
}

/** Also where it cannot even begin, because the settings of the models are wrong; then there is no claim yet. */
export async function refuseAnswer(
  deps: Pick<ChatDeps, "db" | "logger">,
  due: DueAnswer,
  thrown: unknown,
  lease: ChatLease | null = null,
): Promise<void> {
  deps.logger.error({ chat: due.chatId, error: thrown }, "an answer failed");
  const isSaid = thrown instanceof AppError && thrown.code !== "internal";
  await failOpen(deps, due, lease, isSaid ? thrown.message : "Something went wrong on our side. Ask again.");
}

/** An answer that was stopped, or that another process has, is left as it is. */
async function failOpen(
  { db, logger }: Pick<ChatDeps, "db" | "logger">,
  { chatId, userId }: DueAnswer,
  held: ChatLease | null,
  why: string,
): Promise<void> {
  try {
    await db.asUser({ userId }, async (tx) => {
      const chat = await lockChat(tx, chatId);
      const lease = held ?? (chat && (await takeAnswer(tx, chat)));
      if (lease !== null && (await holdAnswer(tx, lease)) === "open") await failAnswer(tx, lease, why);
    });
  } catch (error) {
    logger.warn({ chat: chatId, error }, "an answer that failed could not be marked; it will be taken up again");
  }
}

/** This process ends; the next one goes on from the journal. */
async function letGo({ db, logger }: ChatDeps, lease: ChatLease | null): Promise<void> {
  if (lease === null) return;
  await db
    .asUser({ userId: lease.userId }, (tx) => letGoOfAnswer(tx, lease))
    .catch((error: unknown) => logger.warn({ chat: lease.chatId, error }, "an answer could not be let go of"));
}
