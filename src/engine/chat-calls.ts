// The tool calls of one answer: reads are done at once, what needs the user's word is tried, described and kept for it. What
// cannot be done is answered to the model without asking anyone. Nothing here stays written.

import type { Tx } from "../db/database.ts";
import type { ChatCall } from "../domain/chat/chat.ts";
import { chatLimits } from "../domain/chat/chat.ts";
import { effectOf } from "../domain/chat/effect.ts";
import { type ChatFacts, egressOf, needWord } from "../domain/chat/need-word.ts";
import { AppError } from "../lib/app-error.ts";
import { assert } from "../lib/assert.ts";
import type { ToolCall } from "../llm/model.ts";
import { holdAnswer } from "../store/chat-answer-store.ts";
import { tellChat } from "../store/chat-store.ts";
import { tryInOrder } from "../store/chat-trial-store.ts";
import { toJson } from "../store/json.ts";
import { attemptWrite } from "../tools/define-tool.ts";
import { parseArgs } from "../tools/parse-args.ts";
import { refuse, type Tool, type ToolOutcome, type WriteTool } from "../tools/tool.ts";
import { AnswerGone, type ChatWork, chatContext } from "./chat-work.ts";

/** What is beyond this is not even answered: a model that wants so much at once has lost its way. */
const listedMax = 2 * chatLimits.callsAtOnce;
const nameMax = 200;
/** Characters of rows, before and after, of one call: a large document. More cannot be looked at before a yes. */
const changesMax = 8_000_000;

export async function prepareCalls(
  work: ChatWork,
  wanted: readonly ToolCall[],
  facts: ChatFacts,
): Promise<readonly ChatCall[]> {
  const calls: ChatCall[] = [];
  let known = facts;
  for (const [at, call] of wanted.slice(0, listedMax).entries()) {
    const prepared = await prepare(work, call, at + 1, known);
    if (prepared.isUntrusted) known = { ...known, hasReadUntrusted: true };
    if (prepared.foundUrls.length > 0) known = { ...known, foundUrls: [...known.foundUrls, ...prepared.foundUrls] };
    calls.push(prepared);
  }
  return tryWrites(work, calls);
}

async function prepare(work: ChatWork, wanted: ToolCall, position: number, facts: ChatFacts): Promise<ChatCall> {
  const callId = `call_${work.answer.seq}_${position}`;
  const name = wanted.tool.slice(0, nameMax);
  const base = { ...newCall, callId, position, tool: name, args: plainJson(wanted.args), effect: `call ${name}` };
  if (position > chatLimits.callsAtOnce)
    return withOutcome(base, refuse("unavailable", `Not done: at most ${chatLimits.callsAtOnce} calls at once.`));
  const found = work.tools.find(wanted.tool);
  if (!found.ok) return withOutcome(base, refuse("unavailable", found.text));
  const { tool } = found;
  const parsed = parseArgs(tool, wanted.args);
  if (!parsed.ok) return withOutcome({ ...base, kind: tool.kind }, refuse("invalid_arguments", parsed.text));
  const args = plainJson(parsed.args);
  const need = needWord(wantedOf(tool, args), egressOf(facts));
  const why = need.needsWord ? need.why : "";
  const effect = effectOf({ tool: name, args, changes: [], why });
  const call: ChatCall = { ...base, kind: tool.kind, args, effect };
  if (need.needsWord) return { ...call, needsWord: true, approval: need.approval, state: "pending", result: null };
  return doNow(work, tool, call);
}

const newCall: Omit<ChatCall, "callId" | "position" | "tool" | "args" | "effect"> = {
  kind: "read",
  changes: [],
  needsWord: false,
  approval: null,
  state: "failed",
  result: "",
  summary: null,
  isUntrusted: false,
  foundUrls: [],
};

/** As it comes back from the table, so that what is carried out is the very same. */
const plainJson = (value: unknown): unknown => JSON.parse(toJson(value));

function wantedOf(tool: Tool, args: unknown) {
  const isOutside = tool.kind === "outside";
  return {
    kind: tool.kind,
    tags: tool.tags,
    isRepeatable: isOutside && tool.isRepeatable,
    destination: isOutside ? tool.destination(args) : null,
  };
}

