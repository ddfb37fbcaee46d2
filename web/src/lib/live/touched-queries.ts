// Which cached server state a change of a project, or an event of the user's feed, makes old. Pure, so that it can be tested without a browser.

import type { QueryKey } from "@tanstack/react-query";
import type { Change, FeedEvent, OutcomeEvent } from "../../../../src/protocol/api.ts";
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
  const id = typeof data.id === "string" ? data.id : null;
  switch (type) {
    case "run_changed":
      return [keys.runs, ...(id === null ? [] : [keys.run(id)])];
    case "outcome_changed":
      return [keys.outcomes, keys.runCounts, ...(id === null ? [] : [keys.outcome(id)])];
    default:
      // Lists of runs mark those with an unread notification.
      return [keys.notifications, keys.runs];
  }
}

/** An event of an outcome's own stream. What is not known touches everything of the outcome: it is a newer server's. */
export function touchedByOutcome(outcomeId: string, { event }: Pick<OutcomeEvent, "event">): readonly QueryKey[] {
  const itself: QueryKey = [...keys.outcome(outcomeId), "itself"];
  switch (event.type) {
    case "task_changed":
      return [itself, keys.outcomeTasks(outcomeId)];
    case "escalation_changed":
      return [itself, keys.homr(outcomeId), keys.outcomeTasks(outcomeId), keys.outcomes, keys.runCounts];
    case "activity_logged":
      return [itself, keys.homr(outcomeId)];
    default:
      return [keys.outcome(outcomeId)];
  }
}
