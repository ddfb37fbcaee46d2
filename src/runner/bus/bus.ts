// The bus of a project or a task: the only way in which agents, people and the runner talk. Messages are added under the bus's lock, so
// they are never torn or mixed; those that others wait for are flushed to the disk before `post` returns. Readers take no lock.

import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../lib/app-error.ts";
import { writeAttachment } from "../layout/attachments.ts";
import { freeName } from "../layout/facts.ts";
import { quote } from "../layout/ids.ts";
import { lockFile } from "../layout/lock-file.ts";
import {
  type ProjectFolder,
  projectFiles,
  type RunnerRoot,
  type TaskFolder,
  taskFiles,
} from "../layout/runner-root.ts";
import { requireText } from "../layout/text.ts";
import { appendToBus, type BusEnd } from "./bus-file.ts";
import { type BusEntry, type BusLink, type BusParent, formatEntry } from "./entry.ts";
import { type MessageIds, makeMessageIds } from "./message-ids.ts";

export type NewMessage = {
  readonly type: string;
  readonly body: string;
  readonly run_id?: string;
  /** Plain ids are replies. */
  readonly parents?: readonly (string | BusParent)[];
  readonly links?: readonly BusLink[];
  readonly meta?: Readonly<Record<string, string>>;
};

export type BusOptions = {
  /** Flush every message, not only those that others wait for. */
  readonly flushAll?: boolean;
  readonly lockWaitMs?: number;
};

export type Bus = {
  readonly root: RunnerRoot;
  readonly place: ProjectFolder | TaskFolder;
  readonly file: string;
  /** Resolves once the message is in the file. Messages of one bus object keep their order. */
  readonly post: (message: NewMessage) => Promise<BusEntry>;
  /** Renames a file of more than `maxBytes` to `<bus>.<time>.archived`; null: it is not that large. */
  readonly rotate: (maxBytes: number) => Promise<string | null>;
};

/** What others wait for must be there after a power failure as well. */
const flushedTypes = new Set(
  "START STOP CRASH RUN_START RUN_STOP RUN_CRASH QUESTION ANSWER USER USER_REQUEST CHILD_DONE SUPERVISOR_RESTART".split(
    " ",
  ),
);
export const bodyMaxBytes = 64 * 1024;
const previewChars = 1_000;
const typePattern = /^[A-Z][A-Z0-9_]{0,39}$/;
/** Written in one go, with one flush. */
const batchMax = 256;
/** The lock costs more than a message, so it is kept while there are more; others wait this much longer at most. */
const holdMs = 20;
const lockWaitMs = 10_000;
const lockAttempts = 3;
const firstPauseMs = 100;

type Waiting = {
  readonly message: Omit<BusEntry, "msg_id" | "ts">;
  readonly done: (entry: BusEntry) => void;
  readonly failed: (error: unknown) => void;
};

export function openBus(root: RunnerRoot, place: ProjectFolder | TaskFolder, options: BusOptions = {}): Bus {
  const file = path.join(place.path, "taskId" in place ? taskFiles.bus : projectFiles.bus);
  const ids = makeMessageIds(root.nanos, root.self.pid);
  const queue: Waiting[] = [];
  let known: BusEnd | null = null;
  let isDraining = false;

  const drain = async (): Promise<void> => {
    if (isDraining) return;
    isDraining = true;
    try {
      while (queue.length > 0) {
        await lockBus(root, file, options, async () => {
          const until = root.env.now() + holdMs;
          while (queue.length > 0 && root.env.now() <= until) {
            known = writeBatch(root, file, known, queue.splice(0, batchMax), ids, options.flushAll === true);
            // A caller that posts one message after the other has its next one ready by then.
            await nextTurn();
          }
        });
      }
    } catch (error) {
      for (const waiting of queue.splice(0)) waiting.failed(error);
    } finally {
      isDraining = false;
    }
  };

  return {
    root,
    place,
    file,
    post: async (message) => {
      const prepared = prepare(root, place, message);
      const posted = new Promise<BusEntry>((done, failed) => queue.push({ message: prepared, done, failed }));
      void drain();
      return posted;
    },
    rotate: (maxBytes) => lockBus(root, file, options, async () => rotate(root, file, maxBytes)),
  };
}

