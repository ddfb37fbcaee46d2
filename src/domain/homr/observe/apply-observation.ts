// What one observation leads to: what it taught joins the context, the work is steered, and a doubt is put to a person besides. A failure
// pattern is put to a person instead; then only grave drift is corrected, because no answer would bring it up again. What is ready begins.
// It is applied once: an attempt that was observed already only goes on.

import { clipLine } from "../../planner/clip.ts";
import { advanceOutcome } from "../advance-outcome.ts";
import { compactContext } from "../context/compact-context.ts";
import { learn } from "../context/learn.ts";
import { hasHelped, isWorthKeeping, learnFrom } from "../context/memory.ts";
import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { type AskedQuestion, type EscalationNeed, escalate, needsEscalation } from "../questions/escalate.ts";
import { followedBy, logged, taskOf } from "../state-changes.ts";
import { correctDrift, steer } from "../steer/steer.ts";
import { nameTask } from "../tasks/task-list.ts";
import type { Observation } from "./observation.ts";
import { summarizeObservation } from "./read-observation.ts";

/** As many as a rule may look back at (`lookbackCount`). */
const historyMax = 50;

/** `question`: what a model made of the doubt that `needsEscalation` found; null: nothing, or no model could be asked. */
export function applyObservation(
  state: OutcomeState,
  observation: Observation,
  output: string,
  question: AskedQuestion | null,
  world: HomrWorld,
): OutcomeMove {
  const isKnown = state.history.some(
    ({ taskId, attempt }) => taskId === observation.taskId && attempt === observation.attempt,
  );
  if (isKnown) return advanceOutcome(state, world);
  const need = needsEscalation(state, observation, output);
  const kept: OutcomeMove = { state: learn(state, observation, world), effects: keepEffects(state, observation) };
  const acted = followedBy(kept, (learnt) =>
    need === null
      ? steer(learnt, observation, world)
      : followedBy(steerBeside(learnt, observation, need, world), (after) => escalate(after, need, question, world)),
  );
  const compacted = { ...acted, state: compactContext(remember(acted.state, observation), world) };
  return followedBy(
    { ...compacted, effects: [...compacted.effects, ...promote(compacted.state, observation, state)] },
    (after) => advanceOutcome(after, world),
  );
}

/** A doubt about some tasks stops nothing else; after a failure pattern everything waits, and only grave drift is put right. */
const steerBeside = (
  state: OutcomeState,
  observation: Observation,
  need: EscalationNeed,
  world: HomrWorld,
): OutcomeMove =>
  need.cause.kind === "ambiguity" ? steer(state, observation, world) : correctDrift(state, observation, world);

const remember = (state: OutcomeState, observation: Observation): OutcomeState => ({
  ...state,
  history: [...state.history, summarizeObservation(observation)].slice(-historyMax),
});

function keepEffects(state: OutcomeState, observation: Observation): readonly OutcomeEffect[] {
  const { id, taskId, onTrack, alignmentScore, quality, drift, discoveries, by, attempt } = observation;
  const course = onTrack ? "on course" : "off course";
  const said = `${nameTask(taskOf(state, taskId))} is ${course} (${alignmentScore} of 100)`;
  const counts = { drift: drift.length, discoveries: discoveries.length };
  const details = { observation_id: id, attempt, by, on_track: onTrack, quality, ...counts };
  return [
    { kind: "keep_observation", observation },
    logged({
      type: "observation",
      taskId,
      cause: { kind: "discovery", observationId: id },
      summary: clipLine(`${said}: ${observation.summary}`, 400),
      details,
    }),
    ...weighMemories(state, observation),
  ];
}

/** Those that this task was told of. */
function weighMemories({ context }: OutcomeState, observation: Observation): readonly OutcomeEffect[] {
  const helped = hasHelped(observation);
  const memoryIds = context.discoveries.flatMap(({ memoryId }) => (memoryId === null ? [] : [memoryId]));
  return helped === null || memoryIds.length === 0 ? [] : [{ kind: "weigh_memories", memoryIds, hasHelped: helped }];
}

/** What is new since before, and still there. */
function promote(after: OutcomeState, observation: Observation, before: OutcomeState): readonly OutcomeEffect[] {
  if (!isWorthKeeping(observation)) return [];
  const known = new Set(before.context.discoveries.map(({ id }) => id));
  const fresh = after.context.discoveries.filter((each) => !known.has(each.id) && learnFrom(each) !== null);
  return fresh.map(({ id }) => ({ kind: "promote", discoveryId: id }));
}
