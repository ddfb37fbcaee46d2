// How far the agent of a run has come on the bus of its task: what it has seen at all (the loop looks at it: that need not be told again),
// and what `bus poll` has printed for each filter, so that a poll prints what is new.

import { z } from "zod";
import { AppError } from "../../../lib/app-error.ts";
import { readJson } from "../../../lib/json.ts";
import { openBus } from "../../../runner/bus/bus.ts";
import type { BusEntry } from "../../../runner/bus/entry.ts";
import { isOfPerson } from "../../../runner/bus/questions.ts";
import { type BusRead, type BusSince, readBus } from "../../../runner/bus/read-bus.ts";
import { inJob } from "../../../runner/job/job-files.ts";
import type { RunFolder, RunnerRoot } from "../../../runner/layout/runner-root.ts";
import { readText, smallTextMax } from "../../../runner/layout/text.ts";

const seenShape = z.object({ msg_id: z.string() });
const polledShape = z.record(z.string(), z.string());
/** Agents use a handful; the oldest is forgotten, and polled anew from what was seen. */
const filtersMax = 50;

export class BusMarks {
  readonly #root: RunnerRoot;
  readonly #run: RunFolder;

  constructor(root: RunnerRoot, run: RunFolder) {
    this.#root = root;
    this.#run = run;
  }

  /** Where a poll begins that does not say it: after the last one with this filter, or after what was read. */
  polled(filter: string): BusSince {
    const id = this.#readPolled()[filter] ?? this.#readSeen();
    return id === null || this.#since(id) === null ? "start" : { id };
  }

  notePolled(filter: string, last: BusEntry | undefined): void {
    if (last === undefined) return;
    const { [filter]: _, ...others } = this.#readPolled();
    const kept = Object.entries(others).slice(1 - filtersMax);
    this.#write("busPolled", Object.fromEntries([...kept, [filter, last.msg_id]]));
  }

  /** Not past a message of the user that was not shown: it would count as told. */
  noteSeen(last: BusEntry | undefined, wasShown: (entry: BusEntry) => boolean): void {
    if (last === undefined) return;
    const seen = this.#readSeen();
    const { entries } = (seen === null ? null : this.#since(seen)) ?? readBus(openBus(this.#root, this.#run.task));
    const at = entries.findIndex(({ msg_id: id }) => id === last.msg_id);
    // Everything up to it was seen before.
    if (at === -1) return;
    if (entries.slice(0, at + 1).some((entry) => isOfPerson(entry) && !wasShown(entry))) return;
    this.#write("busSeen", { msg_id: last.msg_id });
  }

  /** Null: the message is gone. */
  #since(id: string): BusRead | null {
    try {
      return readBus(openBus(this.#root, this.#run.task), { id });
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === "invalid_cursor") return null;
      throw thrown;
    }
  }

  #readSeen(): string | null {
    return seenShape.safeParse(this.#read("busSeen")).data?.msg_id ?? null;
  }

  #readPolled(): Readonly<Record<string, string>> {
    return polledShape.safeParse(this.#read("busPolled")).data ?? {};
  }

  #read(file: "busSeen" | "busPolled"): unknown {
    const read = readText(this.#root.disk, inJob(this.#run, file), smallTextMax);
    return read.kind === "text" ? readJson(read.text) : null;
  }

  #write(file: "busSeen" | "busPolled", value: object): void {
    this.#root.disk.replace(inJob(this.#run, file), JSON.stringify(value));
  }
}
