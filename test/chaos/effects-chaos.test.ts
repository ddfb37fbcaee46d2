import { expect, test } from "vitest";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { runEffectsChaos } from "./effects-chaos.ts";

test("a process outlives its worker and its server, is adopted, and its result is taken once", async () => {
  const report = await runEffectsChaos({ data: copyUsedDataFolder(), times: 2, random: Math.random, say: () => {} });
  expect(report).toMatchObject({ startedAgain: [], wrong: [], violations: [], deaths: [] });
  expect(report.adopted).toBeGreaterThanOrEqual(2);
  expect(report.effects).toBe(report.kills * 16);
});
