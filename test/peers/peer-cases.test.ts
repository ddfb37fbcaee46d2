import { expect, test } from "vitest";
import { agentRows } from "./agent-rows.ts";
import { exitRows } from "./exit-rows.ts";
import { loopRows } from "./loop-rows.ts";
import { textRows } from "./text-rows.ts";

const rows = [...textRows, ...exitRows, ...loopRows, ...agentRows];

test.each(rows)("$id: $what", ({ play, ours }) => {
  expect(play()).toEqual(ours);
});

test("where we answer otherwise, the row says what the peer answers", () => {
  expect(rows.filter(({ why }) => why !== undefined && !why.startsWith("the peer"))).toEqual([]);
});

/** The peers' cases we know, by area: every odd number up to this one. */
const known: Readonly<Record<string, number>> = {
  "status-block": 11,
  edge: 9,
  "exit-counters": 17,
  "plan-boxes": 17,
  "asks-question": 5,
  breaker: 3,
  "breaker-recovery": 9,
  "same-error": 9,
  "provider-limit": 11,
  promise: 13,
  "evidence-text": 9,
  "loop-rules": 11,
  stuck: 7,
  judge: 19,
  accounting: 7,
};

test.each(Object.entries(known))("every case of %s that we know has a row", (area, last) => {
  const numbers = Array.from({ length: (last + 1) / 2 }, (_, n) => String(2 * n + 1).padStart(3, "0"));
  const ids = new Set(rows.map(({ id }) => id));
  expect(numbers.filter((number) => !ids.has(`${area}-${number}`))).toEqual([]);
});
