import { expect, test } from "vitest";
import { makeEvent } from "../../../../test/helpers/cli-runs.ts";
import { withEvent } from "./held-events.ts";

const event = (seq: number) => makeEvent(seq, "entry_recorded");
const seqs = (held: ReturnType<typeof withEvent>) => held.map(({ seq }) => seq);

test("an event that a reconnect sends again is held once", () =>
  expect(seqs(withEvent([event(5), event(6)], event(5), 4))).toEqual([5, 6]));

test("one that comes late is put in its place", () =>
  expect(seqs(withEvent([event(5), event(7)], event(6), 4))).toEqual([5, 6, 7]));

test("what the run was read with is let go", () =>
  expect(seqs(withEvent([event(5), event(6)], event(7), 6))).toEqual([7]));

test("one that is known already is not held", () => expect(seqs(withEvent([], event(3), 4))).toEqual([]));
