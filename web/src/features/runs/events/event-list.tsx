// A window onto the events: only those in sight are on the page, and what is missing of them is fetched. At the end it stays at
// the end while it is followed; scrolling up lets go of it.

import { Box, Paper, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import type { EventLog, EventLogState } from "./event-log.ts";
import { EventRow } from "./event-row.tsx";

type EventListProps = {
  readonly log: EventLog;
  readonly state: EventLogState;
  /** Only these; null: all. */
  readonly seqs: readonly number[] | null;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
};

/** A row of one line; opened ones and narrow screens are measured. */
const rowHeight = 33;
/** Closer to the end than this is at the end. */
const endPx = 40;

export function EventList({ log, state, seqs, isFollowing, onFollow }: EventListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const count = seqs?.length ?? state.last;
  const seqAt = (index: number) => seqs?.[index] ?? index + 1;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: seqAt,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (seqs === null) void log.need(first + 1, last + 1);
  }, [log, seqs, first, last]);
  useFollow(box, isFollowing, onFollow, () => virtual.scrollToEnd(), `${count}:${virtual.getTotalSize()}`);
  const toggle = (seq: number) => setOpened((before) => toggled(before, seq));
  if (count === 0) return <Text c="dimmed">{seqs === null ? "Nothing has happened yet." : "No event fits."}</Text>;
  return (
    <Paper withBorder ref={box} className="event-window" tabIndex={0} role="region" aria-label="Events of this run">
      <Box
        component="ol"
        className="plain-list virtual-list"
        data-scrolling={virtual.isScrolling || undefined}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const seq = seqAt(index);
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <EventRow seq={seq} event={state.bySeq.get(seq)} isOpen={opened.has(seq)} onToggle={toggle} />
            </li>
          );
        })}
      </Box>
    </Paper>
  );
}

function toggled(before: ReadonlySet<number>, seq: number): ReadonlySet<number> {
  const after = new Set(before);
  if (!after.delete(seq)) after.add(seq);
  return after;
}

/** `mark` changes whenever the end may have moved. */
function useFollow(
  box: { readonly current: HTMLDivElement | null },
  isFollowing: boolean,
  onFollow: (isFollowing: boolean) => void,
  scrollToEnd: () => void,
  mark: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with `mark`; how to get there is always the same
  useEffect(() => {
    if (isFollowing) scrollToEnd();
  }, [isFollowing, mark]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // Only what a person does counts: rows that are measured move the end as well.
    const look = (isUp: boolean) => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < endPx;
      if (isUp) onFollow(false);
      else if (isAtEnd) onFollow(true);
    };
    const byWheel = (event: WheelEvent) => requestAnimationFrame(() => look(event.deltaY < 0));
    const byKey = ({ key }: KeyboardEvent) => {
      if (["ArrowUp", "PageUp", "Home"].includes(key)) look(true);
      if (["ArrowDown", "PageDown", "End"].includes(key)) requestAnimationFrame(() => look(false));
    };
    const byHand = () => look(element.scrollHeight - element.scrollTop - element.clientHeight >= endPx);
    element.addEventListener("wheel", byWheel, { passive: true });
    element.addEventListener("keydown", byKey);
    element.addEventListener("touchmove", byHand, { passive: true });
    element.addEventListener("pointerup", byHand);
    return () => {
      element.removeEventListener("wheel", byWheel);
      element.removeEventListener("keydown", byKey);
      element.removeEventListener("touchmove", byHand);
      element.removeEventListener("pointerup", byHand);
    };
  }, [box, onFollow]);
}
