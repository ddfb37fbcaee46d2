// The names of cached server state, from wide to narrow, so that a prefix can be invalidated as a whole.

import type { EntityKind } from "../../../../src/protocol/kinds.ts";

export const keys = {
  instance: ["instance"] as const,
  me: ["me"] as const,
  projects: ["projects"] as const,
  search: ["search"] as const,
  models: ["models"] as const,
  /** Lists of runs, counts and estimates. */
  runs: ["runs"] as const,
  /** With the questions and notifications that wait. */
  runCounts: ["runs", "counts"] as const,
  run: (runId: string) => ["run", runId] as const,
  /** Lists of outcomes, and the questions of all of them. */
  outcomes: ["outcomes"] as const,
  /** One outcome with all that is read of it. */
  outcome: (outcomeId: string) => ["outcome", outcomeId] as const,
  outcomeTasks: (outcomeId: string) => ["outcome", outcomeId, "tasks"] as const,
  /** What HOMЯ saw, did, asked and knows. */
  homr: (outcomeId: string) => ["outcome", outcomeId, "homr"] as const,
  /** What was learnt in all of one's outcomes. */
  memories: ["memories"] as const,
  chats: ["chats"] as const,
  /** All that is read of the folders of agents. */
  agents: ["agents"] as const,
  chat: (chatId: string) => ["chat", chatId] as const,
  notifications: ["notifications"] as const,
  notificationPreferences: ["notification-preferences"] as const,
  project: (projectId: string) => ["project", projectId] as const,
  facts: (projectId: string) => ["project", projectId, "facts"] as const,
  members: (projectId: string) => ["project", projectId, "members"] as const,
  changes: (projectId: string, entityId?: string) => ["project", projectId, "changes", entityId ?? "all"] as const,
  entities: (projectId: string, kind: EntityKind) => ["project", projectId, "entities", kind] as const,
  entity: (projectId: string, entityId: string) => ["project", projectId, "entity", entityId] as const,
  tree: (projectId: string) => ["project", projectId, "tree"] as const,
  edges: (projectId: string) => ["project", projectId, "edges"] as const,
};
