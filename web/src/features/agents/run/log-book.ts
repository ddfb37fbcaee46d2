// The lines of both outputs of a run that a page has, in one order: by time, and as they stand in their files. Pure.

import type { LogLine, LogPage } from "../../../../../src/protocol/api.ts";

export type BookLine = LogLine & { readonly stream: LogPage["stream"] };

export type LogBook = {
  readonly lines: readonly BookLine[];
  /** Where earlier lines of each output end; 0: there are none. */
  readonly from: Readonly<Record<LogPage["stream"], number>>;
};

export const emptyBook: LogBook = { lines: [], from: { stdout: 0, stderr: 0 } };

/** Lines that a page keeps; more are in the file. */
const linesMax = 20_000;

/** A line that is known is replaced: it may have grown. */
export function addPage(book: LogBook, page: LogPage, isEarlier = false): LogBook {
  const known = new Set(page.lines.map(({ offset }) => offset));
  const kept = book.lines.filter(({ stream, offset }) => stream !== page.stream || !known.has(offset));
  const added = page.lines.map((line) => ({ ...line, stream: page.stream }));
  const lines = [...kept, ...added].sort(compare);
  const isFirst = !book.lines.some(({ stream }) => stream === page.stream);
  const from = isEarlier || isFirst ? { ...book.from, [page.stream]: page.from } : book.from;
  return { lines: isEarlier ? lines : lines.slice(-linesMax), from };
}

export const dropStream = (book: LogBook, stream: LogPage["stream"]): LogBook => ({
  lines: book.lines.filter((line) => line.stream !== stream),
  from: { ...book.from, [stream]: 0 },
});

/** A line without a time stands first; of two at the same time, the output before the errors. */
function compare(one: BookLine, other: BookLine): number {
  if (one.stream === other.stream) return one.offset - other.offset;
  const [left, right] = [one.at ?? "", other.at ?? ""];
  if (left !== right) return left < right ? -1 : 1;
  return one.stream === "stdout" ? -1 : 1;
}