function writeBatch(
  root: RunnerRoot,
  file: string,
  known: BusEnd | null,
  batch: readonly Waiting[],
  ids: MessageIds,
  flushAll: boolean,
): BusEnd | null {
  const entries: BusEntry[] = [];
  try {
    const end = appendToBus(root.disk, file, known, (last) => {
      let latest = last;
      for (const { message } of batch) {
        const { id, ts, nanos } = ids.next(latest);
        latest = nanos;
        entries.push({ msg_id: id, ts, ...message, issue_id: message.type === "ISSUE" ? id : "" });
      }
      const flush = flushAll || entries.some(({ type }) => flushedTypes.has(type));
      return { text: entries.map(formatEntry).join(""), last: latest ?? 0n, flush };
    });
    batch.forEach(({ done }, index) => {
      const entry = entries[index];
      if (entry) done(entry);
    });
    return end;
  } catch (error) {
    for (const { failed } of batch) failed(error);
    return null;
  }
}

/** Checked before the lock is taken. A long body goes to a file of its own, which is on the disk before the message names it. */
function prepare(
  root: RunnerRoot,
  place: ProjectFolder | TaskFolder,
  message: NewMessage,
): Omit<BusEntry, "msg_id" | "ts"> {
  if (!typePattern.test(message.type))
    throw new AppError(
      "invalid_request",
      `${quote(message.type)} is not a type of message. Use capitals, digits and underscores.`,
    );
  const body = message.body;
  if (!body.isWellFormed()) requireText("The message", body);
  const isLong = Buffer.byteLength(body) > bodyMaxBytes;
  const attachment = isLong ? writeAttachment(root, place, message.type, body) : "";
  const parents = (message.parents ?? []).map((parent) =>
    typeof parent === "string" ? { msg_id: parent, kind: "reply" } : parent,
  );
  const entry = {
    type: message.type,
    project_id: place.projectId,
    task_id: "taskId" in place ? place.taskId : "",
    run_id: message.run_id ?? "",
    parents,
    attachment_path: attachment,
    issue_id: "",
    links: message.links ?? [],
    meta: message.meta ?? {},
    body: isLong ? shorten(body, attachment) : body,
  };
  // Too large a header is found here, where it harms one message only.
  formatEntry({ msg_id: "", ts: "", ...entry });
  return entry;
}

function shorten(body: string, attachment: string): string {
  return `${body.slice(0, previewChars).toWellFormed()}\n\n(${Buffer.byteLength(body)} bytes; the whole text is in ${attachment})`;
}

async function lockBus<T>(root: RunnerRoot, file: string, options: BusOptions, work: () => Promise<T>): Promise<T> {
  const waitMs = options.lockWaitMs ?? lockWaitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await lockFile(root, file, waitMs, work);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "database_unavailable") throw error;
      if (attempt === lockAttempts) throw stillLocked(file, error);
      await root.env.sleep(firstPauseMs * 2 ** (attempt - 1));
    }
  }
}

function stillLocked(file: string, cause: AppError): AppError {
  const { holder } = cause.details;
  const who = typeof holder === "number" ? `Process ${holder} holds it.` : "Other processes hold it.";
  return new AppError(
    "database_unavailable",
    `${file} could not be locked in ${lockAttempts} attempts. ${who} Try again.`,
    {
      details: { attempts: lockAttempts, holder },
      cause,
    },
  );
}

function rotate(root: RunnerRoot, file: string, maxBytes: number): string | null {
  const { disk } = root;
  if ((disk.sizeOf(file) ?? 0) <= maxBytes) return null;
  const archive = freeName(
    root,
    path.dirname(file),
    root.nanos(),
    (stamp) => `${path.basename(file)}.${stamp}.archived`,
  );
  disk.move(file, archive);
  return archive;
}
