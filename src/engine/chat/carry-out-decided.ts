// Carries out what the user has said yes to: exactly the calls that were shown, each an entry of the journal and so done once,
// and a write only if it still does what was shown. Another process goes on with what the one before it has left.

import type { Tx } from "../../db/database.ts";
import { drift } from "../../domain/change-set/drift.ts";
import type { ChatCall } from "../../domain/chat/chat.ts";
import { assert } from "../../lib/assert.ts";
import { Interrupted } from "../../runs/ports/engine.ts";
import { endCall, setAnswerState } from "../../store/chat/chat-answer-store.ts";
import { addMessage, findMessage, tellChat } from "../../store/chat/chat-store.ts";
import { tryInOrder } from "../../store/chat/chat-trial-store.ts";
import { refuse, type Tool, type ToolOutcome } from "../../tools/tool.ts";
import { act, headOf, toKept, toOutcome } from "../tools/call-tool.ts";
import type { ToolHost } from "../tools/tool-host.ts";
import { attemptCall, type ChatWork, chatHost, chatLane, inAnswer } from "./chat-host.ts";
import { whileWriting } from "./while-writing.ts";

/** Afterwards the next answer is due. */
export async function carryOutDecided(work: ChatWork): Promise<void> {
  const { answer, chat, message } = work;
  await whileWriting(work, async (_writer, signal) => {
    const host = chatHost(work, signal);
    for (const call of message.calls.filter(({ state }) => state === "approved" || state === "begun"))
      if (call.kind === "write") await write(work, host, call);
      else await actOutside(work, host, call);
  });
  await inAnswer(work, async (tx) => {
    await setAnswerState(tx, answer, "complete");
    await addMessage(tx, chat.id, { role: "assistant" });
  });
}

export function withOutcome(call: ChatCall, outcome: ToolOutcome): ChatCall {
  return {
    ...call,
    state: outcome.ok ? "done" : "failed",
    result: outcome.text,
    summary: outcome.ok ? outcome.summary : outcome.text.slice(0, 200),
    isUntrusted: outcome.isUntrusted === true,
    foundUrls: outcome.ok ? (outcome.foundUrls ?? []) : [],
  };
}

export function tellOfCall(tx: Tx, { answer }: ChatWork, { callId, tool, summary, state }: ChatCall): Promise<void> {
  const data = { message_seq: answer.seq, call_id: callId, tool, is_done: state === "done", summary };
  return tellChat(tx, answer.chatId, "tool", data);
}

function findTool<Kind extends Tool["kind"]>({ tools }: ChatWork, { tool: name }: ChatCall, kind: Kind) {
  const found = tools.find(name);
  return found.ok && found.tool.kind === kind ? (found.tool as Extract<Tool, { kind: Kind }>) : null;
}

const noTool = ({ tool }: ChatCall) => refuse("unavailable", `There is no tool ${tool} any more.`);
const keyOf = ({ position }: ChatCall) => String(position);
const toHead = (call: ChatCall) => headOf(chatLane, keyOf(call), call.tool, call.args);

/** The write, what the page shows of it and the journal's line are one transaction. */
async function write(work: ChatWork, { journal }: ToolHost, call: ChatCall): Promise<void> {
  await journal.write(toHead(call), async (tx) => {
    const outcome = await carryOutWrite(tx, work, call);
    await keepCall(tx, work, withOutcome(call, outcome));
    return toKept(call.tool, outcome);
  });
}

async function carryOutWrite(tx: Tx, work: ChatWork, call: ChatCall): Promise<ToolOutcome> {
  const tool = findTool(work, call, "write");
  if (tool === null) return noTool(call);
  const write = () => attemptCall(tx, work, { key: keyOf(call), tool, args: call.args });
  const [tried] = await tryInOrder(tx, work.chat.id, [write], ({ ok }) => ok);
  assert(tried, "it was tried");
  if (!tried.result.ok) return tried.result;
  const why = drift(call.changes, tried.changes);
  if (why !== null)
    return refuse("conflict", `Not done, since it would not do what the user was shown: ${why}. Look again.`);
  return write();
}

async function actOutside(work: ChatWork, host: ToolHost, call: ChatCall): Promise<void> {
  const tool = findTool(work, call, "outside");
  if (tool === null) return inAnswer(work, (tx) => keepCall(tx, work, withOutcome(call, noTool(call))));
  if (call.state === "approved") await inAnswer(work, (tx) => endCall(tx, work.answer, { ...call, state: "begun" }));
  let seen: ToolOutcome | null = null;
  const watched: typeof tool = {
    ...tool,
    act: async (...given) => {
      seen = await tool.act(...given);
      return seen;
    },
  };
  const head = toHead(call);
  try {
    const outcome = await act(host, { tool: watched, args: call.args, head, branchId: null }).catch(toOutcome);
    await inAnswer(work, (tx) => keepCall(tx, work, withOutcome(call, outcome)));
  } catch (thrown) {
    if (thrown instanceof Interrupted && thrown.by.kind === "lost" && seen !== null)
      await keepIfStopped(work, withOutcome(call, seen));
    throw thrown;
  }
}

/** What the outside world has done is known, although the answer was stopped meanwhile. Another process would find out itself. */
async function keepIfStopped(work: ChatWork, call: ChatCall): Promise<void> {
  const { db, userId, answer } = work;
  await db.asUser({ userId }, async (tx) => {
    const message = await findMessage(tx, answer.chatId, answer.seq);
    if (message?.state === "stopped") await keepCall(tx, work, call);
  });
}

async function keepCall(tx: Tx, work: ChatWork, call: ChatCall): Promise<void> {
  await endCall(tx, work.answer, call);
  await tellOfCall(tx, work, call);
}
