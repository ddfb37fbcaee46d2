import { describe, expect, test } from "vitest";
import type { RunStatus } from "../run.ts";
import { areChecksDue, type CheckState, checkState } from "./check-state.ts";
import { notAskedYet } from "./not-asked.ts";

describe("a check that does not pass has failed", () => {
  test.each<[string, RunStatus, { isPaused?: true; wasTurnedDown?: true }, boolean]>([
    ["in a completed run", "completed", {}, true],
    ["in a failed run", "failed", {}, true],
    ["in a run that stopped at a limit", "stopped", {}, true],
    ["not in a run that was paused", "stopped", { isPaused: true }, false],
    ["in a paused run that had said it was done", "stopped", { isPaused: true, wasTurnedDown: true }, true],
    ["not while the run works", "running", {}, false],
    ["while the run works, once it said that it was done", "running", { wasTurnedDown: true }, true],
    ["not while the run waits for an answer", "waiting_on_user", {}, false],
    ["not in line", "queued", {}, false],
    ["not in a canceled run, whatever it said", "canceled", { wasTurnedDown: true }, false],
  ])("%s", (_, status, standing, due) =>
    expect(areChecksDue({ status, isPaused: false, wasTurnedDown: false, ...standing })).toBe(due),
  );
});

test.each<[string, { isGreen: boolean; seen: string } | null, boolean, CheckState]>([
  ["nobody looked", null, true, "pending"],
  ["it holds", { isGreen: true, seen: "" }, false, "passed"],
  ["it does not hold yet", { isGreen: false, seen: "40 words" }, false, "pending"],
  ["it does not hold when it is due", { isGreen: false, seen: "40 words" }, true, "failed"],
  ["the judge was not asked", { isGreen: false, seen: `${notAskedYet}: another check is red` }, true, "pending"],
])("%s", (_, proof, due, state) => expect(checkState(proof, due)).toBe(state));
