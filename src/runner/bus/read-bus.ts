// Reading a bus without its lock: all of it, what came after a message or a time, the last few, and what is to come.

import { watch } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { readAttachment } from "../layout/attachments.ts";
import { quote } from "../layout/ids.ts";
import type { TextRead } from "../layout/text.ts";
import type { Bus } from "./bus.ts";
import { type BusPlace, findMessage, listArchives, scanFrom, scanTail, withBusFile } from "./bus-file.ts";
import type { BusEntry } from "./entry.ts";
import type { BusDamage, BusScan } from "./scan-foreign.ts";

export type BusRead = { readonly entries: readonly BusEntry[]; readonly damages: readonly BusDamage[] };

/** Where to begin: after a message, with what is newer than a time, or at the beginning. */
export type BusSince = { readonly id: string } | { readonly ts: string } | "start";

type Reader = Pick<Bus, "root" | "file">;
/** How far a reader has come, in which file. */
type BusCursor = { readonly inode: number; readonly at: number };

const nothing: BusRead = { entries: [], damages: [] };

export function readBus(bus: Reader, since: BusSince = "start"): BusRead {
  const start = findStart(bus, since);
  return onlyAfter(readOn(bus, start).read, since);
}

/** The last `count` messages. Reads from the end, so a bus of any size answers at once. */
export function tailBus({ root, file }: Reader, count: number): BusRead {
  const read = withBusFile(root.disk, file, (fd, place) => toRead(scanTail(fd, place, count)));
  return read === null ? nothing : { ...read, entries: count > 0 ? read.entries.slice(-count) : [] };
}

/** The whole body, also where it is too long for the bus. */
export function readBody({ root, place }: Pick<Bus, "root" | "place">, entry: BusEntry): TextRead {
  return entry.attachment_path === ""
    ? { kind: "text", text: entry.body }
    : readAttachment(root, place, entry.attachment_path);
}

export type FollowOptions = {
  readonly since: BusSince | "end";
  readonly signal: AbortSignal;
  /** Looked at anyway: some file systems tell of no changes. */
  readonly everyMs?: number;
};

const everyMs = 500;

/** Whatever is there after `since`, then whatever comes, across rotations, until the signal. */
export async function* followBus(bus: Reader, options: FollowOptions): AsyncGenerator<BusRead> {
  const { since, signal } = options;
  const changes = watchFolder(bus, options);
  try {
    let cursor = since === "end" ? findEnd(bus) : findStart(bus, since);
    while (!signal.aborted) {
      const { read, cursor: next } = readOn(bus, cursor);
      cursor = next;
      const wanted = since === "end" ? read : onlyAfter(read, since);
      if (wanted.entries.length > 0 || wanted.damages.length > 0) yield wanted;
      else await changes.next();
    }
  } finally {
    changes.close();
  }
}

/** A sleep that a change of the folder ends. */
function watchFolder({ root, file }: Reader, { signal, everyMs: every = everyMs }: FollowOptions) {
  let wake = new AbortController();
  const watcher = openWatcher(path.dirname(file), () => wake.abort());
  return {
    next: async () => {
      await root.env.sleep(every, AbortSignal.any([wake.signal, signal])).catch(() => {});
      wake = new AbortController();
    },
    close: () => watcher?.close(),
  };
}

/** Null: this system has no more watchers, or the folder is not there yet. */
function openWatcher(folder: string, changed: () => void): { readonly close: () => void } | null {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}

/** Waits for the first messages that `isWanted`; empty once the signal says so. Damages on the way are passed on. */
export async function waitForEntries(
  bus: Reader,
  options: FollowOptions,
  isWanted: (entry: BusEntry) => boolean,
): Promise<BusRead> {
  const damages: BusDamage[] = [];
  for await (const read of followBus(bus, options)) {
    damages.push(...read.damages);
    const entries = read.entries.filter(isWanted);
    if (entries.length > 0) return { entries, damages };
  }
  return { entries: [], damages };
}

function onlyAfter(read: BusRead, since: BusSince): BusRead {
  if (since === "start") return read;
  if ("id" in since) return { ...read, entries: read.entries.filter(({ msg_id: id }) => id !== since.id) };
  const from = msOf(since.ts);
  if (Number.isNaN(from)) throw new AppError("invalid_request", `${quote(since.ts)} is not a time. Use ISO 8601.`);
  return { ...read, entries: read.entries.filter(({ ts }) => msOf(ts) > from) };
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => Date.parse(iso);

const files = ({ root, file }: Reader): readonly string[] => [...listArchives(root.disk, file), file];

/** Null: from the first message there is. An id that no file has is an error of its own, so that a reader can begin anew. */
function findStart(bus: Reader, since: BusSince): BusCursor | null {
  if (since === "start") return null;
  const found = "ts" in since ? null : findCursor(bus, since.id);
  if ("ts" in since || found !== null) return found;
  throw new AppError("invalid_cursor", `No message ${quote(since.id)} is on this bus. Read it from the beginning.`);
}

function findCursor(bus: Reader, id: string): BusCursor | null {
  for (const file of files(bus).toReversed()) {
    const cursor = withBusFile(bus.root.disk, file, (fd, place) => {
      const at = findMessage(fd, place, id);
      return at === null ? null : { inode: place.inode, at };
    });
    if (cursor !== null) return cursor;
  }
  return null;
}

function findEnd({ root, file }: Reader): BusCursor | null {
  return withBusFile(root.disk, file, (fd, place) => ({ inode: place.inode, at: scanTail(fd, place, 1).used }));
}

/** Everything after the cursor, and how far that goes. A file that was rotated away is read to its end first. */
function readOn(bus: Reader, cursor: BusCursor | null): { readonly read: BusRead; readonly cursor: BusCursor | null } {
  const { disk } = bus.root;
  const places = files(bus).flatMap((file) => withBusFile(disk, file, (_, place) => place) ?? []);
  const begin = cursor === null ? 0 : places.findIndex(({ inode }) => inode === cursor.inode);
  const reads: BusRead[] = [];
  let end = cursor;
  // A file that is gone with its archive was removed by hand: what is there now is all there is.
  for (const place of places.slice(Math.max(0, begin))) {
    const from = cursor?.inode === place.inode && cursor.at <= place.size ? cursor.at : 0;
    const next = readPlace(bus, place, from);
    reads.push(next.read);
    end = { inode: place.inode, at: next.at };
  }
  return {
    read: { entries: reads.flatMap(({ entries }) => entries), damages: reads.flatMap(({ damages }) => damages) },
    cursor: end,
  };
}

function readPlace({ root }: Reader, place: BusPlace, from: number): { readonly read: BusRead; readonly at: number } {
  const entries: BusEntry[] = [];
  const damages: BusDamage[] = [];
  let at = from;
  withBusFile(root.disk, place.file, (fd, now) => {
    if (now.inode !== place.inode) return;
    for (const scan of scanFrom(fd, place, from)) {
      entries.push(...scan.entries.map(({ entry }) => entry));
      damages.push(...scan.damages);
      at += scan.used;
    }
  });
  return { read: { entries, damages }, at };
}

const toRead = ({ entries, damages }: BusScan): BusRead => ({ entries: entries.map(({ entry }) => entry), damages });
