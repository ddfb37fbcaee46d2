// The list of iterations. Only those in sight are on the page; each has its place before it is loaded, and its height is
// measured. Arrow keys, Home and End go from one to the next.

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IterationCard } from "./iteration-card.tsx";
import { indexOfNumber, type KnownIterations, numberAt, type Order } from "./iteration-rows.ts";
import { useIterationsInSight } from "./use-iterations.ts";
import { useNotes } from "./use-notes.ts";
import { useScrollMargin } from "./use-scroll-margin.ts";

/** An iteration to open and show; `time` tells one wish from the next. */
export type Target = { readonly iteration: number; readonly time: number };

type IterationListProps = {
  readonly runId: string;
  readonly known: KnownIterations;
  readonly order: Order;
  readonly withPlatform: boolean;
  readonly target: Target | null;
  /** The same function every time. */
  readonly onFork: (iteration: number) => void;
};

/** A closed one with two lines of summary. */
const usualHeight = 104;
/** What lies over the page at the top: the header, and some room. */
const headerHeight = 72;

export function IterationList({ runId, known, order, withPlatform, target, onFork }: IterationListProps) {
  const { last } = known;
  const list = useRef<HTMLOListElement>(null);
  const scrollMargin = useScrollMargin(list);
  const notes = useNotes(runId);
  const { opened, toggle, open } = useOpened(last);
  const virtual = useWindowVirtualizer({
    count: last,
    estimateSize: () => usualHeight,
    getItemKey: (index) => numberAt(order, last, index),
    overscan: 6,
    gap: 8,
    scrollMargin,
    scrollPaddingStart: headerHeight,
  });
  const items = virtual.getVirtualItems();
  const numbers = items.map(({ index }) => numberAt(order, last, index));
  const iterationOf = useIterationsInSight(runId, known, numbers);
  const show = (number: number) => virtual.scrollToIndex(indexOfNumber(order, last, number), { align: "start" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every wish, not again when more are loaded
  useEffect(() => {
    if (target === null || target.iteration > last) return;
    open(target.iteration);
    show(target.iteration);
    focusOn(list.current, target.iteration);
  }, [target?.iteration, target?.time]);
  const onKeyDown = (event: KeyboardEvent) => {
    const from = numberOfHeader(event.target);
    const to = from === null ? null : neighbour(event.key, indexOfNumber(order, last, from), last);
    if (to === null) return;
    event.preventDefault();
    virtual.scrollToIndex(to, { align: "auto" });
    focusOn(list.current, numberAt(order, last, to));
  };
  return (
    <ol
      ref={list}
      className="plain-list iteration-list"
      aria-label="Iterations"
      data-scrolling={virtual.isScrolling || undefined}
      style={{ height: virtual.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {items.map(({ index, key, start }) => {
        const number = numberAt(order, last, index);
        return (
          <li
            key={key}
            id={`iteration-${number}`}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={last}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            <IterationCard
              runId={runId}
              number={number}
              iteration={iterationOf(number)}
              isOpen={opened.has(number)}
              withPlatform={withPlatform}
              notes={notes}
              onToggle={toggle}
              onFork={onFork}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** The one that was newest when the page came is open from the beginning. */
function useOpened(last: number) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(() => new Set([last]));
  const [toggle] = useState(() => (number: number) => {
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  });
  const open = (number: number) => setOpened((before) => new Set([...before, number]));
  return { opened, toggle, open };
}

/** Frames to wait until a place that was scrolled to is on the page. */
const framesMax = 30;

function focusOn(list: HTMLElement | null, number: number, framesLeft = framesMax): void {
  const header = list?.querySelector<HTMLElement>(`#iteration-${number} [data-iteration]`);
  if (header) header.focus({ preventScroll: true });
  else if (framesLeft > 0) requestAnimationFrame(() => focusOn(list, number, framesLeft - 1));
}

function numberOfHeader(target: EventTarget): number | null {
  const number = target instanceof HTMLElement ? target.dataset.iteration : undefined;
  return number === undefined ? null : Number(number);
}

function neighbour(key: string, index: number, count: number): number | null {
  if (key === "ArrowDown") return Math.min(count - 1, index + 1);
  if (key === "ArrowUp") return Math.max(0, index - 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
