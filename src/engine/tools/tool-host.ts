// For whom a tool is called: a run or a chat. The gate (call-tool.ts) is the same for both; what differs is here.

import type { Database, Tx } from "../../db/database.ts";
import type { EgressState } from "../../domain/policy/egress.ts";
import type { ChangeRule, NeedsUser } from "../../domain/policy/judge-call.ts";
import type { Journal } from "../../runs/ports/engine.ts";
import type { EntryHead } from "../../runs/ports/run-store.ts";
import type { Registry } from "../../tools/registry.ts";
import type { Tool, ToolContext, ToolOutcome, WriteTool } from "../../tools/tool.ts";
import type { Asking } from "../ask.ts";

export type ToolHost = Asking & {
  readonly db: Database;
  readonly registry: Pick<Registry, "find">;
  readonly journal: Journal<Tx>;
  /** Makes fences unguessable. */
  readonly nonce: string;
  /** Of the calls of a model that mend arguments. */
  readonly cacheKey: string;
  readonly identity: { readonly userId: ToolContext["userId"]; readonly runId?: string };
  /** Null: every tool of the registry. */
  readonly allowedTools: readonly string[] | null;
  readonly changeRule: ChangeRule;
  /** The operator's choice: an address that was composed after private things were read is asked about. Left out: it is not. */
  readonly asksBeforeComposed?: boolean;
  /** What the user named and allowed before this session. */
  readonly memory: { readonly userUrls: readonly string[]; readonly approvedDestinations: readonly string[] };
  readonly noticed: Noticed;
  readonly contextFor: (key: string, branchId: string | null) => ToolContext;
  /** How a result is named where only its beginning is shown. */
  readonly refOf: (key: string) => string;
  /** Null: writes are made at once. */
  readonly staging: ToolStaging | null;
  /** A call that needs the user's word: what the model is told, and what becomes of the question. */
  readonly askFirst: (head: EntryHead, wanted: WantedTool, needs: NeedsUser) => Refusal;
};

/** Arguments as they would be carried out. */
export type WantedTool<T = Tool> = { readonly tool: T; readonly args: unknown };

export type ToolStaging = {
  /** Tries a write, takes it back and keeps it for the user's word. */
  readonly stage: (head: EntryHead, wanted: WantedTool<WriteTool<unknown>>, place: ToolContext) => Promise<ToolOutcome>;
  /** Reads as if everything that waits were written. */
  readonly readOver: <T>(tx: Tx, work: () => Promise<T>) => Promise<T>;
};

/** Why a call is not made; `grant`: what the user is asked for it, and what a yes would allow. */
export type Refusal = {
  readonly outcome: ToolOutcome;
  readonly grant: { readonly approval: string; readonly question: string } | null;
  /** It is shown to the user and kept with that; the journal gets its entry when it is carried out. */
  readonly isWaiting?: true;
};

/** What the parts of a session notice on the way. Only ever added to, so the order does not matter. */
export type Noticed = {
  hasReadUntrusted: boolean;
  /** Something of the user's was shown, beyond what they said. */
  hasReadPrivate: boolean;
  readonly searchUrls: Set<string>;
  /** Addresses in what the user said while the session went on. */
  readonly userUrls: Set<string>;
  readonly missedTools: Set<string>;
  /** What the user's word is needed for: what a yes would grant, and the question. */
  readonly grants: Map<string, string>;
};

type NoticedBefore = Pick<Noticed, "hasReadUntrusted" | "hasReadPrivate">;

export const newNoticed = (before: NoticedBefore, searchUrls: readonly string[]): Noticed => ({
  ...before,
  searchUrls: new Set(searchUrls),
  userUrls: new Set(),
  missedTools: new Set(),
  grants: new Map(),
});

type Judging = Pick<ToolHost, "memory" | "noticed" | "asksBeforeComposed">;

export const toEgress = ({ memory, noticed, asksBeforeComposed = false }: Judging): EgressState => ({
  hasReadUntrusted: noticed.hasReadUntrusted,
  hasSeenPrivate: true, // It can read the user's things at any time.
  asksComposed: asksBeforeComposed && noticed.hasReadPrivate,
  userUrls: [...memory.userUrls, ...noticed.userUrls],
  searchUrls: [...noticed.searchUrls],
  approvedDestinations: memory.approvedDestinations,
});
