// What the user keeps: projects, and the things in them. Times are ISO strings in UTC; ids are UUIDs.

import type { ProjectRole, UserId } from "../identity/identity.ts";
import type { EntityKind } from "./kinds.ts";

export type Props = Readonly<Record<string, unknown>>;

type Kept = {
  readonly id: string;
  readonly typeKey: string;
  readonly stateKey: string;
  readonly props: Props;
  /** Goes up by one with every write; a write names the version it was made against. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set while it lies in the bin. */
  readonly deletedAt: string | null;
};

export type Project = Kept & {
  readonly name: string;
  readonly description: string;
  /** The role of the user who asked. */
  readonly role: ProjectRole;
};

export type EntitySummary = Kept & {
  readonly kind: EntityKind;
  readonly projectId: string;
  readonly title: string;
  readonly description: string;
  readonly priority: number | null;
  readonly dueAt: string | null;
  readonly parentId: string | null;
  readonly createdBy: UserId | null;
  readonly createdByRun: string | null;
  readonly updatedByRun: string | null;
};

export type Entity = EntitySummary & { readonly content: string };

/** Fields a person or a run may set; what is left out stays as it is. */
export type EntityFields = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly content?: string | undefined;
  readonly type_key?: string | undefined;
  readonly state_key?: string | undefined;
  readonly props?: Props | undefined;
  readonly priority?: number | null | undefined;
  readonly due_at?: string | null | undefined;
};

export type Edge = {
  readonly id: string;
  readonly rel: string;
  readonly src: EdgeEnd;
  readonly dst: EdgeEnd;
  readonly props: Props;
  readonly createdAt: string;
};

export type EdgeEnd = {
  readonly kind: EntityKind;
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
};

export type ChangeOp = "created" | "updated" | "deleted" | "restored";

/** One write, as the history keeps it. */
export type Change = {
  readonly seq: number;
  readonly at: string;
  readonly op: ChangeOp;
  readonly kind: EntityKind | "project" | "edge";
  readonly entityId: string;
  readonly title: string;
  readonly version: number | null;
  readonly actorId: UserId | null;
  readonly runId: string | null;
};

/** A page of a list and where the next one begins. */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** How a write against a version ends. */
export type Saved<Item> =
  | { readonly outcome: "saved"; readonly value: Item }
  | { readonly outcome: "stale"; readonly current: Item }
  | { readonly outcome: "binned" }
  | { readonly outcome: "missing" };
