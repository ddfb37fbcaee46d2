// Which cached server state a change of a project, or an event of the user's feed, makes old. Pure, so that it can be tested without a browser.

import type { QueryKey } from "@tanstack/react-query";
import type { Change, FeedEvent } from "../../../../src/protocol/api.ts";
import { keys } from "../data/keys.ts";

export function touchedQueries(projectId: string, change: Pick<Change, "kind" | "entity_id">): readonly QueryKey[] {
  const history: readonly QueryKey[] = [keys.changes(projectId), keys.changes(projectId, change.entity_id)];
  switch (change.kind) {
    case "project":
      return [...history, keys.facts(projectId), keys.members(projectId), keys.projects];
    case "edge":
      return [...history, keys.edges(projectId), keys.tree(projectId), keys.entities(projectId, "document")];
    case "document":
      return [...history, ...entityQueries(projectId, change), keys.tree(projectId)];
    case "task":
    case "goal":
    case "plan":
    case "milestone":
      return [...history, ...entityQueries(projectId, change)];
  }
}

/** A title may show up at the other end of a link, so the edges are old too. */
function entityQueries(projectId: string, change: Pick<Change, "kind" | "entity_id">): readonly QueryKey[] {
  if (change.kind === "project" || change.kind === "edge") return [];
  return [
    keys.entity(projectId, change.entity_id),
    keys.entities(projectId, change.kind),
    keys.edges(projectId),
    keys.search,
  ];
}

export function touchedByFeed({ type, data }: Pick<FeedEvent, "type" | "data">): readonly QueryKey[] {
  if (type !== "run_changed") return [keys.notifications];
  return [keys.runs, ...(typeof data.id === "string" ? [keys.run(data.id)] : [])];
}
