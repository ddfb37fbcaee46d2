import { expect, test } from "vitest";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { runModelsChaos } from "./models-chaos.ts";

test("with workers killed under calls of four providers, every micro-dollar is accounted for", async ({ signal }) => {
  const report = await runModelsChaos({
    data: copyUsedDataFolder(),
    kills: 3,
    runs: 4,
    rounds: 1,
    workers: 2,
    // Each kill interrupts one run, and there are others to go on with: so they need not wait for each other's recovery.
    concurrency: 1,
    openAtOnce: 4,
    seed: 1,
    pauseMs: [600, 1_000],
    answerMs: [50, 300],
    say: () => {},
    signal,
  });
  const { unfinished, ledgerFaults, writeFaults, violations, deaths, ledger } = report;
  expect({ unfinished, ledgerFaults, writeFaults, violations, deaths }).toEqual({
    unfinished: [],
    ledgerFaults: [],
    writeFaults: [],
    violations: [],
    deaths: [],
  });
  expect(report.kills).toBe(3);
  expect(report.completed).toBeGreaterThanOrEqual(5); // with the undisturbed one
  expect(ledger.settledMicroUsd).toBe(ledger.labSettledMicroUsd);
  expect(ledger.settled).toBeGreaterThan(40);
  // Else nothing was proved.
  expect(ledger.lost).toBeGreaterThan(0);
  expect(report.carriedOn).toBeGreaterThan(0);
});
