import { describe, expect, test } from "vitest";
import type { RunIteration } from "../../../../../src/protocol/api.ts";
import type { RunView, ViewState } from "../../../../../src/protocol/run-view.ts";
import { blocksFor, indexOfNumber, knownIterations, numberAt, numberInHash } from "./iteration-rows.ts";

const made = (iteration: number, over: Partial<RunIteration> = {}): RunIteration => ({
  iteration,
  attempts: 1,
  status: "success",
  started_at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:05.000Z",
  summary: `did ${iteration}`,
  decision: "continue",
  why: "Work remains",
  error: null,
  metrics: null,
  artifacts: [],
  ...over,
});

const since = "2026-01-01T00:01:00.000Z";
const viewAt = (iteration: number, state: ViewState) => ({ iteration, attempt: 2, state }) as RunView;
const atWork = { status: "running", since, hold: null } as const;
const between = { status: "running", since: null, hold: null } as const;

describe("what is known", () => {
  test("the one in flight is at the top before the server has told of it", () => {
    const { last, byNumber } = knownIterations([made(2), made(1)], viewAt(3, atWork));
    expect(last).toBe(3);
    expect(byNumber.get(3)).toMatchObject({ status: "running", started_at: since, attempts: 2, ended_at: null });
  });

  test("between two iterations there is none in flight", () => {
    expect(knownIterations([made(2), made(1)], viewAt(3, between)).last).toBe(2);
  });

  test("an interrupted one that is taken up again is at work", () => {
    const cut = made(2, { status: "interrupted", decision: null });
    expect(knownIterations([cut], viewAt(2, atWork)).byNumber.get(2)?.status).toBe("running");
    expect(knownIterations([cut], viewAt(2, between)).byNumber.get(2)?.status).toBe("interrupted");
  });

  test("what the server says of an iteration counts more than what events told", () => {
    expect(knownIterations([made(2)], viewAt(2, atWork)).byNumber.get(2)?.summary).toBe("did 2");
  });

  test("a run that has not begun has none", () => {
    expect(knownIterations([], viewAt(1, { status: "queued" })).last).toBe(0);
  });
});

test("numbers and places lead to each other in both orders", () => {
  expect([0, 1, 9].map((index) => numberAt("newest", 10, index))).toEqual([10, 9, 1]);
  expect([0, 1, 9].map((index) => numberAt("oldest", 10, index))).toEqual([1, 2, 10]);
  for (const order of ["newest", "oldest"] as const)
    for (let number = 1; number <= 10; number++)
      expect(numberAt(order, 10, indexOfNumber(order, 10, number))).toBe(number);
});

test("only blocks with something in sight that is not loaded are asked for, each once", () => {
  expect(blocksFor([1_000, 951], 951, 50)).toEqual([]);
  expect(blocksFor([952, 951, 950, 949], 951, 50)).toEqual([901]);
  expect(blocksFor([51, 50, 1], 951, 50)).toEqual([51, 1]);
  expect(blocksFor([3, 2, 1], 1, 50)).toEqual([]);
});

test.each([
  ["#iteration-12", 12],
  ["iteration-7", 7],
  ["", null],
  ["#iteration-", null],
  ["#iteration-1e9", null],
  ["#iteration-12x", null],
  ["#iteration-99999999999", null],
])("the address %s means iteration %s", (hash, number) => {
  expect(numberInHash(hash)).toBe(number);
});
