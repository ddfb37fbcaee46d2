// A write that waits for its user's word: what a tool would do, as the database did it and took it back again. What is shown,
// what is approved and what is compared at the replay is this record, and never what a model says about it.

import type { Change, ChangeOp } from "../entity/entity.ts";
import type { UserId } from "../identity/identity.ts";

/** `drifted`: approved, but something had changed since; nothing of it was written. */
export const writeStates = ["pending", "approved", "rejected", "applied", "drifted"] as const;
export type WriteState = (typeof writeStates)[number];

export const writeLimits = {
  /** A person reads no more than this before approving; and every further write is tried on top of all of these. */
  waiting: 100,
  /** Bytes of rows, before and after, that one run may keep waiting: some large documents. */
  waitingBytes: 32 * 1024 * 1024,
  note: 4_000,
  why: 500,
} as const;

/** A row as JSON, without what the database derives for searching. */
export type RowImage = Readonly<Record<string, unknown>>;

/** What one write does to one thing, from how it was to how it will be. */
export type StagedChange = {
  readonly op: ChangeOp;
  readonly kind: Change["kind"];
  readonly projectId: string;
  readonly entityId: string;
  /** For people. */
  readonly title: string;
  /** Null for what is new. */
  readonly before: RowImage | null;
  readonly after: RowImage;
};

/** Where the ids of what a write makes come from: a write that is asked about again still makes the same things. */
export type IdSeed = { readonly iteration: number; readonly entryKey: string };

export type NewStagedWrite = {
  readonly id: string;
  readonly iteration: number;
  readonly entryKey: string;
  readonly branchId: string | null;
  readonly seed: IdSeed;
  readonly tool: string;
  /** As they were checked by the tool's schema; plain JSON. */
  readonly args: unknown;
  /** The model's words; shown in quotation marks. */
  readonly why: string;
  /** Why the user is asked again; empty the first time. */
  readonly note: string;
  readonly changes: readonly StagedChange[];
};

export type StagedWrite = NewStagedWrite & {
  /** From 1; the order in which they are carried out. */
  readonly position: number;
  readonly state: WriteState;
  readonly stagedAt: string;
  readonly decidedAt: string | null;
  readonly decidedBy: UserId | null;
  readonly appliedAt: string | null;
};

/** What the history holds about one thing after a write: `before` is that of the first line. */
export type WrittenRow = Omit<StagedChange, "op">;

/** What happened to it in all, whatever it went through on the way. */
export function toStagedChange(row: WrittenRow): StagedChange {
  return { op: opOf(row), ...row };
}

function opOf({ before, after }: WrittenRow): ChangeOp {
  if (before === null) return "created";
  const wasBinned = isSet(before.deleted_at);
  if (wasBinned === isSet(after.deleted_at)) return "updated";
  return wasBinned ? "restored" : "deleted";
}

export const isSet = (value: unknown): boolean => value !== null && value !== undefined;
