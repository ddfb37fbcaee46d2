// What a folder has to survive beyond the contract of the narrow loop (test/contract/loop-store.test.ts): a crash between any two
// operations of its disk, lines that are torn, other processes, and files of others.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { playGolden } from "../../test/contract/loop-golden.ts";
import { keepInFolder, removeFolder } from "../../test/contract/loop-keepers.ts";
import { makeResult } from "../../test/helpers/make-run.ts";
import { steer } from "../domain/run/commands.ts";
import { thisProcess } from "../files/process-identity.ts";
import { realEnv } from "../main/env.ts";
import { plannerLane } from "../runs/ports/run-store.ts";
import { type Disk, realDisk } from "./disk.ts";
import { folderStore } from "./folder-store.ts";

type Folder = Awaited<ReturnType<typeof keepInFolder>>;
const folders: Folder[] = [];
afterEach(() => folders.splice(0).forEach(removeFolder));

async function makeFolder(disk?: () => Disk): Promise<Folder> {
  const keeper = await keepInFolder(disk);
  folders.push(keeper);
  return keeper;
}

const head = (key: string) => ({ key, lane: plannerLane, tool: null, args: null });
const entry = (key: string) => ({
  ...head(key),
  kind: "tool" as const,
  result: { result: key, artifacts: [] },
  did: key,
  error: null,
  tookMs: 1,
  event: { type: "entry_recorded" as const, iteration: 1, entry: key, summary: key },
});

class PowerCut extends Error {}

/** Disks of processes one after the other. At one operation the power is cut: before, in the middle of, or right after it. */
function fragileDisks(diesAt: number, how: "before" | "torn" | "after") {
  const seen = { operations: 0, where: "" };
  const makeDisk = (): Disk => {
    let isDead = false;
    const cut = (name: string, file: string, act: () => void, tear: () => void = () => {}) => {
      if (isDead) throw new PowerCut("dead");
      seen.operations += 1;
      if (seen.operations !== diesAt) return act();
      seen.where = `${how} ${name} ${path.basename(file)}`;
      isDead = true;
      if (how === "after") act();
      if (how === "torn") tear();
      throw new PowerCut(seen.where);
    };
    const { read, replace, append, move, remove } = realDisk;
    return {
      read: (file) => {
        if (isDead) throw new PowerCut("dead");
        return read(file);
      },
      replace: (file, text) =>
        cut(
          "replace",
          file,
          () => replace(file, text),
          () => writeFileSync(`${file}.new`, text.slice(0, 9)),
        ),
      append: (file, at, text) =>
        cut(
          "append",
          file,
          () => append(file, at, text),
          () => append(file, at, text.slice(0, -5)),
        ),
      move: (from, to) => cut("move", to, () => move(from, to)),
      remove: (folder) => cut("remove", folder, () => remove(folder)),
    };
  };
  return { makeDisk, seen };
}

test.each(["before", "torn", "after"] as const)(
  "a run goes on wherever the power is cut: %s an operation of the disk",
  async (how) => {
    const quiet = await playGolden(await makeFolder(), {});
    for (let at = 1; ; at++) {
      const { makeDisk, seen } = fragileDisks(at, how);
      const keeper = await makeFolder(makeDisk);
      const { end } = await playGolden(keeper, { isCrash: (thrown) => thrown instanceof PowerCut });
      if (seen.where === "") return expect(at).toBeGreaterThan(25);
      expect({ where: seen.where, end }).toEqual({ where: seen.where, end: quiet.end });
    }
  },
);

async function begin() {
  const keeper = await makeFolder();
  const run = await keeper.create();
  const job = await keeper.fetch(run);
  const store = keeper.open();
  const taken = job && (await store.take(job));
  if (!taken) throw new Error("it can be taken");
  const again = async () => {
    const due = await keeper.fetch(run);
    const second = due && (await keeper.open().take(due));
    if (!second) throw new Error("it can be taken again");
    return second;
  };
  return { keeper, run, store, lease: taken.lease, again, journal: path.join(keeper.folder, "journal", "0001.jsonl") };
}

