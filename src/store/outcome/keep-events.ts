// What live views of an outcome are told of a change, numbered without gaps by its row, which is locked; and its line in the lists.

import { statementIn, type Tx } from "../../db/database.ts";
import type { Outcome, OutcomeId } from "../../domain/homr/outcome.ts";
import type { OutcomeEvent } from "../../domain/homr/outcome-events.ts";
import { toJson } from "../json.ts";
import { appendToFeed } from "../notification/feed-store.ts";
import { outcomeTopic, tellTopics } from "../notification/topics.ts";

const insertText = `
  with numbered as (update outcomes set event_seq = event_seq + jsonb_array_length($2::jsonb) where id = $1::uuid returning event_seq)
  insert into outcome_events (outcome_id, seq, type, data)
  select $1::uuid, numbered.event_seq - jsonb_array_length($2::jsonb) + given.ord, e->>'type', e - 'type'
    from numbered, jsonb_array_elements($2::jsonb) with ordinality as given (e, ord)`;

export async function keepEvents(tx: Tx, id: OutcomeId, events: readonly OutcomeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await statementIn(tx)(insertText, [id, toJson(events)]);
  await tellTopics(tx, [outcomeTopic(id)]);
}

/** The feed is locked after runs, as everyone does. */
export const tellLists = (tx: Tx, { id, userId, name, status }: Outcome): Promise<void> =>
  appendToFeed(tx, userId, "outcome_changed", { id, name, status });
