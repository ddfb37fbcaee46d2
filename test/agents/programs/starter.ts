// A process that starts a job, says its handle, and waits for its end, as `run-agent job` does.

import { startJob } from "../../../src/runner/job/start-job.ts";
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
const handle = await startJob(deps, makeRequest(task, order.script, key));
process.stdout.write(`${JSON.stringify(handle)}\n`);
process.stdout.write(`${JSON.stringify(await waitForJob(deps, handle))}\n`);
