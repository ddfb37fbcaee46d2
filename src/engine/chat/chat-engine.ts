// Answers in conversations: the tool loop with a chat's instructions, tools and limits. It stops where something waits for the
// user's word and goes on after it; where it stands is in the store, so it can be called again in any process.

import { type ChatCall, chatLimits } from "../../domain/chat/chat.ts";
import { showReply } from "../../domain/chat/history.ts";
import type { ProviderFault } from "../../domain/run/iteration-result.ts";
import { AppError } from "../../lib/app-error.ts";
import type { ModelMessage, ToolCall } from "../../llm/model.ts";
import { chatPrompt, toReply } from "../../prompts/chat-prompt.ts";
import type { ChatEngine, DueAnswer } from "../../runs/chat-port.ts";
import { Interrupted } from "../../runs/engine-port.ts";
import type { Lane } from "../../runs/ports.ts";
import { type EndedAnswer, endAnswer, failAnswer, holdAnswer, saveCalls } from "../../store/chat-answer-store.ts";
import { addMessage, findChat, openAnswer, tellChat } from "../../store/chat-store.ts";
import { type Asked, askSaid, type Said } from "../ask.ts";
import { type CarriedOut, type LoopRequest, runToolLoop } from "../tool-loop.ts";
import { type CalledTool, type Caller, callTool } from "../tools/call-tool.ts";
import { carryOutDecided, tellOfCall, withOutcome } from "./carry-out-decided.ts";
import {
  AnswerGone,
  type ChatDeps,
  type ChatWork,
  chatHost,
  chatTools,
  fenceOf,
  inAnswer,
  newNotice,
  plainJson,
} from "./chat-host.ts";
import { gatherView } from "./gather-view.ts";
import { whileWriting } from "./while-writing.ts";

export function chatEngine(deps: ChatDeps): ChatEngine {
  return { answer: (due, signal) => answerDue(deps, due, signal) };
}

async function answerDue(deps: ChatDeps, due: DueAnswer, signal: AbortSignal): Promise<void> {
  try {
    let work = await openWork(deps, due, signal);
    if (work !== null && work.message.calls.length > 0) {
      await carryOutDecided(work);
      work = await openWork(deps, due, signal);
    }
    if (work !== null) await writeAnswer(work);
  } catch (thrown) {
    if (thrown instanceof AnswerGone) return;
    if (signal.aborted) await failOpen(deps, due, "The server was stopped while this was being written. Ask again.");
    else if (thrown instanceof Interrupted && thrown.by.kind === "held")
      await failOpen(deps, due, describeFault(thrown.by.fault, deps.env.now()));
    else await refuseAnswer(deps, due, thrown);
  }
}

/** Null: nothing is being written, so there is nothing to do. */
async function openWork(deps: ChatDeps, { chatId, userId }: DueAnswer, signal: AbortSignal): Promise<ChatWork | null> {
  signal.throwIfAborted();
  return deps.db.asUser({ userId }, async (tx) => {
    const chat = await findChat(tx, chatId);
    const message = await openAnswer(tx, chatId);
    if (chat === null || message?.state !== "streaming") return null;
    const gathered = await gatherView(tx, chat, message.seq, deps.timeZone);
    const tools = chatTools(deps, chat);
    const answer = { chatId, seq: message.seq };
    const noticed = newNotice(tools, gathered);
    return { ...deps, chat, userId, message, answer, signal, tools, gathered, noticed, held: new Map() };
  });
}

type Answered = Extract<Said, { kind: "answered" }>;

const chatLane: Lane = { id: "chat", title: null };

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
  const caller: Caller = { lane: chatLane, branchId: null, only: null, unfit: new Map() };
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
    onText: () => true,
    hear: async () => [],
    mustEnd: async () => null,
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
    const key = `message:${work.answer.seq}`;
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
  answer.seq = await inAnswer(work, async (tx) => {
    await endAnswer(tx, answer, toEnded(said, isEnd ? "awaiting_confirmation" : "complete", said?.answer.text ?? ""));
    await saveCalls(tx, answer, calls);
    if (!isEnd) return addMessage(tx, chat.id, { role: "assistant" });
    const shown = waiting.map(({ callId, tool, effect, args }) => ({ call_id: callId, tool, effect, args }));
    await tellChat(tx, chat.id, "confirm", { message_seq: seq, calls: shown });
    return seq;
  });
  const replies = calls.map((call, at) => ({
    ...toReply(showReply(seq, call), fenceOf(chat)),
    callId: wanted[at]?.callId ?? call.callId,
  }));
  return { replies, isEnd };
}

async function callAll(work: ChatWork, caller: Caller, wanted: readonly ToolCall[], signal: AbortSignal) {
  const calls: ChatCall[] = [];
  for (const [at, { tool, args }] of wanted.entries()) {
    const called = await callTool(chatHost(work, signal), caller, { key: String(at + 1), tool, args });
    const call = toCall(work, at + 1, called);
    calls.push(call);
    if (call.state !== "pending") await inAnswer(work, (tx) => tellOfCall(tx, work, call));
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

/** Also where it cannot even begin, because the settings of the models are wrong. */
export async function refuseAnswer(
  deps: Pick<ChatDeps, "db" | "logger">,
  due: DueAnswer,
  thrown: unknown,
): Promise<void> {
  deps.logger.error({ chat: due.chatId, error: thrown }, "an answer failed");
  const isSaid = thrown instanceof AppError && thrown.code !== "internal";
  await failOpen(deps, due, isSaid ? thrown.message : "Something went wrong on our side. Ask again.");
}

/** Whatever stopped it, an answer that is still open has failed. Stopped ones are not open. */
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
