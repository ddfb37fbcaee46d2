// A process of ours that is killed in tests. With a scene it starts a job, as `run-agent job` does; without one it adopts every living
// run of the root, as a server does when it starts. It says what it waits for, and each result that it may count.

import type { JobHandle } from "../../../src/runner/job/job.ts";
import { locateJob, takeResult } from "../../../src/runner/job/job-files.ts";
import { reapOrphans } from "../../../src/runner/job/reap-orphans.ts";
import { startJob } from "../../../src/runner/job/start-job.ts";
import { waitForJob } from "../../../src/runner/job/wait-for-job.ts";
import { openTask } from "../../../src/runner/layout/runner-root.ts";
import { makeRoot } from "../../helpers/runner-root.ts";
import type { Scene } from "../agent-scene.ts";
import { makeAgentDeps, makeAgentRequest, type TestedAgent } from "../agent-world.ts";

export type KeeperOrder = {
  readonly folder: string;
  readonly taskId: string;
  readonly agent: TestedAgent;
  readonly start: { readonly scene: Scene; readonly key: string } | null;
};

export type KeeperLine = { readonly waiting: readonly JobHandle[] } | { readonly counted: string };

const { folder, taskId, agent, start } = JSON.parse(process.argv[2] ?? "{}") as KeeperOrder;
const root = makeRoot({ folder });
const deps = makeAgentDeps(root, agent);
const say = (line: KeeperLine) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function findWork(): Promise<readonly JobHandle[]> {
  if (start === null) return (await reapOrphans(deps)).living;
  const request = makeAgentRequest(agent, openTask(root, "garden", taskId), start.scene);
  return [await startJob(deps, { ...request, key: start.key })];
}

const waiting = await findWork();
say({ waiting });
for (const handle of waiting) {
  await waitForJob(deps, handle);
  if (await takeResult(root, locateJob(root, handle), `keeper ${process.pid}`)) say({ counted: handle.run_id });
}
