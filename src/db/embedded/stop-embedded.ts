// Stops, or stops and removes, the embedded database of a data folder, even if it is in use. A process of ours that still
// uses it will start it again when it notices.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { thisProcess } from "../../files/process-identity.ts";
import type { Env } from "../../lib/env.ts";
import { withClusterLock } from "./cluster-lock.ts";
import { type DataFolder, dataFolderAt, type Memory, readMemory, readPassword } from "./data-folder.ts";
import { withAdvice } from "./file-error.ts";
import { findRunning } from "./find-ready.ts";
import { socketFoldersOf } from "./socket-folder.ts";
import { stopPostmaster } from "./stop-postmaster.ts";

/** True when a server was running. */
export async function stopEmbedded(dataDir: string, env: Env): Promise<boolean> {
  return withCluster(dataDir, env, (data, memory) => stop(data, memory, env));
}

/** For tests and for leaving no trace: also a cluster that had to be kept outside of the data folder. */
export async function removeEmbedded(dataDir: string, env: Env): Promise<void> {
  await withCluster(dataDir, env, async (data, memory) => {
    const stopped = await stop(data, memory, env);
    const home = path.dirname(memory.cluster);
    const folders = [home === data.path ? memory.cluster : home, ...socketFoldersOf(memory.cluster)];
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    for (const file of [data.memory, data.password, data.log, `${data.log}.old`]) rmSync(file, { force: true });
    return stopped;
  });
}

async function withCluster(
  dataDir: string,
  env: Env,
  work: (data: DataFolder, memory: Memory) => Promise<boolean>,
): Promise<boolean> {
  const data = dataFolderAt(dataDir);
  if (!existsSync(data.memory)) return false;
  return withAdvice(data.path, () =>
    withClusterLock(data, { self: thisProcess(), env }, async () => {
      const memory = readMemory(data);
      return memory ? work(data, memory) : false;
    }),
  );
}

async function stop(data: DataFolder, memory: Memory, env: Env): Promise<boolean> {
  const running = await findRunning(memory.cluster, readPassword(data) ?? "");
  if (running) await stopPostmaster(running.process, env);
  return running !== undefined;
}
