// Kills the server with SIGKILL while clients write, again and again, and starts it anew: whatever was acknowledged must
// be there, and the next start must work soon. Now and then the database is killed as well.
// Run it: npm run chaos:writes -- 50   (the suite runs a few rounds of it)

import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inspectEmbedded } from "../../src/db/embedded/inspect-embedded.ts";
import { routes } from "../../src/protocol/api.ts";
import { ApiError } from "../../src/protocol/api-error.ts";
import type { Api } from "../../src/protocol/client.ts";
import { allPages } from "../helpers/all-pages.ts";
import { killServerHard, makeDataFolder, removeDataFolder, startServer, stopServer } from "../helpers/served.ts";

const writers = 4;
/** So many writes are acknowledged before each kill, however busy the machine is. */
const writesBeforeKill = 12;
const waitMaxMs = 30_000;

export type KillReport = {
  readonly kills: number;
  readonly databaseKills: number;
  readonly acknowledged: number;
  /** Acknowledged writes that were not there afterwards. */
  readonly lost: readonly string[];
  /** Gaps or doubles in the project's history. */
  readonly historyFaults: number;
  /** How long the next start took, where only the server was killed. */
  readonly startMs: readonly number[];
  /** The same where the database was killed as well and had to recover. */
  readonly startAfterDatabaseKillMs: readonly number[];
};

/** What the server said yes to: the task's last acknowledged title. */
type Acknowledged = Map<string, { title: string; version: number }>;

/** `databaseEvery`: 5 is every fifth time. */
export async function killServer(kills: number, databaseEvery: number): Promise<KillReport> {
  const data = makeDataFolder();
  const acknowledged: Acknowledged = new Map();
  const startMs: number[] = [];
  const startAfterDatabaseKillMs: number[] = [];
  const lost: string[] = [];
  let server = await startServer(data); // Creates the database: not one of the starts we measure.
  try {
    const project = await server.api(routes.projects.create, { body: { name: "Kill me" } });
    for (let kill = 1; kill <= kills; kill++) {
      const due = acknowledged.size + writesBeforeKill;
      const writing = write(server.api, project.id, acknowledged);
      await sleep(400 + Math.random() * 1_200);
      for (const end = Date.now() + waitMaxMs; acknowledged.size < due && Date.now() < end; ) await sleep(20);
      await killServerHard(server);
      await writing;
      const isDatabaseKilled = kill % databaseEvery === 0 && killDatabase(data);
      server = await startServer(data);
      (isDatabaseKilled ? startAfterDatabaseKillMs : startMs).push(server.startMs);
      lost.push(...(await missing(server.api, project.id, acknowledged)));
    }
    const historyFaults = await countHistoryFaults(server.api, project.id);
    const databaseKills = startAfterDatabaseKillMs.length;
    return {
      kills,
      databaseKills,
      acknowledged: acknowledged.size,
      lost,
      historyFaults,
      startMs,
      startAfterDatabaseKillMs,
    };
  } finally {
    await stopServer(server);
    await removeDataFolder(data);
  }
}

/** Clients that create and change until the server is gone. */
async function write(api: Api, projectId: string, acknowledged: Acknowledged): Promise<void> {
  const client = async (name: string) => {
    for (let n = 0; n < 100_000; n++) {
      try {
        const made = await api(routes.task.create, { params: { projectId }, body: { title: `${name}.${n}` } });
        acknowledged.set(made.id, { title: made.title, version: made.version });
        const params = { projectId, entityId: made.id };
        const changed = await api(routes.task.update, { params, body: { version: 1, title: `${made.title} changed` } });
        acknowledged.set(made.id, { title: changed.title, version: changed.version });
      } catch (error) {
        if (error instanceof ApiError && error.status === 0) return; // Gone: what it did not answer, it did not promise.
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, n) => client(`${performance.now().toFixed(0)}-${n}`)));
}

/** A write that was not answered may have happened all the same, so a later version than the acknowledged one is right. */
async function missing(api: Api, projectId: string, acknowledged: Acknowledged): Promise<readonly string[]> {
  const tasks = await allPages((query) => api(routes.task.list, { params: { projectId }, query }));
  const found = new Map(tasks.map(({ id, title, version }) => [id, { title, version }]));
  return [...acknowledged]
    .filter(([id, { title, version }]) => {
      const now = found.get(id);
      return !now || now.version < version || (now.version === version && now.title !== title);
    })
    .map(([id]) => id);
}

/** Numbers of the history run from 1 without gaps. */
async function countHistoryFaults(api: Api, projectId: string): Promise<number> {
  const changes = await allPages((query) => api(routes.projects.listChanges, { params: { projectId }, query }));
  const numbers = changes.map(({ seq }) => seq);
  return numbers.filter((seq, index) => seq !== numbers.length - index).length;
}

/** Only the server of this very data folder, told by its own records. */
function killDatabase(data: string): boolean {
  const { server } = inspectEmbedded(data);
  if (server.state !== "running") return false;
  process.kill(server.process.pid, "SIGKILL");
  return true;
}

function medianAndWorst(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1] ?? 0, worst: sorted.at(-1) ?? 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { lost, startMs, startAfterDatabaseKillMs, ...rest } = await killServer(Number(process.argv[2] ?? 50), 5);
  const started = {
    startMs: medianAndWorst(startMs),
    startAfterDatabaseKillMs: medianAndWorst(startAfterDatabaseKillMs),
  };
  process.stdout.write(`${JSON.stringify({ ...rest, lost: lost.length, ...started }, null, 2)}\n`);
  const isSlow = Math.max(started.startMs.worst, started.startAfterDatabaseKillMs.worst) >= 5_000;
  process.exitCode = lost.length === 0 && rest.historyFaults === 0 && !isSlow ? 0 : 1;
}
