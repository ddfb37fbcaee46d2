// The person whose runs these are, through the HTTP API: hands objectives over, answers questions, pauses and resumes, and
// cancels some. A request that got no answer is tried again; what was acknowledged is remembered, because it has to hold.

import { routes } from "../../src/protocol/api.ts";
import { ApiError } from "../../src/protocol/api-error.ts";
import type { Api } from "../../src/protocol/client.ts";
import type { Random } from "../sim/random.ts";
import { objectiveOf } from "./chaos-engine.ts";

export type PersonOptions = {
  readonly runs: number;
  readonly iterations: number;
  /** At most this many are canceled. */
  readonly cancels: number;
};

type Acknowledged = {
  readonly created: Map<number, string>;
  readonly canceled: Set<string>;
  readonly answered: Set<string>;
};

const projects = 4;
/** So many are handed over at once that there is always a line. */
const openAtOnce = 12;
const answerWithinMs = 15_000;
const pauseChance = 0.06;
const cancelChance = 0.03;

export class Person {
  readonly acknowledged: Acknowledged = { created: new Map(), canceled: new Set(), answered: new Set() };
  readonly counts = { pauses: 0, resumes: 0, refusals: 0, unanswered: 0 };
  /** Answers that nothing explains. */
  readonly surprises: string[] = [];
  /** No more pauses and cancels: what is open shall come to its end. */
  isCalm = false;
  readonly #options: PersonOptions;
  readonly #random: Random;
  readonly #api: () => Api | null;
  readonly #projectIds: string[] = [];

  constructor(options: PersonOptions, random: Random, api: () => Api | null) {
    this.#options = options;
    this.#random = random;
    this.#api = api;
  }

  /** Everything that can be done for the runs right now. `share`: how much of the chaos is over, from 0 to 1. */
  async visit(share: number): Promise<void> {
    await this.#handOver(share);
    await this.#answerQuestions();
    await this.#resumePaused();
    if (!this.isCalm) await this.#meddle();
  }

  get hasHandedOverAll(): boolean {
    return this.acknowledged.created.size === this.#options.runs;
  }

  async #handOver(share: number): Promise<void> {
    const { runs, iterations } = this.#options;
    const projectIds = await this.#projects();
    const open = (await this.#list("queued")).length + (await this.#list("running")).length;
    const due = this.isCalm
      ? runs
      : Math.max(Math.ceil(runs * share), this.acknowledged.created.size + openAtOnce - open);
    for (let number = this.acknowledged.created.size + 1; number <= Math.min(due, runs); number++) {
      const projectId = projectIds[number % projectIds.length];
      if (projectId === undefined) return;
      const body = {
        objective: objectiveOf({ number, iterations }),
        project_ids: [projectId],
        budgets: { max_iterations: iterations + 5 },
      };
      const made = await this.#try((api, signal) =>
        api(routes.runs.create, { body }, { signal, idempotencyKey: `chaos-run-${number}` }),
      );
      if (made === null) return;
      this.acknowledged.created.set(number, made.run_id);
    }
  }

  async #projects(): Promise<readonly string[]> {
    while (this.#projectIds.length < projects) {
      const n = this.#projectIds.length;
      const made = await this.#try((api, signal) =>
        api(routes.projects.create, { body: { name: `Chaos ${n}` } }, { signal, idempotencyKey: `chaos-project-${n}` }),
      );
      if (made === null) return [];
      this.#projectIds.push(made.id);
    }
    return this.#projectIds;
  }

  async #answerQuestions(): Promise<void> {
    for (const { id } of await this.#list("waiting_on_user")) {
      const params = { runId: id };
      const found = await this.#try((api, signal) => api(routes.runs.get, { params, query: {} }, { signal }));
      if (found === null || found.run.questions.length === 0) continue;
      const answers = found.run.questions.map((asked) => ({ question_id: asked.id, text: "This one" }));
      const done = await this.#try((api, signal) =>
        api(routes.runs.respond, { params, body: { answers } }, { signal }),
      );
      if (done) this.acknowledged.answered.add(id);
    }
  }

  async #resumePaused(): Promise<void> {
    for (const { id, stop_reason: reason } of await this.#list("stopped")) {
      if (reason?.type !== "paused") this.surprises.push(`run ${id} stopped: ${reason?.detail}`);
      const params = { runId: id };
      const done = await this.#try((api, signal) => api(routes.runs.resume, { params, body: {} }, { signal }));
      if (done) this.counts.resumes += 1;
    }
  }

  async #meddle(): Promise<void> {
    const { canceled } = this.acknowledged;
    const running = await this.#list("running");
    if (running.length === 0) return;
    const runId = this.#random.pick(running).id;
    if (this.#random.chance(pauseChance)) {
      const done = await this.#try((api, signal) => api(routes.runs.pause, { params: { runId } }, { signal }));
      if (done) this.counts.pauses += 1;
    } else if (this.#random.chance(cancelChance) && canceled.size < this.#options.cancels) {
      const done = await this.#try((api, signal) => api(routes.runs.cancel, { params: { runId } }, { signal }));
      if (done) canceled.add(runId);
    }
  }

  async #list(status: "queued" | "running" | "waiting_on_user" | "stopped") {
    const page = await this.#try((api, signal) => api(routes.runs.list, { query: { status, limit: 100 } }, { signal }));
    return page?.items ?? [];
  }

  /** Null where there was no answer, or a no that the state of the run explains. */
  async #try<T>(request: (api: Api, signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const api = this.#api();
    if (api === null) return null;
    const late = AbortSignal.timeout(answerWithinMs);
    try {
      return await request(api, late);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 409) this.counts.refusals += 1;
      else if (late.aborted || (thrown instanceof ApiError && [0, 503].includes(thrown.status)))
        this.counts.unanswered += 1;
      else this.surprises.push(thrown instanceof ApiError ? `${thrown.status} ${thrown.message}` : String(thrown));
      return null;
    }
  }
}
