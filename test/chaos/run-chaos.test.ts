import { expect, test } from "vitest";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { faults } from "./nemesis.ts";
import { runChaos } from "./run-chaos.ts";

test("runs survive whatever is killed under them", async ({ signal }) => {
  const report = await runChaos({
    data: copyUsedDataFolder(),
    kills: 6,
    runs: 6,
    iterations: 4,
    seed: 1,
    minutes: 2,
    postgres: "embedded",
    pauseMs: [800, 1_800],
    freezeMs: [12_000, 14_000],
    callMs: 300,
    say: () => {},
    signal,
  });
  for (const fault of faults) expect(report.kills[fault], fault).toBeGreaterThan(0);
  const { lost, doubled, forgotten, violations, surprises, deaths, ledger } = report;
  expect({ lost, doubled, forgotten, violations, surprises, deaths, ledger: ledger.faults }).toEqual({
    lost: [],
    doubled: [],
    forgotten: [],
    violations: [],
    surprises: [],
    deaths: [],
    ledger: [],
  });
  expect(report.completed + report.canceled).toBe(6);
  expect(ledger.calls).toBeGreaterThan(25); // else nothing was proved
});
