import { beforeAll, expect, test } from "vitest";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { type OutcomesReport, runOutcomesChaos } from "./outcomes-chaos.ts";

let report: OutcomesReport;

/** One outcome in peace, one with workers that are killed; npm run chaos:outcomes has two in peace and many more kills. */
beforeAll(async () => {
  const pace = { pauseMs: [1_000, 2_000], answerMs: [10, 100] } as const;
  const size = { data: copyUsedDataFolder(), kills: 3, undisturbed: 1, workers: 2, openAtOnce: 1, minutes: 5, seed: 1 };
  report = await runOutcomesChaos({ ...size, ...pace, say: () => {}, signal: AbortSignal.timeout(800_000) });
});

test("a discovery reaches the prompts it is for, a drift is corrected first, a doubt pauses its tasks, and three failures all of them", () => {
  expect(report.storyFaults).toEqual([]);
  expect(report.surprises).toEqual([]);
  expect(report.achieved).toBe(report.outcomes);
});

test("twice the same story has the same end, also with workers killed under it", () => {
  expect(report.kills).toBe(3);
  expect(report.outcomes).toBeGreaterThanOrEqual(2);
  expect(report.differences).toEqual([]);
  // Else nothing was proved.
  expect(report.interrupted.iterationsRepeated + report.interrupted.turnsRepeated).toBeGreaterThan(0);
});

test("nothing is asked or paid twice, and nothing is left in a state that must not be", () => {
  const { ledgerFaults, violations, deaths } = report;
  expect({ ledgerFaults, violations, deaths }).toEqual({ ledgerFaults: [], violations: [], deaths: [] });
});
