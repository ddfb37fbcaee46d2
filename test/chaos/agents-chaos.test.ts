import { expect, test } from "vitest";
import { runAgentsChaos } from "./agents-chaos.ts";

test("agents are started, stopped and killed, and nothing is left of them", async () => {
  const report = await runAgentsChaos({ times: 16, kills: 2, atOnce: 4, random: Math.random, say: () => {} });
  expect(report).toMatchObject({ cycles: 16, left: [], running: [], hit: 0 });
  expect(report.runs).toBeGreaterThanOrEqual(14);
});
