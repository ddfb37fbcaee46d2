// The owner of the outcomes under the chaos: hands them over, and answers what HOMЯ asks, but only when nothing can go on without an
// answer. What was paused and what was done by then is remembered.

import { type Escalation, routes } from "../../src/protocol/api.ts";
import { ApiError } from "../../src/protocol/api-error.ts";
import type { Api } from "../../src/protocol/client.ts";
import { doubt, longStretch, storyBody } from "./outcome-story.ts";

/** How an outcome stood when its owner answered: numbers of tasks by their status. */
export type Standstill = {
  readonly trigger: string;
  readonly tasks: Readonly<Record<string, readonly number[]>>;
  /** Tasks with an attempt. */
  readonly begun: readonly number[];
};

type PlayedOutcome = { readonly id: string; readonly standstills: Standstill[]; isOver: boolean };

/** What is asked that the story does not ask. */
type Surprise = string;

const tasksMax = 100;

export class Owner {
  readonly #api: () => Api;
  readonly #name: string;
  readonly outcomes: PlayedOutcome[] = [];
  readonly surprises: Surprise[] = [];
  /** How often the server asked for patience. */
  timesToldToWait = 0;

  /** `name`: of this chaos, for the keys of what is handed over. */
  constructor(name: string, api: () => Api) {
    this.#name = name;
    this.#api = api;
  }

  /** Tried again with the next visit where the server asks for patience; the keys make sure that it is made once. */
  async handOver(): Promise<void> {
    await this.#create().catch((thrown) => this.#comeAgain(thrown));
  }

  /** Each has a project of its own, so that none sees the pages of another. */
  async #create(): Promise<void> {
    const n = this.outcomes.length + 1;
    const api = this.#api();
    const key = { idempotencyKey: `${this.#name}-project-${n}` };
    const { id: projectId } = await api(routes.projects.create, { body: { name: `Booklet ${n}` } }, key);
    const body = { ...storyBody, project_id: projectId };
    const { id } = await api(routes.outcomes.create, { body }, { idempotencyKey: `${this.#name}-outcome-${n}` });
    this.outcomes.push({ id, standstills: [], isOver: false });
  }

  get open(): readonly PlayedOutcome[] {
    return this.outcomes.filter(({ isOver }) => !isOver);
  }

  /** Looks at each outcome once. */
  async visitAll(): Promise<void> {
    for (const played of this.open) await this.#visit(played).catch((thrown) => this.#comeAgain(thrown));
  }

  async #visit(played: PlayedOutcome): Promise<void> {
    const api = this.#api();
    const params = { outcomeId: played.id };
    const outcome = await api(routes.outcomes.get, { params });
    if (outcome.status !== "active") played.isOver = true;
    if (played.isOver || outcome.open_escalations === 0 || outcome.tasks.running > 0) return;
    const { items } = await api(routes.escalations.list, { params, query: {} });
    const asked = items.find(({ status }) => status === "pending");
    if (asked === undefined) return;
    // For the rest one worker is enough: what waits for it while a task fails again and again is ready and has not begun.
    if (outcome.workers > 1)
      await api(routes.outcomes.update, { params, body: { version: outcome.version, workers: 1 } });
    const stood = { trigger: asked.trigger.type, ...(await this.#readTasks(played.id)) };
    await this.#answer(asked);
    played.standstills.push(stood);
  }

  /** The database lets one of two go first; the other one is told to come again. */
  #comeAgain(thrown: unknown): void {
    if (!(thrown instanceof ApiError) || thrown.code !== "database_unavailable") throw thrown;
    this.timesToldToWait += 1;
  }

  async #readTasks(outcomeId: string): Promise<Omit<Standstill, "trigger">> {
    const { items } = await this.#api()(routes.outcomeTasks.list, {
      params: { outcomeId },
      query: { limit: tasksMax },
    });
    const byStatus = Map.groupBy(items, ({ status }) => status);
    const tasks = Object.fromEntries([...byStatus].map(([status, some]) => [status, some.map(({ number }) => number)]));
    return { tasks, begun: items.filter(({ attempts }) => attempts > 0).map(({ number }) => number) };
  }

  async #answer({ id: escId, outcome_id: outcomeId, trigger, question }: Escalation): Promise<void> {
    const params = { outcomeId, escId };
    const known = answers[trigger.type];
    if (known === undefined) {
      this.surprises.push(`${trigger.type}: ${question.text}`);
      await this.#api()(routes.escalations.dismiss, { params, body: {} });
    } else await this.#api()(routes.escalations.answer, { params, body: known });
  }
}

type Answer = { readonly selected_option: string; readonly additional_context?: string };

const answers: Readonly<Record<string, Answer>> = {
  multiple_approaches: { selected_option: doubt.chosen },
  consecutive_failures: { selected_option: longStretch.chosen, additional_context: longStretch.guidance },
};
