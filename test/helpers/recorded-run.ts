// Plays one run by chance on a real database, with everything that can happen to it: workers that work, die, let go and come
// too late, providers that fail, people who answer, steer, pause and take back. After every act the API is asked for the run.

import type { Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { IterationResult } from "../../src/domain/run/iteration-result.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { realEnv } from "../../src/main/env.ts";
import type { Run, RunEvent } from "../../src/protocol/api.ts";
import { commitIteration } from "../../src/runs/commit-iteration.ts";
import {
  type IterationJob,
  type ModelCall,
  plannerLane,
  type RunStore,
  type TakenRun,
} from "../../src/runs/ports/run-store.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { toWireRun } from "../../src/server/run-wire.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { giveUpOldCalls } from "../../src/store/journal/lost-call-store.ts";
import { letGo } from "../../src/store/run/lease-store.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { findRunView } from "../../src/store/run-view/run-view-store.ts";
import type { Random } from "../sim/random.ts";
import { makeEntry, makeHead } from "./make-entry.ts";
import { failure, makeCheck, makeClaim, makeQuestion, makeResult } from "./make-run.ts";
import { setQueueClock } from "./queue-clock.ts";
import type { Person, TestApp } from "./test-app.ts";

/** What the API said at many moments, and everything that happened. */
export type Recording = {
  readonly runId: string;
  readonly looks: readonly Run[];
  readonly events: readonly RunEvent[];
};

export type Stage = {
  readonly app: TestApp;
  readonly limits: { readonly maxConcurrentRuns: number };
  /** Deliveries that nobody has worked on yet, by run. */
  readonly jobs: Map<string, IterationJob>;
};

const path = "/api/homework/runs";

export class RunPlayer {
  readonly #stage: Stage;
  readonly #store: RunStore<Tx>;
  readonly #by: Person;
  readonly #projectId: string;
  readonly #random: Random;
  readonly #looks: Run[] = [];
  readonly #forks: string[] = [];
  #runId = "";
  #taken: TakenRun | null = null;
  #lost: TakenRun[] = [];
  #open: { readonly taken: TakenRun; readonly call: ModelCall }[] = [];
  #keys = 0;

  constructor(stage: Stage, by: Person, projectId: string, random: Random) {
    this.#stage = stage;
    this.#store = runStore(stage.app.db, stage.app.queue, () => {});
    this.#by = by;
    this.#projectId = projectId;
    this.#random = random;
  }

  /** Runs that were forked from this one; each can be played as well. */
  get forks(): readonly string[] {
    return this.#forks;
  }

  async play(acts: number, forkedId?: string): Promise<Recording> {
    this.#runId = forkedId ?? (await this.#create());
    await this.#look();
    for (let n = 0; n < acts; n++) {
      const act = this.#choose();
      // Now and then somebody looks in the very moment in which it happens.
      if (this.#random.chance(0.15)) await Promise.all([act(), this.#look()]);
      else await act();
      await this.#look();
    }
    // Its slot is free for others.
    await this.#post(this.#random.chance(0.5) ? "cancel" : "pause");
    await this.#giveUpOldCalls();
    if (this.#random.chance(0.5)) {
      await this.#post("undo", { skip: [], force: [] });
      if (this.#random.chance(0.5)) await this.#post("restore");
    }
    await this.#look();
    return { runId: this.#runId, looks: this.#looks, events: await this.#events() };
  }

  /** Its workers die one after the other until it is given up. */
  async playToDeath(deaths: number): Promise<Recording> {
    this.#runId = await this.#create();
    for (let n = 0; n < deaths; n++) {
      await this.#take();
      await this.#step("tool");
      await this.#crash();
      await this.#look();
    }
    return { runId: this.#runId, looks: this.#looks, events: await this.#events() };
  }

  #choose(): () => Promise<unknown> {
    const { pick, chance } = this.#random;
    if (this.#lost.length > 0 && chance(0.1)) return () => this.#comeTooLate();
    if (chance(0.22)) return pick(this.#people());
    if (this.#taken === null) return chance(0.9) ? () => this.#take() : () => this.#giveUpOldCalls();
    return pick([
      ...Array.from({ length: 4 }, () => () => this.#step("tool")),
      () => this.#step("platform"),
      () => this.#ask("table"),
      () => this.#ask("unpriced"),
      () => this.#ask("unknown"),
      () => this.#ask("never"),
      () => this.#act(),
      // Mostly there is nothing new to hear.
      ...Array.from({ length: 4 }, () => () => this.#hear()),
      () => this.#write(),
      () => this.#crash(),
      () => this.#release(),
      ...Array.from({ length: 5 }, () => () => this.#commit()),
    ]);
  }

  /** Whatever the run says to it. */
  #people(): readonly (() => Promise<unknown>)[] {
    const { random } = { random: this.#random };
    const steer = () => this.#post("steer", { message: `Do it otherwise ${random.below(100)}` });
    const answer = async () => {
      const questions = this.#looks.at(-1)?.questions ?? [];
      const answers = questions.map(({ id }) => ({ question_id: id, text: `answer ${random.below(100)}` }));
      if (answers.length > 0) await this.#post("respond", { answers });
    };
    const resume = () => this.#post("resume", { budgets: { max_iterations: random.between(3, 60) } });
    const fork = async () => {
      const { body } = await this.#post("fork", {});
      if (typeof body?.id === "string") this.#forks.push(body.id);
    };
    const rarely = random.chance(0.15) ? [() => this.#post("cancel")] : [];
    const undo = () => this.#post("undo", { skip: [], force: [] });
    return [
      steer,
      steer,
      answer,
      answer,
      answer,
      resume,
      resume,
      () => this.#post("pause"),
      ...rarely,
      ...(random.chance(0.2) ? [undo] : []),
      ...(random.chance(0.5) ? [fork] : []),
    ];
  }

  async #create(): Promise<string> {
    const { random } = { random: this.#random };
    const isHard = random.chance(0.2);
    const body = {
      objective: `Play ${random.below(1_000)}`,
      scope: "project",
      project_ids: [this.#projectId],
      budgets: {
        max_iterations: random.between(2, 12),
        ...(random.chance(0.2) ? { max_total_tokens: random.between(20, 200) } : {}),
        ...(isHard ? { max_cost_usd: 0.0005, hard: true } : {}),
      },
      ...(random.chance(0.5) ? { completion_criteria: [{ kind: "document_has", words_at_least: 300 }] } : {}),
    };
    return (await this.#stage.app.call("POST", path, this.#by.session, { body })).body.run_id;
  }

  #post(verb: string, body: unknown = undefined) {
    const options = body === undefined ? {} : { body };
    return this.#stage.app.call("POST", `${path}/${this.#runId}/${verb}`, this.#by.session, options);
  }

  /** Mostly without the HTTP around it, which takes longer than the rest. */
  async #look(): Promise<void> {
    const { app } = this.#stage;
    if (this.#random.chance(0.1)) {
      const { body } = await app.call("GET", `${path}/${this.#runId}`, this.#by.session);
      this.#looks.push(body.run);
      return;
    }
    const view = await app.db.asUser({ userId: this.#by.id as UserId }, (tx) => findRunView(tx, this.#runId));
    if (view === null) throw new Error("bug: the run is gone");
    this.#looks.push(toWireRun(view, defaultBreakers));
  }

  async #events(): Promise<readonly RunEvent[]> {
    const events: RunEvent[] = [];
    for (let since: number | null = 0; since !== null; ) {
      const url: string = `${path}/${this.#runId}?include_events=true&limit=200&events_since_seq=${since}`;
      const { body } = await this.#stage.app.call("GET", url, this.#by.session);
      events.push(...body.events.items);
      since = body.events.next_since_seq;
    }
    return events;
  }

  async #take(): Promise<void> {
    const { app, jobs, limits } = this.#stage;
    await setQueueClock(app.admin, 7 * 86_400); // Holds are over at once.
    const due = await app.queue.fetch("iteration", 50);
    await setQueueClock(app.admin, 0);
    for (const { id, attempt, data } of due) {
      const { run_id: runId, iteration } = data as { run_id: RunId; iteration: number };
      jobs.set(runId, { id, attempt, runId, iteration });
    }
    const job = jobs.get(this.#runId);
    if (job) this.#taken = await takeRun(this.#store, job, "test", limits);
  }

  #key(name: string): string {
    this.#keys += 1;
    return `${name}:${this.#keys}`;
  }

  async #step(kind: "tool" | "platform"): Promise<void> {
    if (this.#taken) await this.#record(this.#taken, kind);
  }

  async #record({ lease }: TakenRun, kind: "tool" | "platform"): Promise<void> {
    const { iteration } = lease;
    const entry = this.#key(kind);
    const said = { type: "entry_recorded", iteration, entry, summary: `did ${entry}` } as const;
    const failed = this.#random.chance(0.2) ? ({ ...said, lane: "exec:1", is_failed: true } as const) : said;
    const event = kind === "platform" ? ({ ...said, is_bookkeeping: true } as const) : failed;
    await this.#store.recordEntry(lease, makeEntry(event, { kind, result: { result: {}, artifacts: [] } }));
  }

  async #ask(pricedBy: "table" | "unpriced" | "unknown" | "never"): Promise<void> {
    const taken = this.#taken;
    if (taken === null) return;
    const isUnpriced = pricedBy === "unpriced" || this.#random.chance(0.3);
    const call: ModelCall = {
      callId: realEnv.newId(),
      key: this.#key("llm"),
      role: "planner",
      model: "scripted",
      reservedMicroUsd: isUnpriced ? 0 : this.#random.between(50, 300),
      isUnpriced,
    };
    if ((await this.#store.reserveCall(taken.lease, call)) !== "kept") return;
    if (pricedBy === "never") this.#open.push({ taken, call });
    else await this.#settle(taken, call, pricedBy);
  }

  async #settle({ lease }: TakenRun, call: ModelCall, pricedBy: "table" | "unpriced" | "unknown"): Promise<void> {
    const costMicroUsd = pricedBy === "table" ? this.#random.between(1, 50) : 0;
    const usage =
      pricedBy === "unknown"
        ? pricedBy
        : { costMicroUsd, inputTokens: 7, cachedTokens: 0, writtenTokens: 0, outputTokens: 3, pricedBy };
    await this.#store.settleCall(lease, call, usage, null);
  }

  async #act(): Promise<void> {
    const taken = this.#taken;
    if (taken === null) return;
    const head = makeHead({ key: this.#key("effect") });
    await this.#store.intendEffect(taken.lease, head);
    if (this.#random.chance(0.2)) return;
    const isKnown = this.#random.chance(0.7);
    const done = { kind: "done", result: {}, did: "done", error: null } as const;
    await this.#store.finishEffect(taken.lease, head, isKnown ? done : { kind: "uncertain" });
  }

  /** Now and then by an executor, which was shown nothing before. */
  async #hear(): Promise<void> {
    const lane = this.#random.chance(0.5) ? plannerLane : { id: "exec:1", title: "Look" };
    if (this.#taken) await this.#store.hear(this.#taken.lease, makeHead({ key: this.#key("heard"), lane }), []);
  }

  async #write(): Promise<void> {
    const taken = this.#taken;
    if (taken === null) return;
    const { iteration } = taken.lease;
    const entry = this.#key("write");
    await this.#store.recordWrites(taken.lease, async (tx) => {
      const where = { id: realEnv.newId(), projectId: this.#projectId, by: this.#by.id as UserId };
      await createEntity(tx, "task", where, { title: entry });
      const artifacts = [{ kind: "task", id: where.id }];
      const event = { type: "entry_recorded", iteration, entry, summary: entry } as const;
      return makeEntry(event, { result: { result: where, artifacts } });
    });
  }

  /** The same delivery is taken up by another worker later. */
  async #crash(): Promise<void> {
    if (this.#taken) this.#lost = [...this.#lost, this.#taken].slice(-3);
    this.#taken = null;
  }

  async #release(): Promise<void> {
    if (this.#taken) await letGo(this.#stage.app.db, this.#taken.lease);
    await this.#crash();
  }

  /** A worker that froze wakes up: it may settle what it paid for, and nothing else. */
  async #comeTooLate(): Promise<void> {
    const taken = this.#random.pick(this.#lost);
    await this.#record(taken, "tool");
    const open = this.#open.find((each) => each.taken === taken);
    if (open) await this.#settle(taken, open.call, "table");
    if (this.#random.chance(0.3)) await this.#commitAs(taken);
  }

  async #giveUpOldCalls(): Promise<void> {
    await this.#stage.app.db.asSystem((tx) => giveUpOldCalls(tx, -1));
  }

  async #commit(): Promise<void> {
    const taken = this.#taken;
    this.#taken = null;
    if (taken) await this.#commitAs(taken);
  }

  async #commitAs(taken: TakenRun): Promise<void> {
    const breakers = { ...defaultBreakers, noProgress: 6 };
    await commitIteration(this.#store, taken.lease, this.#resultOf(taken), breakers, this.#stage.limits);
  }

  #resultOf({ run }: TakenRun): IterationResult {
    const { random } = { random: this.#random };
    const proposed =
      random.chance(0.4) && run.state.iteration === 1
        ? {
            deliverables: [{ id: "d", title: "A page" }],
            checks: [makeCheck({ id: "page", deliverableId: "d" })],
            drops: [],
            why: "",
          }
        : null;
    const seen = (isGreen: boolean) =>
      run.checks.map(({ id }) => ({
        checkId: id,
        isGreen,
        seen: isGreen ? "there" : "not there",
        artifacts: [{ kind: "task", id: "x" }],
        iteration: run.state.iteration,
      }));
    const mixed = () => seen(true).map((proof) => ({ ...proof, isGreen: random.chance(0.5) }));
    const wasHeard = random.chance(0.8);
    const goesOn = () =>
      makeResult({
        summary: `did ${random.below(100)}`,
        proofs: random.chance(0.3) ? [] : mixed(),
        proposed,
        wasHeard,
        progress: { entitiesWritten: random.below(2), states: [] },
        actions: String(random.below(3)),
      });
    const fault = (kind: "auth" | "quota" | "hold"): IterationResult => ({
      kind: "provider_fault",
      fault: kind === "hold" ? { kind, untilMs: realEnv.now() + 60_000, why: "429" } : { kind, why: `${kind} refused` },
      atMs: realEnv.now(),
      artifacts: [],
      wasHeard,
    });
    const questions = [
      makeQuestion({ id: `q${random.below(99)}` }),
      makeQuestion({ id: "other", options: ["a", "b"] }),
    ];
    return random.pick<() => IterationResult>([
      goesOn,
      goesOn,
      goesOn,
      () => makeResult({ ...goesOn(), kind: "worked", error: failure("same error"), proofs: seen(false) }),
      () => makeResult({ claim: makeClaim(), proofs: seen(true), wasHeard }),
      () => makeResult({ claim: makeClaim({ exitSignal: true }), proofs: seen(false), wasHeard }),
      () => makeResult({ questions: questions.slice(0, random.between(1, 2)), proofs: mixed(), proposed, wasHeard }),
      () => makeResult({ questions: questions.slice(0, 1), proofs: [], wasHeard }),
      () => fault("hold"),
      () => fault(random.pick(["auth", "quota"])),
    ])();
  }
}
