// A worker process of the chaos: the real `homework worker`. With a folder it has an engine that follows a script and leaves its
// traces there; without one, its own. It says "ready" to its parent, and ends when the parent is gone.
// Started by fleet.ts: worker-process.ts [calls <folder of the ledger> <mean time of a call in ms> | effects <folder>]

import type { Tx } from "../../src/db/database.ts";
import { createLogger } from "../../src/main/logger.ts";
import { loadRealConfig } from "../../src/main/ports-settings.ts";
import { stopOnSignals } from "../../src/main/ports-signals.ts";
import { work } from "../../src/main/worker.ts";
import type { Engine } from "../../src/runs/ports/engine.ts";
import { scriptedProver } from "../helpers/scripted-engine.ts";
import { openLedger } from "./call-ledger.ts";
import { chaosEngine } from "./chaos-engine.ts";
import { effectsEngine } from "./effects-engine.ts";

const [kind, folder, callMs] = process.argv.slice(2);
const signal = stopOnSignals();
process.on("disconnect", () => process.exit(1));

const { config } = loadRealConfig({ configFile: null, values: {} }, process.env);
const say = (line: string) => void process.stderr.write(`${line}\n`);

function openEngine(): Engine<Tx> | null {
  if (folder === undefined) return null;
  return kind === "effects" ? effectsEngine(folder) : chaosEngine(openLedger(folder), Number(callMs));
}

const engine = openEngine();
const engines =
  engine === null ? undefined : { engineFor: () => ({ engine, prover: scriptedProver<Tx>(), workFolder: null }) };
const onReady = () => void process.send?.("ready");
await work({ config, logger: createLogger(config), say, version: "chaos" }, { signal, onReady }, engines);
process.exit();
