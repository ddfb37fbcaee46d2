import { expect, test } from "vitest";
import { makeCall, makeMessage } from "../../../test/helpers/make-chat.ts";
import { type CallDecision, decideCalls } from "./decide-calls.ts";

const [a, b] = [makeCall({ callId: "a" }), makeCall({ callId: "b", position: 2 })];
const waiting = makeMessage({ state: "awaiting_confirmation", calls: [a, b] });
const approve = (callId: string): CallDecision => ({ callId, decision: "approve" });
const reject = (callId: string): CallDecision => ({ callId, decision: "reject" });

test("all of them decided: the answer goes on", () =>
  expect(decideCalls(waiting, [approve("a"), reject("b")])).toEqual({
    outcome: "decided",
    approved: ["a"],
    rejected: ["b"],
    isOver: true,
  }));

test("one of two decided: the other still waits", () =>
  expect(decideCalls(waiting, [approve("a")])).toMatchObject({ outcome: "decided", isOver: false }));

test("the last one decided: the answer goes on", () => {
  const half = { ...waiting, calls: [{ ...a, state: "approved" as const }, b] };
  expect(decideCalls(half, [reject("b")])).toMatchObject({ approved: [], rejected: ["b"], isOver: true });
});

test("the same word twice is one word", () => {
  const half = { ...waiting, calls: [{ ...a, state: "approved" as const }, b] };
  expect(decideCalls(half, [approve("a")])).toMatchObject({ outcome: "decided", approved: [], isOver: false });
});

test("what was decided is not decided otherwise", () => {
  const half = { ...waiting, calls: [{ ...a, state: "rejected" as const }, b] };
  expect(decideCalls(half, [approve("a")])).toMatchObject({ outcome: "refused" });
});

test("a call that is not there cannot be allowed", () =>
  expect(decideCalls(waiting, [approve("c")])).toEqual({ outcome: "unknown_call", callId: "c" }));

test("a call that needs no word cannot be allowed", () => {
  const free = { ...waiting, calls: [makeCall({ callId: "a", needsWord: false, state: "done", result: "" }), b] };
  expect(decideCalls(free, [approve("a")])).toMatchObject({ outcome: "unknown_call" });
});

test("a message that does not wait takes no word", () =>
  expect(decideCalls({ ...waiting, state: "stopped" }, [approve("a")])).toMatchObject({ outcome: "refused" }));
