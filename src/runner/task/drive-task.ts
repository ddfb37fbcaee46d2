// The restart loop: iteration after iteration of a task's run, until the gate ends it, the user stops it or it waits for them. Any
// process can take it up where another one broke off; only one drives a task at a time.

import type { WriteAgentPrompt } from "../../domain/agent/agent-prompt-view.ts";
import { tellConditions } from "../../domain/agent/done-conditions.ts";
import { pause, respond } from "../../domain/run/commands.ts";
import { defaultBreakers } from "../../domain/run/gate/breakers.ts";
import type { Decision } from "../../domain/run/gate/exit-gate.ts";
import type { Question } from "../../domain/run/question.ts";
import type { Run, RunningRun } from "../../domain/run/run.ts";
import type { ProcessIdentity } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { commandRun } from "../../runs/command-run.ts";
import { type LoopStore, loopStore } from "../../runs/loop-store.ts";
import type { EngineFor } from "../../runs/ports/engine.ts";
import type { IterationJob, TakenRun } from "../../runs/ports/run-store.ts";
import type { RunnerConfig } from "../config/runner-config.ts";
import type { FolderStore } from "../folder-store.ts";
import { buildShimEnv } from "../job/agent-env.ts";
import { defaultLimits, type JobLimits, type StartDeps } from "../job/job.ts";
import { readResult } from "../job/job-files.ts";
import { reapOrphans } from "../job/reap-orphans.ts";
import { listRuns, type TaskFolder } from "../layout/runner-root.ts";
import { isDone, readStop, removeDone, requestStop } from "../layout/task-files.ts";
import type { FolderWrites } from "../open-folder.ts";
import { agentIteration } from "./agent-iteration.ts";
import type { AgentPool } from "./agent-pool.ts";
import type { AgentWork } from "./agent-work.ts";
import { endChecks } from "./check-processes.ts";
import { proveWork } from "./check-work.ts";
import { waitForDependencies } from "./dependencies.ts";
import { driveAlone, type LoopFile, openLoopStore, readLoopFile } from "./loop-file.ts";
import { postToTask } from "./loop-messages.ts";
import { findPrevious } from "./prompt-view.ts";
import { findAnswers, listForRun, listSaid } from "./said-by-user.ts";
import { stopTask } from "./stop-task.ts";
import { loopLimits } from "./task-run.ts";

/** The loop over the narrow waist; the composition root brings it. */
export type RunIteration = (
  deps: {
    readonly runs: LoopStore<FolderWrites>;
    readonly engineFor: EngineFor<FolderWrites>;
    readonly newId: () => string;
    readonly now: () => number;
    readonly onTaken: (taken: TakenRun) => void;
  },
  job: IterationJob,
  signal: AbortSignal,
) => Promise<Decision | "lost" | "aborted" | null>;

export type DriveDeps = {
  readonly jobs: StartDeps;
  readonly runIteration: RunIteration;
  readonly writePrompt: WriteAgentPrompt;
};

export type DriveOptions = {
  readonly config: RunnerConfig;
  readonly pool: AgentPool;
  /** Aborted: the loop has to end now. `isStop`: and the agent with it; otherwise the agent works on. */
  readonly signal: AbortSignal;
  readonly isStop: () => boolean;
  readonly tell: (text: string) => void;
  /** The command by which a person answers a question of the task. */
  readonly answerCommand: string;
};

export type Driven =
  | { readonly kind: "ended"; readonly run: Run }
  /** It goes on when a loop is started again. */
  | { readonly kind: "let_go"; readonly run: Run }
  | { readonly kind: "driven"; readonly by: ProcessIdentity };

const lookEveryMs = 250;
const answerPollMs = 500;
const retryPausesMs = [1_000, 2_000, 4_000];

export function driveTask(deps: DriveDeps, task: TaskFolder, options: DriveOptions): Promise<Driven> {
  return driveAlone(deps.jobs.root, task, () => new Loop(deps, task, options).drive());
}

class Loop {
  readonly #deps: DriveDeps;
  readonly #task: TaskFolder;
  readonly #options: DriveOptions;
  readonly #store: FolderStore;
  /** Aborted by the caller, or by a stop that was requested. */
  readonly #over = new AbortController();
  #hasTold = "";

  constructor(deps: DriveDeps, task: TaskFolder, options: DriveOptions) {
    this.#deps = deps;
    this.#task = task;
    this.#options = options;
    this.#store = openLoopStore(deps.jobs.root, task);
  }

