// How fast processes write to one bus: 50 at once, beside the same bytes through a plain appendFile in the same minute. Every message must
// be there, whole and in order per writer, or the command fails.

import { rmSync } from "node:fs";
import { openBus } from "../src/runner/bus/bus.ts";
import { readBus } from "../src/runner/bus/read-bus.ts";
import { findFaults, startWriters, type Writers } from "../test/helpers/bus-writers.ts";
import { makeFolder, makeRoot, makeTask, removeFolders } from "../test/helpers/runner-root.ts";
import { ratio, report } from "./figures.ts";

const writers = 50;

type Way = { readonly how: "awaited" | "together" | "plain"; readonly flush: boolean; readonly count: number };

/** With a flush for every message there are fewer of them: the disk takes milliseconds for each. */
const ways: Readonly<Record<string, Way>> = {
  "plain appendFile": { how: "plain", flush: false, count: 200 },
  "bus, one at a time": { how: "awaited", flush: false, count: 200 },
  "bus, posted together": { how: "together", flush: false, count: 200 },
  "plain appendFile, flushed": { how: "plain", flush: true, count: 20 },
  "bus, one at a time, flushed": { how: "awaited", flush: true, count: 20 },
  "bus, posted together, flushed": { how: "together", flush: true, count: 200 },
};

export async function benchBus(): Promise<void> {
  const rates: Record<string, number> = {};
  const crowd = await startWriters(writers);
  try {
    for (const [name, way] of Object.entries(ways)) rates[name] = await measure(crowd, name, way);
    report("bus", {
      writers,
      ...Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, `${rate} messages/s`])),
      "bus beside plain": ratio(rates["bus, one at a time"] ?? 0, rates["plain appendFile"] ?? 0),
      "bus beside plain, flushed": ratio(
        rates["bus, one at a time, flushed"] ?? 0,
        rates["plain appendFile, flushed"] ?? 0,
      ),
    });
  } finally {
    await crowd.end();
    removeFolders();
  }
}

async function measure(crowd: Writers, name: string, { how, flush, count }: Way): Promise<number> {
  const root = makeRoot({ folder: makeFolder() });
  const task = makeTask(root);
  const ms = await crowd.write({ folder: root.folder, taskId: task.taskId, count, how, flush });
  const { entries, damages } = readBus(openBus(root, task));
  const faults = how === "plain" ? [] : findFaults(entries, writers, count);
  if (faults.length > 0 || damages.length > 0)
    throw new Error(`${name}: ${[...faults, ...damages.map(({ why }) => why)].join(", ")}`);
  rmSync(root.folder, { recursive: true });
  return Math.round((writers * count * 1000) / ms);
}
