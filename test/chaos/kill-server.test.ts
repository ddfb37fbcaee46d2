import { expect, test } from "vitest";
import { killServer } from "./kill-server.ts";

test("a server killed while clients write loses nothing it acknowledged", async () => {
  const report = await killServer(2, 2);
  expect(report.acknowledged).toBeGreaterThan(20); // else nothing was proved
  expect(report.databaseKills).toBe(1);
  expect([report.lost, report.historyFaults]).toEqual([[], 0]);
});
