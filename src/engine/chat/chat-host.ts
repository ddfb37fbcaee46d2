// A chat as the host of its tools: reads run at once, and what changes something is tried, described in full and kept for the
// user's word. Nothing here stays written.

import type { Database, Tx } from "../../db/database.ts";
import type { Chat, ChatCall, ChatMessage } from "../../domain/chat/chat.ts";
import { describeEffect, effectMax } from "../../domain/chat/describe-effect.ts";
import { nameResult } from "../../domain/chat/history.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { NeedsUser } from "../../domain/policy/judge-call.ts";
import { urlsIn } from "../../domain/policy/web-address.ts";
import { assert } from "../../lib/assert.ts";
import type { Env } from "../../lib/env.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Models } from "../../llm/model.ts";
import { StoredJournal } from "../../runs/journal.ts";
import { Interrupted } from "../../runs/ports/engine.ts";
import type { ChatLease, JournalEntry, Lane } from "../../runs/ports/run-store.ts";
import { holdAnswer } from "../../store/chat/chat-answer-store.ts";
import { findMessage } from "../../store/chat/chat-store.ts";
import { tryInOrder } from "../../store/chat/chat-trial-store.ts";
import { chatJournalStore } from "../../store/journal/chat-journal-store.ts";
import { toJson } from "../../store/json.ts";
import { readResultFrom } from "../../tools/read-result.ts";
import { makeRegistry, type Registry } from "../../tools/registry.ts";
import type { ReadOnlyThings } from "../../tools/things-read.ts";
import { refuse, type Tool, type ToolContext, type ToolOutcome } from "../../tools/tool.ts";
import { attemptTool } from "../tools/call-tool.ts";
import { entryIds } from "../tools/entry-ids.ts";
import { newNoticed, type ToolHost } from "../tools/tool-host.ts";
import type { Gathered } from "./gather-view.ts";

export type ChatDeps = {
  readonly db: Database;
  readonly models: Models;
  readonly registry: Registry;
  readonly env: Env;
  readonly logger: Logger;
  /** Where the user's own is not known. */
  readonly timeZone: string;
  readonly asksBeforeComposed?: boolean;
  /** Tools that only conversations have. */
  readonly ownTools: (chat: Chat) => readonly Tool[];
};

/** One answer and everything it may use; made anew whenever the engine is told that an answer is due. */
export type ChatWork = ChatDeps & {
  readonly chat: Chat;
  readonly userId: UserId;
  /** As it was when the work began. */
  readonly message: ChatMessage;
  /** The message that is being written: the next one, once the calls of the last one are done. */
  answer: OpenAnswer;
  /** Aborted when it is not wanted any more: stopped, given up for dead, or this process ends. */
  readonly signal: AbortSignal;
  readonly tools: Registry;
  readonly gathered: Gathered;
  readonly noticed: ToolHost["noticed"];
  /** Calls of this message that wait for the user's word. */
  readonly held: Map<string, HeldCall>;
};

/** The lease to a message, and how far it has come. */
export type OpenAnswer = ChatLease & {
  /** What processes before this one have done for it. */
  readonly entries: readonly JournalEntry[];
  /** Calls of the model so far: more than one, where an answer broke off. */
  asked: number;
};

export const chatLane: Lane = { id: "chat", title: null };

type HeldCall = Pick<ChatCall, "args" | "effect" | "changes" | "approval"> & { readonly tool: Tool };

/** In one transaction, and only while the answer is still wanted. */
export function inAnswer<T>({ db, userId, answer }: ChatWork, todo: (tx: Tx) => Promise<T>): Promise<T> {
  return db.asUser({ userId }, async (tx) => {
    if ((await holdAnswer(tx, answer)) === "gone") throw new Interrupted({ kind: "lost" });
    return todo(tx);
  });
}

/** They belong to the workspace of a run; results of a chat are opened by its own. */
const runTools: readonly string[] = ["write_note", "start_branch", "write_summary", "read_result"];

export function chatTools({ registry, ownTools }: ChatDeps, chat: Chat): Registry {
  const shared = registry.all.filter(({ name }) => !runTools.includes(name));
  const readOn = readResultFrom(async (tx, _runId, seq, key) => {
    const call = (await findMessage(tx, chat.id, seq))?.calls.find(({ position }) => String(position) === key);
    return call?.result == null ? null : { ...call, ok: call.state === "done", text: call.result };
  });
  return makeRegistry([...shared, readOn, ...ownTools(chat)]);
}

/** What a server says of its tools stands in every prompt: it is read before anything else is. */
export const newNotice = (tools: Registry, { facts }: Gathered): ToolHost["noticed"] =>
  newNoticed(
    {
      hasReadUntrusted: facts.hasReadUntrusted || tools.all.some(({ isForeignText }) => isForeignText === true),
      // What was read in earlier exchanges is shown again, and the person is there to be asked.
      hasReadPrivate: true,
    },
    facts.foundUrls,
  );

