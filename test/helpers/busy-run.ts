// `npm run test:busy`: the test run while eight other processes keep every core busy, as on a machine that others use. It may take
// long; nothing in it may fail for that.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runShown } from "./programs.ts";

const processes = 8;
const self = fileURLToPath(import.meta.url);

if (process.send) burn();
else process.exitCode = await testBusily();

async function testBusily(): Promise<number> {
  const others = Array.from({ length: processes }, () => fork(self));
  try {
    return await runShown(process.execPath, ["test/helpers/full-run.ts", ...process.argv.slice(2)]);
  } finally {
    for (const other of others) other.kill();
  }
}

/** Ends with the process that started it, whatever became of that. */
function burn(): void {
  process.on("disconnect", () => process.exit());
  const turn = () => {
    const endAt = performance.now() + 100;
    while (performance.now() < endAt);
    setImmediate(turn);
  };
  turn();
}
