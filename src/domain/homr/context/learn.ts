// What an observation taught joins the context of its outcome: discoveries, the constraints among them, and decisions of the worker. The
// same sentence is kept once, for all it concerns.

import type { Observation } from "../observe/observation.ts";
import type { HomrWorld, OutcomeState } from "../outcome-state.ts";
import { audienceOf } from "../steer/plan-steering.ts";
import type { Audience, Constraint, Decision, Discovery, OutcomeContext } from "./context.ts";

export function learn(state: OutcomeState, observation: Observation, world: HomrWorld): OutcomeState {
  const { context } = state;
  const kept = { sourceTaskId: observation.taskId, atMs: observation.atMs, isTainted: observation.isTainted };
  const found = observation.discoveries.map(
    (each): Discovery => ({
      ...kept,
      id: world.newId(),
      type: each.type,
      content: each.content,
      audience: audienceOf(state, each),
      resolvedAtMs: null,
      memoryId: null,
    }),
  );
  const limits = found
    .filter(({ type }) => type === "constraint")
    .map(({ content }): Constraint => ({ ...kept, id: world.newId(), content, type: "technical", isActive: true }));
  const decisions = observation.decisions.map(
    ({ content, context: about, affectedAreas }): Decision => ({
      ...kept,
      id: world.newId(),
      content,
      madeBy: "worker",
      context: about,
      affectedAreas,
    }),
  );
  const learnt: OutcomeContext = {
    ...context,
    discoveries: found.reduce(withDiscovery, context.discoveries),
    constraints: limits.reduce(withOther, context.constraints),
    decisions: decisions.reduce(withOther, context.decisions),
    stats: {
      ...context.stats,
      tasksObserved: context.stats.tasksObserved + 1,
      discoveriesExtracted: context.stats.discoveriesExtracted + found.length,
    },
  };
  return { ...state, context: learnt };
}

/** Blanks and case make no other sentence. */
export const sameWords = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

function withDiscovery(known: readonly Discovery[], found: Discovery): readonly Discovery[] {
  const same = known.find((each) => each.type === found.type && sameWords(each.content) === sameWords(found.content));
  if (same === undefined) return [...known, found];
  // Met again, a blocker holds again; whatever part of it may be a stranger's stays marked.
  const again: Discovery = {
    ...same,
    audience: joinAudiences(same.audience, found.audience),
    atMs: Math.max(same.atMs, found.atMs),
    isTainted: same.isTainted || found.isTainted,
    resolvedAtMs: null,
  };
  return known.map((each) => (each === same ? again : each));
}

const joinAudiences = (one: Audience, other: Audience): Audience =>
  one === "every" || other === "every" ? "every" : [...new Set([...one, ...other])];

const withOther = <T extends Constraint | Decision>(known: readonly T[], found: T): readonly T[] =>
  known.some(({ content }) => sameWords(content) === sameWords(found.content)) ? known : [...known, found];