/** `signal` also ends when the answer is gone; `onTry` hears of every call of a model. */
export function chatHost(work: ChatWork, signal: AbortSignal, onTry = () => {}): ToolHost {
  const { chat, userId, answer, gathered, held, models } = work;
  const call: Models["call"] = (...asked) => {
    onTry();
    return models.call(...asked);
  };
  return {
    ...work,
    models: { ...models, call },
    run: { models: null },
    registry: work.tools,
    journal: new StoredJournal(chatJournalStore(work.db), { lease: answer, journal: answer.entries }, signal, work.env),
    nonce: fenceOf(chat),
    cacheKey: chat.id,
    identity: { userId },
    allowedTools: null,
    changeRule: "asked_each",
    memory: { userUrls: gathered.facts.userTexts.flatMap(urlsIn), approvedDestinations: gathered.facts.approvals },
    contextFor: (key) => chatContext(work, key),
    refOf: (key) => nameResult(answer.seq, key),
    staging: {
      stage: ({ key }, { tool, args }, { thingsRead }) =>
        stageWrite(work, { key, tool, args: plainJson(args), ...(thingsRead && { thingsRead }) }),
      readOver: (_tx, read) => read(),
    },
    askFirst: ({ key }, { tool, args }, needs) => {
      const effect = describeEffect({ tool: tool.name, args, changes: [], why: whyAsked(needs) });
      if (effect.length > effectMax) return { outcome: tooMuch, grant: null };
      held.set(key, { tool, args: plainJson(args), changes: [], effect, approval: needs.approval });
      return { outcome: refuse("denied", "It waits for the user's word."), grant: null, isWaiting: true };
    },
  };
}

/** The same for all prompts of a conversation, which caches keep; unknown to everyone who does not take part in it. */
export const fenceOf = ({ id }: Chat): string => entryIds(id, 0, "fence")().replaceAll("-", "");

const strangersMayAsk = "This conversation has read text of strangers, which may have asked for it.";

const composedItself = "The model composed this address itself: neither you nor a search named it.";

function whyAsked({ about, approval }: NeedsUser): string {
  if (about === "change") return "It may change something outside of Homework.";
  const asked = about === "composed" ? composedItself : strangersMayAsk;
  return approval === null ? asked : `${asked} A yes holds for ${approval} in this conversation.`;
}

/** The same ids whenever the same call is tried or carried out. */
const chatContext = ({ chat, userId, answer, gathered }: ChatWork, key: string): ToolContext => ({
  userId,
  runId: null,
  iteration: 1,
  branchId: null,
  projectIds: null,
  workspace: null,
  timeZone: gathered.timeZone,
  newId: entryIds(chat.id, answer.seq, key),
});

/** As it comes back from the table, so that what is carried out is the very same. */
export const plainJson = (value: unknown): unknown => JSON.parse(toJson(value));

const tooMuch = refuse("failed", "That is more than a person can look at before a yes. Do it in smaller parts.");

/** What a write would do on top of those that wait before it. What would be refused is not asked about. */
async function stageWrite(work: ChatWork, wanted: WriteCall): Promise<ToolOutcome> {
  const { db, userId, chat, held, noticed } = work;
  const { key, tool, args } = wanted;
  const waiting = [...held].flatMap(([each, call]) => (call.tool.kind === "write" ? [{ ...call, key: each }] : []));
  const tried = await db.asUser({ userId }, (tx) => {
    const attempts = [...waiting, wanted].map((call) => () => attemptCall(tx, work, call));
    return tryInOrder(tx, chat.id, attempts, ({ ok }) => ok);
  });
  const last = tried.at(-1);
  assert(last, "every write was tried");
  const { result, changes } = last;
  if (!result.ok) return result;
  const why = noticed.hasReadUntrusted ? strangersMayAsk : "";
  const effect = describeEffect({ tool: tool.name, args, changes, why });
  if (effect.length > effectMax) return tooMuch;
  held.set(key, { tool, args, changes, effect, approval: null });
  return result;
}

type WriteCall = {
  readonly key: string;
  readonly tool: Tool;
  readonly args: unknown;
  /** Left out once the user has said yes to what it would replace. */
  readonly thingsRead?: ReadOnlyThings;
};

export async function attemptCall(
  tx: Tx,
  work: ChatWork,
  { key, tool, args, thingsRead }: WriteCall,
): Promise<ToolOutcome> {
  assert(tool.kind === "write", `${tool.name} writes to our database`);
  const context = { ...chatContext(work, key), ...(thingsRead && { thingsRead }) };
  return attemptTool(tx, tool, context, args);
}
