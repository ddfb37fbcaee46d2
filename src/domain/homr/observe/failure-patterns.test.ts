import { describe, expect, test } from "vitest";
import { makeObservation, makeSummary, taskId } from "../../../../test/helpers/make-outcome.ts";
import { defaultHomrConfig } from "../homr-config.ts";
import { findPatterns } from "./failure-patterns.ts";
import type { DriftItem, Observation, ObservationSummary } from "./observation.ts";
import { summarizeObservation } from "./read-observation.ts";

const usual = defaultHomrConfig.failurePatterns;

function check(history: readonly ObservationSummary[], now: Partial<Observation>, config: Partial<typeof usual> = {}) {
  return findPatterns(history, makeObservation(now), { ...usual, ...config })?.type ?? null;
}

const failed = { hasSucceeded: false, onTrack: false, alignmentScore: 60 };
const failures = (count: number) => Array.from({ length: count }, (_, n) => makeSummary({ ...failed, id: `o${n}` }));
const scored = (...scores: number[]) =>
  scores.map((alignmentScore, n) => makeSummary({ alignmentScore, id: `o${n}`, taskId: taskId(n + 2) }));

test("work that goes well shows no pattern", () => expect(check(scored(90, 80, 95), {})).toBeNull());

describe("failures in a row", () => {
  test("the third trips", () => expect(check(failures(2), failed)).toBe("consecutive_failures"));
  test("the second does not", () => expect(check(failures(1), failed)).toBeNull());
  test("a success between them begins anew", () =>
    expect(check([...failures(2), makeSummary({ id: "good" }), ...failures(1)], failed)).toBeNull());
  test("a success after them ends it", () => expect(check(failures(5), {})).toBeNull());

  test("an observation that stands in the history already counts once", () => {
    const now = makeObservation(failed);
    expect(findPatterns([...failures(1), summarizeObservation(now)], now, usual)).toBeNull();
  });

  test("work that passed its checks and is off the rails counts as failed", () =>
    expect(check(failures(2), { quality: "off_rails" })).toBe("consecutive_failures"));

  test("so does work below the healthy alignment", () => {
    expect(check(failures(2), { alignmentScore: 49 })).toBe("consecutive_failures");
    expect(check(failures(2), { alignmentScore: 50 })).toBeNull();
  });

  test("a threshold above what is looked back at can be reached", () =>
    expect(check(failures(6), failed, { consecutiveFailureThreshold: 7, lookbackCount: 5 })).toBe(
      "consecutive_failures",
    ));

  test("it says what was seen, and where", () => {
    expect(findPatterns(failures(2), makeObservation({ ...failed, summary: "It broke" }), usual)).toMatchObject({
      why: "The last 3 attempts failed or went off course",
      evidence: expect.arrayContaining(["60/100: It broke"]),
      taskIds: [taskId(2), taskId(1)],
    });
  });
});

describe("declining quality", () => {
  test("it falls below the healthy alignment", () =>
    expect(check(scored(95, 80), { alignmentScore: 45 })).toBe("declining_quality"));
  test("it falls, and is still healthy", () => expect(check(scored(95, 80), { alignmentScore: 65 })).toBeNull());
  test("it was worse before", () => expect(check(scored(95, 40, 80), { alignmentScore: 45 })).toBeNull());
  test("one bad attempt after good ones is no trend", () =>
    expect(check(scored(79, 81), { alignmentScore: 31 })).toBeNull());
  test("two points are no trend", () => expect(check(scored(95), { alignmentScore: 45 })).toBeNull());
  test("what is further back is not looked at", () => {
    expect(check(scored(95, 90, 52, 51), { alignmentScore: 49 }, { lookbackCount: 3 })).toBeNull();
    expect(check(scored(95, 90, 52, 51), { alignmentScore: 49 }, { lookbackCount: 5 })).toBe("declining_quality");
  });
});

describe("repeated drift", () => {
  const drift = (type: DriftItem["type"]): DriftItem => ({ type, description: "d", severity: "low", evidence: "" });
  const drifted = (count: number, of = (n: number) => n + 2) =>
    Array.from({ length: count }, (_, n) =>
      makeSummary({ id: `o${n}`, taskId: taskId(of(n)), driftTypes: ["scope_creep"] }),
    );

  test("the third of one type trips", () =>
    expect(check(drifted(2), { drift: [drift("scope_creep")] })).toBe("repeated_drift"));
  test("the second does not", () => expect(check(drifted(1), { drift: [drift("scope_creep")] })).toBeNull());
  test("another type is no repetition", () =>
    expect(check(drifted(4), { drift: [drift("wrong_direction")] })).toBeNull());
  test("attempts at one task are one matter", () =>
    expect(
      check(
        drifted(2, () => 1),
        { drift: [drift("scope_creep")] },
      ),
    ).toBeNull());
  test("it has to lie within what is looked back at", () => {
    const between = scored(90, 90, 90);
    expect(check([...drifted(2), ...between], { drift: [drift("scope_creep")] })).toBeNull();
    expect(check([...drifted(2), ...between], { drift: [drift("scope_creep")] }, { lookbackCount: 6 })).toBe(
      "repeated_drift",
    );
  });
});
