// Carries out what the user has said yes to: exactly the calls that were shown, writes all in one transaction and each only if
// it still does what was shown. What reaches outside is noted down before it begins; nobody does it a second time.

import type { Tx } from "../db/database.ts";
import { drift } from "../domain/change-set/drift.ts";
import type { ChatCall } from "../domain/chat/chat.ts";
import { assert } from "../lib/assert.ts";
import { type EndedCall, endCall, holdAnswer, setAnswerState } from "../store/chat-answer-store.ts";
import { addMessage } from "../store/chat-store.ts";
import { tryInOrder } from "../store/chat-trial-store.ts";
import { refuse, type ToolOutcome } from "../tools/tool.ts";
import { attemptCall, keyOf, orRefusal, tellOfCall, withOutcome, writeToolOf } from "./chat-calls.ts";
import { AnswerGone, type ChatWork, chatContext } from "./chat-work.ts";

/** Afterwards the next answer is due. */
export async function carryOutDecided(work: ChatWork): Promise<void> {
  const approved = work.message.calls.filter(({ state }) => state === "approved");
  const outside = approved.filter(({ kind }) => kind === "outside");
  const writes = approved.filter(({ kind }) => kind === "write");
  await inAnswer(work, async (tx) => {
    for (const call of writes) await keepCall(tx, work, withOutcome(call, await carryOutWrite(tx, work, call)));
    if (outside.length === 0) await goOn(tx, work);
  });
  if (outside.length === 0) return;
  for (const call of outside) await actOutside(work, call);
  await inAnswer(work, (tx) => goOn(tx, work));
}

/** In one transaction, and only while the answer is still wanted. */
function inAnswer(work: ChatWork, todo: (tx: Tx) => Promise<void>): Promise<void> {
  return work.db.asUser({ userId: work.userId }, async (tx) => {
    if ((await holdAnswer(tx, work.answer)) === "gone") throw new AnswerGone();
    await todo(tx);
  });
}

async function goOn(tx: Tx, { answer }: ChatWork): Promise<void> {
  await setAnswerState(tx, answer, "complete");
  await addMessage(tx, answer.chatId, { role: "assistant" });
}

async function carryOutWrite(tx: Tx, work: ChatWork, call: ChatCall): Promise<ToolOutcome> {
  const tool = writeToolOf(work, call);
  if (tool === null) return refuse("unavailable", `There is no tool ${call.tool} any more.`);
  const write = () => attemptCall(tx, work, tool, call);
  const [tried] = await tryInOrder(tx, work.chat.id, [write], ({ ok }) => ok);
  assert(tried, "it was tried");
  if (!tried.result.ok) return tried.result;
  const why = drift(call.changes, tried.changes);
  if (why !== null)
    return refuse("conflict", `Not done, since it would not do what the user was shown: ${why}. Look again.`);
  return write();
}

async function actOutside(work: ChatWork, call: ChatCall): Promise<void> {
  const found = work.tools.find(call.tool);
  if (!found.ok || found.tool.kind !== "outside") {
    const gone = refuse("unavailable", `There is no tool ${call.tool} any more.`);
    return inAnswer(work, (tx) => keepCall(tx, work, withOutcome(call, gone)));
  }
  const { tool } = found;
  await inAnswer(work, (tx) => endCall(tx, work.answer, { ...endedOf(call), state: "begun" }));
  const outcome = await orRefusal(() =>
    tool.act(chatContext(work, call.callId), call.args, { idempotencyKey: keyOf(work, call), signal: work.signal }),
  );
  // What came of it is kept also where nobody waits for the answer any more.
  await work.db.asUser({ userId: work.userId }, (tx) => keepCall(tx, work, withOutcome(call, outcome)));
}

async function keepCall(tx: Tx, work: ChatWork, call: ChatCall): Promise<void> {
  await endCall(tx, work.answer, endedOf(call));
  await tellOfCall(tx, work, call);
}

function endedOf({ callId, state, result, summary, isUntrusted, foundUrls }: ChatCall): EndedCall {
  return { callId, state: state === "done" ? "done" : "failed", result, summary, isUntrusted, foundUrls };
}