export function withOutcome(call: ChatCall, outcome: ToolOutcome): ChatCall {
  return {
    ...call,
    state: outcome.ok ? "done" : "failed",
    result: outcome.text,
    summary: outcome.ok ? outcome.summary : outcome.text.slice(0, 200),
    isUntrusted: outcome.isUntrusted ?? false,
    foundUrls: outcome.ok ? (outcome.foundUrls ?? []) : [],
  };
}

async function doNow(work: ChatWork, tool: Tool, call: ChatCall): Promise<ChatCall> {
  work.signal.throwIfAborted();
  const context = chatContext(work, call.callId);
  assert(tool.kind !== "write", "what writes needs a word");
  const outcome = await orRefusal(() =>
    tool.kind === "read"
      ? work.db.asUser({ userId: work.userId }, (tx) => tool.read(tx, context, call.args))
      : tool.act(context, call.args, { idempotencyKey: keyOf(work, call), signal: work.signal }),
  );
  const done = withOutcome(call, outcome);
  await work.db.asUser({ userId: work.userId }, async (tx) => {
    if ((await holdAnswer(tx, work.answer)) === "gone") throw new AnswerGone();
    await tellOfCall(tx, work, done);
  });
  return done;
}

export const keyOf = ({ answer }: ChatWork, { position }: ChatCall) =>
  `chat:${answer.chatId}:${answer.seq}:${position}`;

export function tellOfCall(tx: Tx, { answer }: ChatWork, call: ChatCall): Promise<void> {
  const { callId, tool, summary, state } = call;
  const data = { message_seq: answer.seq, call_id: callId, tool, is_done: state === "done", summary };
  return tellChat(tx, answer.chatId, "tool", data);
}

/** What a store refused is an answer; that the database is gone is not. */
export async function orRefusal(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== "database_unavailable") return refuse("failed", thrown.message);
    throw thrown;
  }
}

export const attemptCall = (tx: Tx, work: ChatWork, tool: WriteTool<unknown>, call: ChatCall): Promise<ToolOutcome> =>
  orRefusal(() => attemptWrite(tx, () => tool.write(tx, chatContext(work, call.callId), call.args)));

export function writeToolOf({ tools }: ChatWork, { tool: name }: ChatCall): WriteTool<unknown> | null {
  const found = tools.find(name);
  return found.ok && found.tool.kind === "write" ? found.tool : null;
}

/** What the writes would do, each on top of those before it. What would be refused is not asked about. */
async function tryWrites(work: ChatWork, calls: readonly ChatCall[]): Promise<readonly ChatCall[]> {
  const writes = calls.flatMap((call) => {
    const tool = call.state === "pending" && call.kind === "write" ? writeToolOf(work, call) : null;
    return tool === null ? [] : [{ call, tool }];
  });
  if (writes.length === 0) return calls;
  const tried = await work.db.asUser({ userId: work.userId }, (tx) =>
    tryInOrder(
      tx,
      work.chat.id,
      writes.map(
        ({ call, tool }) =>
          () =>
            attemptCall(tx, work, tool, call),
      ),
      ({ ok }) => ok,
    ),
  );
  const shown = new Map(
    writes.map(({ call }, at) => {
      const one = tried[at];
      assert(one, "every write was tried");
      return [call.callId, one.result.ok ? describe(call, one.changes) : refused(call, one.result)];
    }),
  );
  return calls.map((call) => shown.get(call.callId) ?? call);
}

function describe(call: ChatCall, changes: ChatCall["changes"]): ChatCall {
  if (toJson(changes).length > changesMax)
    return refused(call, refuse("failed", "That changes more than a person can look at. Do it in smaller parts."));
  return { ...call, changes, effect: effectOf({ tool: call.tool, args: call.args, changes, why: "" }) };
}

const refused = (call: ChatCall, outcome: ToolOutcome): ChatCall =>
  withOutcome({ ...call, needsWord: false, approval: null }, outcome);