test("a line that was torn is dropped, and the next one takes its place", async () => {
  const { store, lease, again, journal } = await begin();
  await store.recordEntry(lease, entry("whole"));
  appendFileSync(journal, `{"line":"entry","fence":1,"content":"${"torn ".repeat(400)}`);
  await store.recordEntry(lease, entry("next"));
  const text = readFileSync(journal, "utf8");
  expect(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line).content.key),
  ).toEqual(["whole", "next"]);
  expect((await again()).journal.map(({ key }) => key)).toEqual(["whole", "next"]);
});

test("a journal that is damaged in the middle is not guessed at", async () => {
  const { store, lease, journal } = await begin();
  await store.recordEntry(lease, entry("first"));
  await store.recordEntry(lease, entry("second"));
  writeFileSync(journal, readFileSync(journal, "utf8").replace("{", "?"));
  await expect(store.recordEntry(lease, entry("third"))).rejects.toThrow("damaged in line 1");
});

test("a file of a later version is not touched", async () => {
  const { keeper, run } = await begin();
  const file = path.join(keeper.folder, "run.json");
  const later = readFileSync(file, "utf8").replace('"version": 1', '"version": 2');
  writeFileSync(file, later);
  await expect(keeper.command(run, (now) => steer(now, "hello"))).rejects.toThrow("later version");
  expect(readFileSync(file, "utf8")).toBe(later);
});

test("events are in their order without gaps, also those that a crash kept from being copied", async () => {
  const { keeper, run, store, lease } = await begin();
  const events = path.join(keeper.folder, "events.jsonl");
  const before = readFileSync(events, "utf8");
  await store.commit(lease, {
    kind: "provider_fault",
    fault: { kind: "hold", untilMs: 1, why: "busy" },
    atMs: 1,
    artifacts: [],
    wasHeard: true,
  });
  writeFileSync(events, before);
  await keeper.command(run, (now) => steer(now, "hello"));
  const told = readFileSync(events, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, at) => at + 1));
  expect(told.map(({ type }) => type).slice(-2)).toEqual(["run_holding", "run_steered"]);
});

test.each(["../outside", "/etc/passwd", "a/b", "", ".hidden", "x".repeat(300)])(
  "an entry cannot write to %j",
  async (name) => {
    const { keeper, run, store, lease } = await begin();
    const writing = store.recordWrites(lease, async (writes) => {
      await keeper.write(writes, run, name);
      return entry("write");
    });
    await expect(writing).rejects.toThrow("plain name");
    expect(existsSync(path.join(keeper.folder, "files"))).toBe(false);
  },
);

test("nothing is handed out while a living process has the lease, and again once it let go or has died", async () => {
  const { keeper } = await begin();
  let isAlive = true;
  const options = { folder: keeper.folder, disk: realDisk, env: realEnv, self: thisProcess(), isAlive: () => isAlive };
  const store = folderStore(options);
  expect(await store.fetch()).toBeNull();
  isAlive = false;
  expect(await store.fetch()).toMatchObject({ iteration: 1 });
});

test("what an entry staged and could not keep is gone once the iteration is over", async () => {
  const { keeper, run, store, lease } = await begin();
  const failing = store.recordWrites(lease, async (writes) => {
    await keeper.write(writes, run, "half");
    throw new Error("it fell over");
  });
  await expect(failing).rejects.toThrow("it fell over");
  const staged = path.join(keeper.folder, "staged");
  expect(existsSync(staged)).toBe(true);
  await store.commit(lease, makeResult({ wasHeard: true }));
  expect(existsSync(staged)).toBe(false);
});

test("a worker that lets go is not taken for dead", async () => {
  const { keeper, run, lease, again } = await begin();
  const options = { folder: keeper.folder, disk: realDisk, env: realEnv, self: thisProcess(), isAlive: () => true };
  await folderStore(options).letGo(lease);
  expect((await again()).run.deaths).toBe(0);
  expect((await keeper.find(run)).spent.runningMs).toBeGreaterThanOrEqual(0);
});

test("entries that many write at the same time are all there, each once", async () => {
  const { store, lease, again } = await begin();
  const keys = Array.from({ length: 20 }, (_, n) => `step:${n}`);
  await Promise.all(keys.map((key) => store.recordEntry(lease, entry(key))));
  const { journal } = await again();
  expect(journal.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
});
