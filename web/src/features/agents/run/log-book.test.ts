import { expect, test } from "vitest";
import type { LogPage } from "../../../../../src/protocol/api.ts";
import { addPage, dropStream, emptyBook } from "./log-book.ts";

const page = (stream: LogPage["stream"], lines: readonly (readonly [number, string, number | null])[]): LogPage => ({
  stream,
  lines: lines.map(([offset, text, second]) => ({
    offset,
    text,
    at: second === null ? null : `2026-11-16T12:00:0${second}.000Z`,
    bytes_left_out: 0,
    is_open: false,
  })),
  from: lines[0]?.[0] ?? 0,
  next: 99,
  size: 99,
});
const texts = (book: ReturnType<typeof addPage>) => book.lines.map(({ text }) => text);

test("both outputs are put in order by time", () => {
  const book = addPage(
    addPage(
      emptyBook,
      page("stdout", [
        [0, "a", 1],
        [2, "c", 3],
      ]),
    ),
    page("stderr", [[0, "b", 2]]),
  );
  expect(texts(book)).toEqual(["a", "b", "c"]);
});

test("a line that has grown takes the place of the shorter one", () => {
  const book = addPage(addPage(emptyBook, page("stdout", [[0, "half", 1]])), page("stdout", [[0, "half a line", 1]]));
  expect(texts(book)).toEqual(["half a line"]);
});

test("earlier lines come before, and move the beginning", () => {
  const book = addPage(emptyBook, page("stdout", [[10, "late", 2]]));
  const earlier = addPage(book, page("stdout", [[0, "early", 1]]), true);
  expect(texts(earlier)).toEqual(["early", "late"]);
  expect([book.from.stdout, earlier.from.stdout]).toEqual([10, 0]);
});

test("an output that begins anew loses its lines only", () => {
  const book = addPage(addPage(emptyBook, page("stdout", [[0, "a", 1]])), page("stderr", [[0, "b", 2]]));
  expect(texts(dropStream(book, "stdout"))).toEqual(["b"]);
});
