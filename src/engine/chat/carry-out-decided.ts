// Carries out what the user has said yes to: exactly the calls that were shown, writes all in one transaction and each only if
// it still does what was shown. What reaches outside is noted down before it begins; it is never done a second time.

import type { Tx } from "../../db/database.ts";
import { drift } from "../../domain/change-set/drift.ts";
import type { ChatCall } from "../../domain/chat/chat.ts";
import { assert } from "../../lib/assert.ts";
import { endCall, setAnswerState } from "../../store/chat-answer-store.ts";
import { addMessage, tellChat } from "../../store/chat-store.ts";
import { tryInOrder } from "../../store/chat-trial-store.ts";
import { refuse, type Tool, type ToolOutcome } from "../../tools/tool.ts";
import { act, headOf, toOutcome } from "../tools/call-tool.ts";
import { attemptCall, type ChatWork, chatHost, inAnswer } from "./chat-host.ts";
import { whileWriting } from "./while-writing.ts";

/** Afterwards the next answer is due. */
export async function carryOutDecided(work: ChatWork): Promise<void> {
  const approved = work.message.calls.filter(({ state }) => state === "approved");
  const outside = approved.filter(({ kind }) => kind === "outside");
  await inAnswer(work, async (tx) => {
    for (const call of approved.filter(({ kind }) => kind === "write"))
      await keepCall(tx, work, withOutcome(call, await carryOutWrite(tx, work, call)));
  });
  await whileWriting(work, async (_writer, signal) => {
    for (const call of outside) await actOutside(work, call, signal);
  });
  await inAnswer(work, async (tx) => {
    await setAnswerState(tx, work.answer, "complete");
    await addMessage(tx, work.chat.id, { role: "assistant" });
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

async function actOutside(work: ChatWork, call: ChatCall, signal: AbortSignal): Promise<void> {
  const { db, userId, answer } = work;
  const tool = findTool(work, call, "outside");
  if (tool === null) return inAnswer(work, (tx) => keepCall(tx, work, withOutcome(call, noTool(call))));
  await inAnswer(work, (tx) => endCall(tx, answer, { ...call, state: "begun" }));
  const head = headOf({ id: "chat", title: null }, keyOf(call), call.tool, call.args);
  const outcome = await act(chatHost(work, signal), { tool, args: call.args, head, branchId: null }).catch(toOutcome);
  // The result is kept even if the answer was stopped meanwhile.
  await db.asUser({ userId }, (tx) => keepCall(tx, work, withOutcome(call, outcome)));
}

async function keepCall(tx: Tx, work: ChatWork, call: ChatCall): Promise<void> {
  await endCall(tx, work.answer, call);
  await tellOfCall(tx, work, call);
}
