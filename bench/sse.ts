// 1,000 viewers of one run: how long from an event's write until each of them has it, while nothing else happens, and again while
// every one of them is cut off and comes back, also as tabs do it (one stream of several topics). Gaps and doubles are counted
// for each viewer over all of its connections. Compared with 10 viewers of the same server.

import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startNotifier } from "../src/db/notifier.ts";
import type { RunId } from "../src/domain/run/run.ts";
import { configSchema } from "../src/main/config-schema.ts";
import { realEnv } from "../src/main/env.ts";
import { openInstallation } from "../src/main/open-database.ts";
import { routes } from "../src/protocol/api.ts";
import { openJobQueue } from "../src/queue/pg-boss-queue.ts";
import type { RunStore, TakenRun } from "../src/runs/ports/run-store.ts";
import { takeRun } from "../src/runs/take-run.ts";
import { changesChannel } from "../src/store/notification/topics.ts";
import { runStore } from "../src/store/run/run-store.ts";
import { makeEntry } from "../test/helpers/make-entry.ts";
import type { Served } from "../test/helpers/served.ts";
import { figuresOf, ratio, report } from "./figures.ts";

const viewers = 1_000;
const events = 100;
const everyMs = 200;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function benchSse(server: Served, data: string): Promise<void> {
  const opened = await openInstallation({ config: configSchema.parse({ data }), logger: silent, say: () => {} });
  const queue = await openJobQueue(opened.db, () => {});
  const hints = startNotifier(opened.db, changesChannel, realEnv);
  const store = runStore(opened.db, queue, hints.tell);
  try {
    const few = await watched(server, store, { count: 10 });
    const many = await watched(server, store, { count: viewers });
    const cut = await watched(server, store, { count: viewers, isCut: true });
    const tabs = await watched(server, store, { count: viewers, isCut: true, isTab: true });
    const all = [few, many, cut, tabs];
    report("1,000 viewers of a run", {
      "event to viewer": timesText(many.times),
      "event to viewer, 10 viewers": timesText(few.times),
      "event to viewer while all are cut and come back": timesText(cut.times),
      "the same, each with its user's feed in one stream": timesText(tabs.times),
      "connections cut": cut.cuts + tabs.cuts,
      "gaps or doubles": all.reduce((sum, { faults }) => sum + faults, 0),
      "events not seen by everyone": all.reduce((sum, { missing }) => sum + missing, 0),
      "p99 of 1,000 : p99 of 10": ratio(p99(many.times), p99(few.times)),
    });
  } finally {
    await hints.close();
    await queue.close();
    await opened.close();
  }
}

type Watched = { times: readonly number[]; faults: number; missing: number; cuts: number };

type Watching = { readonly count: number; readonly isCut?: boolean; readonly isTab?: boolean };

async function watched(
  server: Served,
  store: RunStore<unknown>,
  { count, isCut = false, isTab = false }: Watching,
): Promise<Watched> {
  const taken = await takenRun(server, store);
  const first = await lastSeq(server, taken.run.id);
  const wroteAt = new Map<number, number>();
  const clients = Array.from({ length: count }, () => new Viewer(server, taken.run.id, first, wroteAt, isTab));
  await Promise.all(clients.map((client) => client.connect()));
  await sleep(1_000);
  for (let n = 0; n < events; n++) {
    wroteAt.set(first + n + 1, performance.now());
    const event = {
      type: "entry_recorded" as const,
      iteration: 1,
      entry: `s${n}`,
      summary: "an entry of an iteration",
    };
    await store.recordEntry(taken.lease, makeEntry(event));
    if (isCut) for (let c = n; c < clients.length; c += events / 2) clients[c]?.cut();
    await sleep(everyMs);
  }
  for (let waited = 0; waited < 30_000 && clients.some(({ seq }) => seq < first + events); waited += 100)
    await sleep(100);
  for (const client of clients) client.close();
  await server.api(routes.runs.cancel, { params: { runId: taken.run.id } });
  return {
    times: clients.flatMap(({ times }) => times),
    faults: clients.reduce((sum, { faults }) => sum + faults, 0),
    missing: clients.reduce((sum, { seq }) => sum + (first + events - seq), 0),
    cuts: clients.reduce((sum, { cuts }) => sum + cuts, 0),
  };
}

/** Taken by this process, so that it may write its events one by one. The server's own worker is off. */
async function takenRun(server: Served, store: RunStore<unknown>): Promise<TakenRun> {
  const { run_id: id } = await server.api(routes.runs.create, { body: { objective: "To be watched" } });
  const job = { id: realEnv.newId(), attempt: 0, runId: id as RunId, iteration: 1 };
  const taken = await takeRun(store, job, "bench", { maxConcurrentRuns: 100 });
  if (taken === null) throw new Error("somebody else works on the run: switch the server's worker off");
  return taken;
}

async function lastSeq(server: Served, runId: string): Promise<number> {
  const { run } = await server.api(routes.runs.get, { params: { runId }, query: {} });
  return run.last_seq;
}

/** Follows the stream, comes back when it is cut, and compares every event with the one before. */
class Viewer {
  seq: number;
  faults = 0;
  cuts = 0;
  readonly times: number[] = [];
  readonly #server: Served;
  readonly #runId: string;
  readonly #wroteAt: ReadonlyMap<number, number>;
  readonly #isTab: boolean;
  #request: http.ClientRequest | null = null;
  #isClosed = false;

  constructor(server: Served, runId: string, after: number, wroteAt: ReadonlyMap<number, number>, isTab: boolean) {
    this.#server = server;
    this.#runId = runId;
    this.seq = after;
    this.#wroteAt = wroteAt;
    this.#isTab = isTab;
  }

  /** A tab follows its user's feed as well. */
  #address(): string {
    const topic = `run:${this.#runId}`;
    return this.#isTab ? `/api/live?topics=feed,${topic}@${this.seq}` : `/api/homework/runs/${this.#runId}/stream`;
  }

  connect(): Promise<void> {
    return new Promise((resolve) => {
      const { url, key } = this.#server;
      const headers = {
        authorization: `Bearer ${key}`,
        accept: "text/event-stream",
        "last-event-id": String(this.seq),
      };
      const again = () => {
        if (!this.#isClosed) setTimeout(() => void this.connect().then(resolve), 50 + Math.random() * 200);
      };
      let hasAnswered = false;
      const request = http.get(`${url}${this.#address()}`, { agent: false, headers }, (response) => {
        hasAnswered = true;
        if (response.statusCode !== 200) {
          response.resume();
          again();
          return;
        }
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          const parts = (rest + text).split("\n\n");
          rest = parts.pop() ?? "";
          for (const part of parts) if (!part.startsWith("data: feed")) this.#see(/^id: (\d+)$/m.exec(part)?.[1]);
          resolve();
        });
        response.on("close", again);
      });
      request.on("error", () => {
        if (!hasAnswered) again();
      });
      this.#request = request;
    });
  }

  #see(id: string | undefined): void {
    if (id === undefined) return;
    const seq = Number(id);
    if (seq !== this.seq + 1) this.faults += 1;
    this.seq = seq;
    const wrote = this.#wroteAt.get(seq);
    if (wrote !== undefined) this.times.push(performance.now() - wrote);
  }

  cut(): void {
    this.cuts += 1;
    this.#request?.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.#request?.destroy();
  }
}

const p99 = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
const timesText = (times: readonly number[]) =>
  `p50 ${figuresOf(times).p50} ms, p99 ${Math.round(p99(times) * 10) / 10} ms`;
