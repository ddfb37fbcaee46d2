// What a tool is: a name, a schema, what it may touch, and one function. Reads and writes of our own database run in a
// transaction of the run's user; what reaches outside is told apart, because it cannot be rolled back.

import type { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { ArtifactRef } from "../domain/plan/plan.ts";
import type { ToolTag } from "../domain/policy/egress.ts";
import type { Workspace } from "../domain/workspace/workspace.ts";
import type { ReadOnlyThings, Sighting } from "./things-read.ts";

/** Where and for whom a tool works. */
export type ToolContext = {
  readonly userId: UserId;
  /** Null in a chat. */
  readonly runId: string | null;
  readonly iteration: number;
  /** The branch of an executor; null for the planner. */
  readonly branchId: string | null;
  /** Projects it may look at and write to, the workspace's among them; null: all that the user may. */
  readonly projectIds: readonly string[] | null;
  /** Null in a chat. */
  readonly workspace: Workspace | null;
  /** Of the user, such as `Europe/Berlin`; a day that a model names ends there. UTC where it is not known. */
  readonly timeZone?: string;
  /** What the session has read of the user's things; left out: there is no session, a person approved the very write. */
  readonly thingsRead?: ReadOnlyThings;
  /** The same ids whenever the same entry is done, so that a staged write and its replay make the same thing. */
  readonly newId: () => string;
};

export type ToolFailure = "invalid_arguments" | "not_found" | "denied" | "conflict" | "unavailable" | "failed";

export type ToolOutcome =
  | {
      readonly ok: true;
      /** What the model reads; long ones are kept whole and shown in part. */
      readonly text: string;
      /** What was made or changed. */
      readonly artifacts: readonly ArtifactRef[];
      /** In a line, for the timeline. */
      readonly summary: string;
      /** The text comes from someone who is not the user: the web, another person, another program. */
      readonly isUntrusted: boolean;
      /** Addresses that the configured search returned as its results: the policy lets a run open them. */
      readonly foundUrls?: readonly string[];
      /** What it shows of the user's things. */
      readonly seen?: readonly Sighting[];
      /** The answer of a write that shows text of the user's things, too. */
      readonly showsText?: true;
    }
  | {
      readonly ok: false;
      readonly code: ToolFailure;
      /** What went wrong and what to do about it, for the model. */
      readonly text: string;
      /** Words of another program are in the text. */
      readonly isUntrusted?: true;
      readonly seen?: readonly Sighting[];
      readonly showsText?: true;
    };

type ToolBase<Args> = {
  readonly name: string;
  readonly description: string;
  readonly args: z.ZodType<Args>;
  readonly tags: readonly ToolTag[];
  /** Its description comes from another program that the operator has not vouched for. */
  readonly isForeignText?: true;
  /** 1: what every planner sees; 2: when chosen or missed; 3: everything there is. */
  readonly stage: 1 | 2 | 3;
};

export type ReadTool<Args> = ToolBase<Args> & {
  readonly kind: "read";
  readonly read: (tx: Tx, context: ToolContext, args: Args) => Promise<ToolOutcome>;
};

/** A refusal is returned before anything is written. */
export type WriteTool<Args> = ToolBase<Args> & {
  readonly kind: "write";
  readonly write: (tx: Tx, context: ToolContext, args: Args) => Promise<ToolOutcome>;
};

export type OutsideTool<Args> = ToolBase<Args> & {
  readonly kind: "outside";
  /** Doing it twice with the same key does no harm. */
  readonly isRepeatable: boolean;
  /** The addresses this call would send something to, for the policy; null where that cannot be told. */
  readonly destination: (args: Args) => string | null;
  readonly act: (
    context: ToolContext,
    args: Args,
    call: {
      readonly idempotencyKey: string;
      readonly signal: AbortSignal;
      /** Whether it may go on to where it is sent; left out: anywhere. */
      readonly mayFollow?: (url: string) => boolean;
    },
  ) => Promise<ToolOutcome>;
};

// biome-ignore lint/suspicious/noExplicitAny: a registry holds tools of all argument types; each parses its own.
export type Tool = ReadTool<any> | WriteTool<any> | OutsideTool<any>;

/** Keeps the type of the arguments while a tool is written down. */
export const readTool = <Args>(tool: Omit<ReadTool<Args>, "kind">): Tool => ({ kind: "read", ...tool });
export const writeTool = <Args>(tool: Omit<WriteTool<Args>, "kind">): Tool => ({ kind: "write", ...tool });
export const outsideTool = <Args>(tool: Omit<OutsideTool<Args>, "kind">): Tool => ({ kind: "outside", ...tool });

export type ToolRefusal = Extract<ToolOutcome, { readonly ok: false }>;

export const refuse = (code: ToolFailure, text: string): ToolRefusal => ({ ok: false, code, text });

/** A write answers in the platform's own words; null: it has changed nothing. */
export const wrote = (
  thing: ArtifactRef | null,
  text: string,
  summary: string,
): Extract<ToolOutcome, { ok: true }> => ({
  ok: true,
  text,
  artifacts: thing === null ? [] : [thing],
  summary,
  isUntrusted: false,
});
