// One event: its number, its time and one readable line; opened, as it is. Plain elements: hundreds of them come and go while
// one scrolls.

import { memo } from "react";
import type { RunEvent } from "../../../../../src/protocol/api.ts";
import { dateAndTime } from "../../../lib/dates.ts";
import { Chip } from "./chip.tsx";
import { describeKind, eventLine } from "./event-words.ts";
import { RawText } from "./raw-text.tsx";

type EventRowProps = {
  readonly seq: number;
  /** Undefined until it is loaded. */
  readonly event: RunEvent | undefined;
  readonly isOpen: boolean;
  readonly onToggle: (seq: number) => void;
};

const clock = new Intl.DateTimeFormat("en", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

export const EventRow = memo(function EventRow({ seq, event, isOpen, onToggle }: EventRowProps) {
  if (!event) {
    return (
      <div className="event-row" aria-busy>
        <span className="event-seq">{seq}</span>
        <span className="event-unloaded" />
      </div>
    );
  }
  const { name, color } = describeKind(event.type);
  return (
    <>
      <button type="button" className="event-row" aria-expanded={isOpen} onClick={() => onToggle(seq)}>
        <span className="event-seq">{seq}</span>
        <time className="event-time" dateTime={event.at} title={dateAndTime(event.at)}>
          {clock.format(new Date(event.at))}
        </time>
        <span className="event-type">
          <Chip color={color}>{name}</Chip>
        </span>
        <span className="event-line">{eventLine(event)}</span>
      </button>
      {isOpen ? (
        <div className="event-raw">
          <RawText label={`Event ${seq} as JSON`} text={JSON.stringify(event, null, 2)} />
        </div>
      ) : null}
    </>
  );
});
