// What a conversation is: messages in order, and the tool calls that an answer wants. At most one answer is open: being
// written, or waiting for the user's word.

import type { Brand } from "../../lib/brand.ts";
import type { StagedChange } from "../change-set/staged-write.ts";
import type { UserId } from "../identity/identity.ts";
import type { ForeignText } from "../policy/foreign-text.ts";

export type ChatId = Brand<string, "ChatId">;

export const messageStates = ["complete", "streaming", "failed", "stopped", "awaiting_confirmation"] as const;
export type MessageState = (typeof messageStates)[number];

/** `begun`: the call reached the outside world, and its outcome is not known yet. */
export const callStates = ["pending", "approved", "rejected", "begun", "done", "failed"] as const;
export type CallState = (typeof callStates)[number];

export const callKinds = ["read", "write", "outside"] as const;
export type CallKind = (typeof callKinds)[number];

export const chatEventTypes = ["message", "text", "tool", "confirm", "done", "error"] as const;
export type ChatEventType = (typeof chatEventTypes)[number];

export const chatLimits = {
  /** Characters of one message: a few pages. What is longer belongs into a document. */
  text: 20_000,
  title: 200,
  /** Calls of a model for one message of the user: what takes more is work for a run. */
  answers: 8,
  /** Tool calls of one answer; a person does not confirm more at once. */
  callsAtOnce: 8,
  /** Answers being written for one user at the same time. */
  open: 4,
  /** Messages of one conversation: a thousand exchanges, each with a tool or two. */
  messages: 4_000,
  /** A process that gives no sign of life for so long does not write any more; there is one every 5 s. */
  silentSeconds: 15,
  /** Processes that begin or go on with one message: more than a few died on it, and the next one would, too. */
  attempts: 5,
} as const;

export type Chat = {
  readonly id: ChatId;
  readonly userId: UserId;
  readonly title: string;
  readonly contextType: string;
  readonly entityId: string | null;
  /** The run it is a follow-up of. */
  readonly runId: string | null;
  /** The number of its last event. */
  readonly lastSeq: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** An answer that is to be written. */
export type DueAnswer = { readonly chatId: ChatId; readonly userId: UserId };

export type ChatCall = {
  /** From 1, in the order in which the model wants them. */
  readonly position: number;
  readonly callId: string;
  readonly tool: string;
  readonly kind: CallKind;
  /** As the tool's schema left them; plain JSON. */
  readonly args: unknown;
  /** What it does, in our own words. */
  readonly effect: string;
  /** What a write would do, as the database did it and took it back. */
  readonly changes: readonly StagedChange[];
  readonly needsWord: boolean;
  /** What a yes also allows for the rest of the conversation. */
  readonly approval: string | null;
  readonly state: CallState;
  /** What the model is told; null until it has ended. */
  readonly result: string | null;
  /** In a line, for people. */
  readonly summary: string | null;
  readonly isUntrusted: boolean;
  readonly foundUrls: readonly string[];
};

export type ChatSaid = {
  readonly native: { readonly provider: string; readonly model: string; readonly message: unknown } | null;
  readonly callIds: readonly string[];
};

export type ChatMessage = {
  readonly seq: number;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** What others wrote and the user handed over with it. */
  readonly foreignTexts: readonly ForeignText[];
  readonly state: MessageState;
  readonly model: string | null;
  /** Rules, no AI. */
  readonly isDemo: boolean;
  /** Why it failed, for people; null unless it did. */
  readonly error: string | null;
  /** What the model's provider wants back as it came, and the ids it gave the calls; null before that. */
  readonly said: ChatSaid | null;
  readonly calls: readonly ChatCall[];
  readonly costMicroUsd: number;
  readonly unpricedCalls: number;
  readonly tokens: number;
  readonly createdAt: string;
};

/** What the whole conversation has brought so far, also what a prompt no longer shows. */
export type ChatFacts = {
  readonly hasReadUntrusted: boolean;
  /** What the user wrote and could hold an address. */
  readonly userTexts: readonly string[];
  readonly foundUrls: readonly string[];
  /** `approval` of calls that were allowed. */
  readonly approvals: readonly string[];
};

export type ChatEvent = {
  readonly seq: number;
  readonly type: ChatEventType;
  readonly data: Readonly<Record<string, unknown>>;
};
