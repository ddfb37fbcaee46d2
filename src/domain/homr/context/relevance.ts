// How much an item of an outcome's context matters: by what it is, how new it is, and whom it is for. Only the order of the scores
// counts; it decides what stays when there is too much, and what a prompt shows first.

import type { TaskId } from "../tasks/task-id.ts";
import type { Audience, Constraint, Decision, Discovery, Injection } from "./context.ts";

const discoveryWeights: Readonly<Record<Discovery["type"], number>> = {
  blocker: 100,
  constraint: 80,
  dependency: 70,
  decision: 60,
  pattern: 40,
};
const injectionWeights: Readonly<Record<Injection["priority"], number>> = {
  must_know: 100,
  should_know: 70,
  nice_to_know: 40,
};
/** What a person said or decided outlives everything else. */
const ofPerson = 250;
const decisionWeights: Readonly<Record<Decision["madeBy"], number>> = { human: ofPerson, homr: 80, worker: 60 };
const recencyMax = 50;
/** After so long, age no longer tells. */
const recencyMs = 7 * 24 * 60 * 60_000;
const forEveryone = 20;
/** No open task needs it; it stays for the record while there is room. */
const forNobody = -60;

export type Now = { readonly nowMs: number; readonly openTasks: ReadonlySet<TaskId> };

const recency = (atMs: number, nowMs: number): number =>
  recencyMax * Math.min(1, Math.max(0, 1 - (nowMs - atMs) / recencyMs));

function audienceScore(audience: Audience, openTasks: ReadonlySet<TaskId>): number {
  if (audience === "every") return forEveryone;
  return audience.some((id) => openTasks.has(id)) ? 0 : forNobody;
}

/** A blocker that is resolved tells no more than any pattern. */
export const scoreDiscovery = ({ type, atMs, audience, resolvedAtMs }: Discovery, now: Now): number =>
  (resolvedAtMs === null ? discoveryWeights[type] : discoveryWeights.pattern) +
  recency(atMs, now.nowMs) +
  audienceScore(audience, now.openTasks);

/** One without a source is a person's. */
export const scoreInjection = ({ priority, atMs, audience, sourceTaskId }: Injection, now: Now): number =>
  (sourceTaskId === null ? ofPerson : injectionWeights[priority]) +
  recency(atMs, now.nowMs) +
  audienceScore(audience, now.openTasks);

export const scoreDecision = ({ madeBy, atMs }: Decision, now: Now): number =>
  decisionWeights[madeBy] + recency(atMs, now.nowMs) + forEveryone;

export const scoreConstraint = ({ isActive, atMs }: Constraint, now: Now): number =>
  (isActive ? discoveryWeights.constraint : 0) + recency(atMs, now.nowMs) + forEveryone;
