// What a run's events say about it, worked out from nothing but the events: where it must stand now, and every event that
// could not have come then. The allowed moves are written down here a second time, on purpose.

import { isMidway } from "../../../src/domain/run/midway.ts";
import type { RunStatus } from "../../../src/domain/run/run.ts";
import type { SimEvent } from "../memory/records.ts";

export type Folded = {
  readonly status: RunStatus | null;
  readonly hasSlot: boolean;
  /** Due or under way; in an end, the last one that counted. */
  readonly iteration: number;
  /** Iterations that ended with a decision. */
  readonly ended: number;
  readonly isPaused: boolean;
  /** Answered with no budget left: the next move is to stop. */
  readonly isAnswered: boolean;
  readonly wasStarted: boolean;
  /** What the last decision has to be followed by. */
  readonly owes: SimEvent["type"] | null;
  /** Moves the user has to be told of. */
  readonly moves: number;
  /** Those among them that need the user: of a run on a task, only these are told. */
  readonly needs: number;
};

export const nothingFolded: Folded = {
  status: null,
  hasSlot: false,
  iteration: 1,
  ended: 0,
  isPaused: false,
  isAnswered: false,
  wasStarted: false,
  owes: null,
  moves: 0,
  needs: 0,
};

/** The state after it, or why it could not come. */
export function fold(at: Folded, event: SimEvent): Folded | string {
  if (at.owes !== null && event.type !== at.owes) return `${event.type} came where ${at.owes} had to`;
  if (event.type === "run_created") return at.status === null ? { ...at, status: "queued" } : "created twice";
  if (at.status === null) return `${event.type} before run_created`;
  if (event.type === "iteration_cost_update") return at;
  if (at.status === "completed" || at.status === "failed" || at.status === "canceled")
    return `${event.type} after it was ${at.status}`;
  if ("iteration" in event && !isRightIteration(at, event))
    return `${event.type} of iteration ${event.iteration} while ${at.iteration} is due`;
  return (
    work(at, event) ?? move(at, event) ?? `${event.type} while it is ${at.status}${at.hasSlot ? " with a slot" : ""}`
  );
}

function isRightIteration(at: Folded, event: SimEvent & { readonly iteration: number }): boolean {
  if (event.type === "run_answered") return [at.iteration, at.iteration + 1].includes(event.iteration);
  if (event.type === "run_resumed") return event.iteration === at.iteration + (at.isPaused ? 0 : 1);
  return event.iteration === at.iteration;
}

/** What happens while it is worked on. */
function work(at: Folded, event: SimEvent): Folded | null {
  const isDue = at.status === "running" || (at.status === "queued" && at.hasSlot);
  switch (event.type) {
    case "run_started":
      return isDue && !at.wasStarted && at.status === "queued" ? { ...at, wasStarted: true } : null;
    case "iteration_started":
      return isDue && at.wasStarted ? { ...at, status: "running" } : null;
    case "entry_recorded":
    case "run_holding":
    case "model_silent":
    case "model_heard":
    case "iteration_released":
    case "checks_proven":
      return at.status === "running"
        ? { ...at, moves: at.moves + countTold(event), needs: at.needs + countTold(event) }
        : null;
    case "iteration_completed":
      return at.status === "running" ? afterDecision({ ...at, ended: at.ended + 1 }, event.decision) : null;
    case "run_steered":
      return at;
    default:
      return null;
  }
}

/** A hold that lasts, or a model that does not answer, is told to the user, too. */
const countTold = (event: SimEvent): number =>
  (event.type === "run_holding" || event.type === "model_silent") && event.is_told ? 1 : 0;

/** A pause is the user's own doing, or says that the platform told of it. */
const countStop = ({ reason, is_told }: Extract<SimEvent, { readonly type: "run_stopped" }>): number =>
  reason !== "paused" || is_told ? 1 : 0;

function afterDecision(at: Folded, decision: string): Folded | null {
  switch (decision) {
    case "continue":
      return { ...at, iteration: at.iteration + 1 };
    case "ask":
      return { ...at, owes: "run_waiting_on_user" };
    case "complete":
      return { ...at, owes: "run_completed" };
    case "stop":
      return { ...at, owes: "run_stopped" };
    default:
      return null;
  }
}

const noSlot = { hasSlot: false, owes: null } as const;

function move(at: Folded, event: SimEvent): Folded | null {
  switch (event.type) {
    case "run_admitted":
      return at.status === "queued" && !at.hasSlot ? { ...at, hasSlot: true } : null;
    case "run_resumed":
      return at.status === "stopped" ? backInLine(at, event.iteration) : null;
    case "run_answered":
      if (at.status !== "waiting_on_user") return null;
      // Asked with the last of a budget: the answer is kept, and it is stopped in the same breath.
      return event.iteration === at.iteration ? { ...at, isAnswered: true } : backInLine(at, event.iteration);
    default:
      return leave(at, event);
  }
}

const backInLine = (at: Folded, iteration: number): Folded => ({ ...at, ...noSlot, status: "queued", iteration });

/** To a question or to an end: the user is told, unless it is the user's own doing. */
function leave(at: Folded, event: SimEvent): Folded | null {
  const left = { ...at, ...noSlot };
  const told = { ...left, moves: at.moves + 1 };
  const isActive = at.status === "running" || at.status === "queued";
  switch (event.type) {
    case "run_waiting_on_user":
      return at.owes === null ? null : { ...told, needs: at.needs + 1, status: "waiting_on_user" };
    case "run_completed":
      return at.owes === null ? null : { ...told, status: "completed" };
    case "run_stopped": {
      const isPaused = isMidway(event.reason);
      const isAllowed = at.isAnswered ? !isPaused : isPaused === (at.owes === null) && isActive;
      return isAllowed
        ? { ...left, moves: at.moves + countStop(event), status: "stopped", isPaused, isAnswered: false }
        : null;
    }
    case "run_failed":
      return isActive ? { ...told, status: "failed" } : null;
    case "run_canceled":
      return { ...left, status: "canceled" };
    default:
      return null;
  }
}
