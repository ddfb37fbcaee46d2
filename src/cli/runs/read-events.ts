// Everything that happened to a run so far, page by page, oldest first.

import { type RunEvent, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";

const eventsPage = 200;

export async function* allEvents(api: Api, runId: string, since: number): AsyncGenerator<RunEvent> {
  let after: number | null = since;
  while (after !== null) {
    const page = await eventsAfter(api, runId, after);
    yield* page.items;
    after = page.next_since_seq;
  }
}

type EventsPage = { readonly items: readonly RunEvent[]; readonly next_since_seq: number | null };

async function eventsAfter(api: Api, runId: string, after: number): Promise<EventsPage> {
  const query = { include_events: "true", events_since_seq: after, limit: eventsPage } as const;
  const { events } = await api(routes.runs.get, { params: { runId }, query });
  return events ?? { items: [], next_since_seq: null };
}
