// Whatever keeps runs, made ready for the suite of the narrow loop: PostgreSQL with its queue, the memory of simulations, and a
// folder of files.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { Answered } from "../../src/domain/run/commands.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { thisProcess } from "../../src/files/process-identity.ts";
import { realEnv } from "../../src/main/env.ts";
import type { JobRef, WorkQueue } from "../../src/queue/job-queue.ts";
import { type Disk, realDisk } from "../../src/runner/disk.ts";
import { folderStore } from "../../src/runner/folder-store.ts";
import type { FolderWrites } from "../../src/runner/open-folder.ts";
import { type Commanded, commandRun } from "../../src/runs/command-run.ts";
import { createRun } from "../../src/runs/create-run.ts";
import { type LoopStore, loopStore } from "../../src/runs/loop-store.ts";
import type { IterationJob, RunTransactions } from "../../src/runs/ports/run-store.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { newRun, type RunWorld, runWorld } from "../helpers/run-world.ts";
import { quiet } from "../sim/faults.ts";
import { memoryBackend } from "../sim/memory/memory-backend.ts";
import type { MemoryWrites } from "../sim/memory/memory-journal-store.ts";
import { World } from "../sim/world.ts";

export type Keeper<Writes> = {
  /** As a process sees it that has just started. */
  readonly open: () => LoopStore<Writes>;
  readonly create: (over?: Partial<Run>) => Promise<Run>;
  readonly command: (run: Run, command: (run: Run) => Answered) => Promise<Commanded>;
  readonly find: (run: Run) => Promise<Run>;
  /** What is due, as it is handed out after everyone who had it before has died; null: nothing is. */
  readonly fetch: (run: Run) => Promise<IterationJob | null>;
  /** Writes something of this name in the user's name. */
  readonly write: (writes: Writes, run: Run, name: string) => Promise<void>;
  /** Names of what was written. */
  readonly listWritten: (run: Run) => Promise<readonly string[]>;
};

const limits = { maxConcurrentRuns: 10_000 };
const rules = { workerName: "test", breakers: defaultBreakers, limits };

/** A queue hands a job out again once it was given back. */
function fetcher(queue: Pick<WorkQueue, "fetch" | "release">): Keeper<never>["fetch"] {
  const handedOut = new Map<string, JobRef>();
  return async ({ id: runId }) => {
    const before = handedOut.get(runId);
    if (before) await queue.release(before, 0);
    for (const job of await queue.fetch("iteration", 1_000)) {
      const { run_id: of, iteration } = job.data as { run_id: RunId; iteration: number };
      handedOut.set(of, job);
      if (of === runId) return { id: job.id, attempt: job.attempt, runId, iteration };
    }
    return null;
  };
}

const commands = (store: RunTransactions) => ({
  command: (run: Run, command: (run: Run) => Answered) =>
    store.transaction((tx) => commandRun(tx, run.userId, run.id, command, limits)),
  find: async ({ id }: Run) => {
    const locked = await store.transaction((tx) => tx.lockRun(id));
    if (locked === null) throw new Error(`no run ${id}`);
    return locked.run;
  },
});

export async function keepInPostgres(): Promise<() => Promise<Keeper<Tx>>> {
  const world: RunWorld = await runWorld(limits.maxConcurrentRuns);
  const user = await world.makeUser();
  const projectId = await world.makeProject(user);
  return async () => ({
    ...commands(world.store),
    open: () =>
      loopStore(
        runStore(world.db, world.queue, () => {}),
        rules,
      ),
    create: (over) => world.create(user, over),
    fetch: fetcher(world.queue),
    write: async (tx, { id }, name) => {
      await createEntity(tx, "document", { id: realEnv.newId(), projectId, by: user }, { title: `${id} ${name}` });
    },
    listWritten: async ({ id }) => {
      const { rows } = await world.admin.query<{ title: string }>(
        "select title from homework.onto_documents where title like $1 || '%' order by title",
        [id],
      );
      return rows.map(({ title }) => title.slice(id.length + 1));
    },
  });
}

export async function keepInMemory(): Promise<Keeper<MemoryWrites>> {
  const world = new World({ seed: 1, hasJitter: false, faults: () => quiet() });
  const backend = memoryBackend(world);
  const actor = world.makeActor("worker");
  const store = backend.storeFor(actor);
  return {
    ...commands(store),
    open: () => loopStore(backend.storeFor(actor), rules),
    create: (over) => store.transaction((tx) => createRun(tx, newRun("user" as UserId, over), limits)),
    fetch: fetcher(backend.queueFor(actor)),
    write: (writes, _run, name) => writes.write({ id: realEnv.newId(), key: name }),
    listWritten: async ({ id }) => (backend.database.documents.get(id) ?? []).map(({ key }) => key).toSorted(),
  };
}

/** `diskOf`: what a worker that has just started writes on; people's own commands never fail here. */
export async function keepInFolder(
  diskOf: () => Disk = () => realDisk,
): Promise<Keeper<FolderWrites> & { readonly folder: string }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "homework-folder-"));
  // Every process that had the lease has died by the time something is handed out again.
  const open = (disk: Disk) => folderStore({ folder, disk, env: realEnv, self: thisProcess(), isAlive: () => false });
  const own = open(realDisk);
  return {
    ...commands(own),
    folder,
    open: () => loopStore(open(diskOf()), rules),
    create: (over) => own.transaction((tx) => createRun(tx, newRun("user" as UserId, over), limits)),
    fetch: () => open(diskOf()).fetch(),
    write: async (writes, _run, name) => writes.put(name, `# ${name}`),
    listWritten: async () => namesIn(path.join(folder, "files")),
  };
}

export const removeFolder = ({ folder }: { readonly folder: string }): void => rmSync(folder, { recursive: true });

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
