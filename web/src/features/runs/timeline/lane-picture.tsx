// Who worked when in one iteration: a line of time for each, side by side, and the same as a table for who does not see it.

import { Anchor, Group, Table, Text } from "@mantine/core";
import { useState } from "react";
import { shortDuration } from "./iteration-words.ts";
import { type Bar, beganMs, type Lane, type LaneBars, spansOf, tookMs } from "./lanes.ts";

const trackHeight = 14;
/** So that what took no time is still seen. */
const leastWidth = 4;

export function LanePicture({ lanes }: { readonly lanes: readonly Lane[] }) {
  // The moment it is drawn; entries that come later draw it anew.
  const spans = spansOf(lanes, Date.now());
  const startMs = Math.min(...lanes.flatMap(({ entries }) => entries.map(beganMs)));
  if (spans.totalMs === 0) return null;
  return (
    <details className="lane-picture fold">
      <Text component="summary" size="sm" c="dimmed">
        Who did what when
      </Text>
      {spans.lanes.map((lane) => (
        <LaneTrack key={lane.lane.id} lane={lane} />
      ))}
      <Group justify="space-between" aria-hidden>
        <Text size="xs" c="dimmed">
          0
        </Text>
        <Text size="xs" c="dimmed">
          {shortDuration(spans.totalMs)}
        </Text>
      </Group>
      <AsTable lanes={lanes} startMs={startMs} />
    </details>
  );
}

function LaneTrack({ lane: { lane, bars } }: { readonly lane: LaneBars }) {
  return (
    <div className="lane-row" aria-hidden>
      <Text size="xs" c="dimmed" truncate className="lane-name" title={lane.title}>
        {lane.title}
      </Text>
      <svg className="lane-track" width="100%" height={trackHeight} aria-hidden="true">
        <rect className="lane-ground" width="100%" height={trackHeight} rx={3} />
        {bars.map((bar) => (
          <BarShape key={bar.entry.id} bar={bar} />
        ))}
      </svg>
    </div>
  );
}

function BarShape({ bar: { entry, from, to } }: { readonly bar: Bar }) {
  const kind = entry.is_error ? "error" : entry.kind;
  const x = `${from * 100}%`;
  return (
    <g className={`lane-bar lane-bar-${kind}`}>
      <rect x={x} width={`${(to - from) * 100}%`} height={trackHeight} rx={2}>
        <title>{`${entry.summary}: ${shortDuration(tookMs(entry) ?? 0)}`}</title>
      </rect>
      {/* From the right edge inwards at the very end, so that it is not cut off. */}
      <rect x={x} width={leastWidth} height={trackHeight} rx={1} transform={`translate(${-leastWidth * from} 0)`} />
    </g>
  );
}

function AsTable({ lanes, startMs }: { readonly lanes: readonly Lane[]; readonly startMs: number }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Anchor component="button" type="button" size="xs" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? "Hide the table" : "Show as a table"}
      </Anchor>
      {isShown ? (
        <div className="scroll-x">
          <Table fz="xs" withTableBorder captionSide="top">
            <Table.Caption>When each step began, counted from the first, and how long it took</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Who</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>Began after</Table.Th>
                <Table.Th>Took</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lanes.flatMap((lane) =>
                lane.entries.map((entry) => (
                  <Table.Tr key={entry.id}>
                    <Table.Td>{lane.title}</Table.Td>
                    <Table.Td>{entry.summary}</Table.Td>
                    <Table.Td>{shortDuration(beganMs(entry) - startMs)}</Table.Td>
                    <Table.Td>{entry.ended_at === null ? "under way" : shortDuration(tookMs(entry) ?? 0)}</Table.Td>
                  </Table.Tr>
                )),
              )}
            </Table.Tbody>
          </Table>
        </div>
      ) : null}
    </>
  );
}