  get #root() {
    return this.#deps.jobs.root;
  }

  async drive(): Promise<Driven> {
    // A stop that cannot be looked for or written down must not let the loop go on.
    const watched = this.#watch().finally(() => this.#over.abort());
    // Told below, where it is waited for.
    watched.catch(() => {});
    try {
      await this.#clearUp();
      return await this.#untilEnd();
    } catch (thrown) {
      if (!this.#over.signal.aborted) throw thrown;
      return this.#letGo();
    } finally {
      this.#over.abort();
      await watched;
    }
  }

  /** What a loop that was killed has left: its agent is adopted later, a check is run anew. */
  async #clearUp(): Promise<void> {
    if (listRuns(this.#root, this.#task).length === 0) return;
    await reapOrphans(this.#deps.jobs, [this.#task]);
    await endChecks(this.#deps.jobs, this.#task);
  }

  async #untilEnd(): Promise<Driven> {
    for (;;) {
      this.#over.signal.throwIfAborted();
      await this.#hear();
      const run = await this.#read();
      switch (run.state.status) {
        case "queued":
        case "running":
          await this.#step(run);
          break;
        case "waiting_on_user":
          await this.#waitForAnswers(run, run.state.questions);
          break;
        default:
          return { kind: "ended", run };
      }
    }
  }

  async #read(): Promise<Run> {
    const file = await this.#store.read();
    if (file === null)
      throw new AppError(
        "not_found",
        `The folder of task ${this.#task.taskId} was removed while the task was at work, and its record with it. What its agents changed elsewhere is still there. Begin a new task.`,
      );
    return file.run;
  }

  /** A stop counts from the moment it is on the disk: the run is taken from this loop first, so the agent is ended and not let go. */
  async #watch(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      const given = this.#options.signal;
      if (given.aborted && this.#options.isStop())
        requestStop(this.#root, this.#task, "the person at the terminal", "run-agent task was interrupted");
      if (readStop(this.#root, this.#task) !== null) await this.#pause();
      if (given.aborted || readStop(this.#root, this.#task) !== null) {
        this.#over.abort();
        return;
      }
      await this.#root.env.sleep(lookEveryMs, AbortSignal.any([signal, given])).catch(() => {});
    }
  }

  async #pause(): Promise<void> {
    const { run } = (await this.#store.read()) ?? { run: null };
    if (run !== null) await this.#store.transaction((tx) => commandRun(tx, run.userId, run.id, pause, loopLimits));
  }

  async #letGo(): Promise<Driven> {
    const stop = readStop(this.#root, this.#task);
    if (stop !== null) {
      // Also tasks that its agent has started in the background, which outlive the agent.
      const stopping = await stopTask(this.#deps.jobs, this.#task, stop, () => this.#pause());
      await stopping.end();
    }
    const run = await this.#read();
    return { kind: run.state.status === "running" || run.state.status === "queued" ? "let_go" : "ended", run };
  }

  /** What people said on the bus becomes known to the run, so that nothing ends over their heads. */
  async #hear(): Promise<void> {
    await this.#store.hearOf(listForRun(this.#root, this.#task));
  }

  async #waitForAnswers(run: Run, questions: readonly Question[]): Promise<void> {
    const asked = questions.map(({ text }) => text).join(" / ");
    this.#tell(`Waiting for an answer to: ${asked}\nAnswer: ${this.#options.answerCommand}`);
    const answers = await findAnswers(this.#root, this.#task, run, questions);
    if (answers === null) {
      await this.#root.env.sleep(answerPollMs, this.#over.signal);
      return;
    }
    // An answer is taken up as one; it is not a message beside it.
    await this.#store.hearOf(answers.map(({ messageId: id, text }) => ({ id, text, isHeard: true })));
    const given = answers.map(({ questionId, text }) => ({ questionId, text }));
    await this.#store.transaction((tx) => commandRun(tx, run.userId, run.id, (now) => respond(now, given), loopLimits));
  }

  async #step(run: Run): Promise<void> {
    const { env } = this.#root;
    if (run.state.iteration === 1) await waitForDependencies(this.#root, this.#task, this.#over.signal, this.#tell);
    const job = await this.#store.fetch();
    if (job === null) {
      await env.sleep(await this.#timeToDue(), this.#over.signal);
      return;
    }
    let taken: TakenRun | null = null;
    const rules = {
      workerName: `run-agent task (${this.#root.self.pid})`,
      breakers: defaultBreakers,
      limits: loopLimits,
    };
    const ended = await this.#deps.runIteration(
      {
        runs: loopStore(this.#store, rules),
        engineFor: this.#engineFor,
        newId: env.newId,
        now: env.now,
        onTaken: (each) => {
          taken = each;
        },
      },
      job,
      this.#over.signal,
    );
    if (ended === "aborted" && taken !== null) await this.#store.letGo((taken as TakenRun).lease);
    if (ended === null || ended === "lost" || ended === "aborted") {
      this.#over.signal.throwIfAborted();
      return;
    }
    await this.#obey(ended, run.state.iteration);
  }

  async #timeToDue(): Promise<number> {
    const due = (await this.#store.read())?.due ?? null;
    const leftMs = due === null ? lookEveryMs : (due.notBeforeMs ?? 0) - this.#root.env.now();
    return Math.min(Math.max(leftMs, lookEveryMs), 30_000);
  }

  /** What follows from a decision outside of the run's own folder. */
  async #obey(decision: Decision, iteration: number): Promise<void> {
    const { why } = decision;
    if (decision.kind !== "complete" && this.#takeBackDone()) await this.#post("WARNING", `DONE was removed: ${why}`);
    switch (decision.kind) {
      case "continue":
        this.#tell(`Start ${iteration} ${this.#tellEnd()}. ${why}.`);
        // On the disk, so that others see when it starts again, and a loop that takes over waits as long.
        await this.#store.postpone(this.#root.env.now() + this.#options.config.restartDelayMs);
        return;
      case "hold":
        await this.#post("INFO", `On hold until ${isoTime(decision.untilMs)}: ${why}`);
        return;
      case "ask":
        await this.#post("INFO", `${why}.`);
        return;
      case "stop":
        this.#tell(`Start ${iteration} ${this.#tellEnd()}.`);
        await this.#post("ERROR", `Stopped: ${why}`);
        return;
      case "complete":
        await this.#post("INFO", `The task is done: ${why}`);
    }
  }

  /** How the last agent ended; the cause of a crash stands in its result. */
  #tellEnd(): string {
    const last = findPrevious(this.#root, this.#task, readLoopFile(this.#root, this.#task)?.parent_run_id || null);
    const verdict = last === null ? null : (readResult(this.#root, last)?.verdict ?? null);
    return verdict === null || verdict.kind === "ok" ? "ended" : `failed. ${verdict.why.replace(/\.$/, "")}`;
  }

  #takeBackDone(): boolean {
    return isDone(this.#root, this.#task) && removeDone(this.#root, this.#task);
  }

  async #post(type: string, body: string): Promise<void> {
    this.#tell(body);
    await postToTask(this.#root, this.#task, type, body);
  }

  readonly #tell = (text: string): void => {
    if (text !== this.#hasTold) this.#options.tell(text);
    this.#hasTold = text;
  };

  readonly #engineFor: EngineFor<FolderWrites> = (run) => {
    const work = this.#workOf(run);
    const iteration = agentIteration<FolderWrites>(this.#deps, work);
    const folder = work.workFolder;
    const checked = {
      jobs: this.#deps.jobs,
      task: this.#task,
      folder,
      variables: buildShimEnv(this.#deps.jobs.surroundings, null),
      isDone: () => isDone(this.#root, this.#task),
    };
    return {
      engine: { iterate: iteration.iterate },
      prover: {
        prove: (now, _worked, journal) => proveWork(now, checked, journal),
        readStates: async () => iteration.readStates(),
      },
      workFolder: folder,
    };
  };

  #workOf(run: RunningRun): AgentWork {
    const { config, pool } = this.#options;
    const loop: LoopFile | null = readLoopFile(this.#root, this.#task);
    return {
      task: this.#task,
      workFolder: loop?.work_folder ?? this.#task.path,
      pool,
      limits: toLimits(config, run),
      children: { timeoutMs: config.childWaitTimeoutMs, pollMs: config.childPollIntervalMs },
      parentRunId: loop?.parent_run_id || null,
      depth: loop?.depth ?? 0,
      depthMax: config.maxDelegationDepth,
      checks: tellConditions(run.checks),
      isCommitted: false,
      hadDone: null,
      said: () => listSaid(this.#root, this.#task),
      retryPausesMs,
      hooks: null,
      tell: this.#tell,
      onStopped: async ({ by, reason }) => {
        requestStop(this.#root, this.#task, by, reason);
        await this.#pause();
        this.#over.abort();
      },
      beforeEnd: () => this.#hear(),
    };
  }
}

/** An agent may work for what is left of the time; a day at most. */
function toLimits(config: RunnerConfig, { budget, spent }: RunningRun): JobLimits {
  const leftMs = Math.max(1_000, budget.maxRunningMs - spent.runningMs);
  return {
    ...defaultLimits,
    idleMs: config.idleThresholdMs,
    stuckMs: config.stuckThresholdMs,
    wallMs: Math.min(leftMs, defaultLimits.wallMs ?? leftMs),
  };
}

// biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
const isoTime = (ms: number): string => new Date(ms).toISOString();
