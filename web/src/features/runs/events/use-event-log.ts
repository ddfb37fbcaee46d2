// The event log of the run on the page: loaded as one looks, and told of every event as it happens.

import { useEffect, useState, useSyncExternalStore } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { runEvent } from "../../../../../src/protocol/routes/run-shapes.ts";
import { api } from "../../../lib/api.ts";
import { useLiveTopic } from "../../../lib/live/tab-stream.ts";
import { EventLog, type EventLogState } from "./event-log.ts";

export function useEventLog(runId: string, lastSeq: number): { readonly log: EventLog; readonly state: EventLogState } {
  const [log] = useState(() => new EventLog(lastSeq, (seq, limit, signal) => fetchAfter(runId, seq, limit, signal)));
  const [openedAt] = useState(lastSeq);
  const state = useSyncExternalStore(log.subscribe, log.state);
  useLiveTopic(`run:${runId}`, openedAt, ({ data }) => log.append(runEvent.parse(data)));
  useEffect(() => {
    log.open();
    return () => log.close();
  }, [log]);
  // What was read of the run meanwhile may know of more, for instance after the stream was away.
  useEffect(() => log.grow(lastSeq), [log, lastSeq]);
  return { log, state };
}

async function fetchAfter(runId: string, seq: number, limit: number, signal: AbortSignal) {
  const query = { include_events: "true", events_since_seq: seq, limit } as const;
  return (await api(routes.runs.get, { params: { runId }, query }, { signal })).events?.items ?? [];
}
