// Every event of a run, oldest first: in words, and as it is for the curious. The end of a run at work is followed while one looks at it.

import { Alert, Button, Group, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo, useState } from "react";
import { messageOf } from "../../../lib/failure.ts";
import { useRun } from "../run-context.tsx";
import { EventList } from "./event-list.tsx";
import type { EventLog, EventLogState } from "./event-log.ts";
import { type EventFilter, isFiltering, matches } from "./event-words.ts";
import { EventsToolbar } from "./events-toolbar.tsx";
import { useEventLog } from "./use-event-log.ts";
import "./events.css";
import { tone } from "../../../lib/tones.ts";

const overStates = new Set<string>(["completed", "failed", "canceled"]);
const noFilter: EventFilter = { types: [], text: "" };
/** While one types. */
const pauseMs = 200;

export function Events() {
  const { run } = useRun();
  return <EventsOf key={run.id} runId={run.id} lastSeq={run.last_seq} isOver={overStates.has(run.status)} />;
}

type EventsOfProps = { readonly runId: string; readonly lastSeq: number; readonly isOver: boolean };

function EventsOf({ runId, lastSeq, isOver }: EventsOfProps) {
  const { log, state } = useEventLog(runId, lastSeq);
  const [filter, setFilter] = useState(noFilter);
  const [settled] = useDebouncedValue(filter, pauseMs);
  // One that is over is read from its beginning.
  const [mayFollow] = useState(!isOver);
  const [isFollowing, setFollowing] = useState(mayFollow);
  const seqs = useFiltered(log, state, settled);
  return (
    <section>
      <VisuallyHidden>
        <Title order={2}>Events</Title>
      </VisuallyHidden>
      <Stack gap="sm">
        <EventsToolbar
          runId={runId}
          log={log}
          filter={filter}
          onFilter={setFilter}
          isFollowing={mayFollow ? isFollowing : null}
          onFollow={setFollowing}
        />
        <HowMany state={state} found={seqs?.length ?? null} />
        {state.error ? <LoadFailure log={log} error={state.error} /> : null}
        <EventList log={log} state={state} seqs={seqs} isFollowing={isFollowing} onFollow={setFollowing} />
      </Stack>
    </section>
  );
}

/** The numbers of the events that fit; null where all of them do. To know, all have to be loaded. */
function useFiltered(log: EventLog, state: EventLogState, filter: EventFilter): readonly number[] | null {
  const isOn = isFiltering(filter);
  useEffect(() => {
    // A failure is in the log's state, and shown.
    if (isOn) log.loadAll().catch(() => {});
  }, [isOn, log]);
  return useMemo(() => {
    if (!isOn) return null;
    const loaded = state.loaded === 0 ? [] : log.inOrder();
    return loaded.filter((event) => matches(event, filter)).map(({ seq }) => seq);
  }, [isOn, log, state.loaded, filter]);
}

function HowMany({ state, found }: { readonly state: EventLogState; readonly found: number | null }) {
  const all = state.last.toLocaleString("en");
  const looked =
    state.loaded < state.last ? `, ${state.loaded.toLocaleString("en")} of ${all} looked through` : ` of ${all}`;
  return (
    <Text size="sm" c="dimmed" role="status">
      {found === null ? `${all} events` : `${found.toLocaleString("en")} found${looked}`}
    </Text>
  );
}

function LoadFailure({ log, error }: { readonly log: EventLog; readonly error: Error }) {
  return (
    <Alert color={tone.failure} title="Some events could not be loaded">
      <Group justify="space-between">
        <Text size="sm">{messageOf(error)}</Text>
        <Button size="xs" variant="default" onClick={() => void log.loadAll().catch(() => {})}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
