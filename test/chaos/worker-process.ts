// A worker process of the chaos: the real `homework worker`. With a ledger it has engines that follow a script and count
// outside; without one, its own. It says "ready" to its parent, and ends when the parent is gone.
// Started by fleet.ts: worker-process.ts [<folder of the ledger> <mean time of a call in ms>]

import type { Tx } from "../../src/db/database.ts";
import { createLogger } from "../../src/main/logger.ts";
import { loadRealConfig } from "../../src/main/ports-settings.ts";
import { stopOnSignals } from "../../src/main/ports-signals.ts";
import { work } from "../../src/main/worker.ts";
import { scriptedProver } from "../helpers/scripted-engine.ts";
import { openLedger } from "./call-ledger.ts";
import { chaosEngine } from "./chaos-engine.ts";

const [ledgerFolder, callMs] = process.argv.slice(2);
const signal = stopOnSignals();
process.on("disconnect", () => process.exit(1));

const { config } = loadRealConfig({ configFile: null, values: {} }, process.env);
const say = (line: string) => void process.stderr.write(`${line}\n`);
const scripted = (folder: string) => {
  const engine = chaosEngine(openLedger(folder), Number(callMs));
  return { engineFor: () => ({ engine, prover: scriptedProver<Tx>(), workFolder: null }) };
};
const engines = ledgerFolder === undefined ? undefined : scripted(ledgerFolder);
const onReady = () => void process.send?.("ready");
await work({ config, logger: createLogger(config), say, version: "chaos" }, { signal, onReady }, engines);
process.exit();
