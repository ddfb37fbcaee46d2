// A process that starts a job, says its handle, and waits for its end, as a command of run-agent does.

import { locateJob } from "../../../src/runner/job/job-files.ts";
import { startJob } from "../../../src/runner/job/start-job.ts";
import { stopOnSignals } from "../../../src/runner/job/stop-on-signals.ts";
import { waitForJob } from "../../../src/runner/job/wait-for-job.ts";
import { openTask } from "../../../src/runner/layout/runner-root.ts";
import { makeRoot } from "../../helpers/runner-root.ts";
import { makeDeps, makeRequest } from "../job-world.ts";

export type StarterOrder = {
  readonly folder: string;
  readonly taskId: string;
  readonly script: string;
  readonly key: string | null;
};

const order = JSON.parse(process.argv[2] ?? "{}") as StarterOrder;
const root = makeRoot({ folder: order.folder });
const task = openTask(root, "garden", order.taskId);
const deps = makeDeps(root);
const key = order.key === null ? {} : { key: order.key };
const started = startJob(deps, makeRequest(task, order.script, key));
const run = started.then((handle) => locateJob(root, handle));
const signals = stopOnSignals(deps, run, process);
const handle = await started;
process.stdout.write(`${JSON.stringify(handle)}\n`);
const result = await waitForJob(deps, handle, { signal: signals.letGo }).catch(() => null);
await signals.end();
process.stdout.write(`${JSON.stringify(result)}\n`);
