// How a question ends: a person answers or dismisses it, a model proposes an answer that a person confirms or rejects, or its deadline
// passes. Of two answers the first counts; the second is told so. Security and gates are answered by people only.

import { clipLine } from "../../planner/clip.ts";
import { type Commanded, carryOn, refuse } from "../commands/command.ts";
import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState, Refused } from "../outcome-state.ts";
import { changeEscalation, followedBy, logged } from "../state-changes.ts";
import { settlePauses } from "../tasks/pausing.ts";
import {
  type Escalation,
  type EscalationAnswer,
  type EscalationOption,
  isOpenEscalation,
  nameAnswer,
  ownWords,
  type Proposed,
  takesOwnWords,
} from "./escalation.ts";
import { mayModelAnswer } from "./open-escalation.ts";
import { carryOutOption } from "./option-actions.ts";
import { rememberAnswer, rememberDismissal } from "./remember-decision.ts";

export type GivenAnswer = {
  readonly escalationId: string;
  readonly option: string;
  readonly additionalContext: string;
};

/** A person's answer; also to a question for which an answer is proposed. */
export function answerEscalation(state: OutcomeState, given: GivenAnswer, world: HomrWorld): Commanded {
  const found = findOpen(state, given.escalationId);
  if ("isDone" in found) return found;
  const { option, additionalContext } = given;
  return settle(state, found, { option, additionalContext, by: "human", atMs: world.nowMs }, world);
}

function findOpen({ escalations }: OutcomeState, id: string): Escalation | Refused {
  const found = escalations.find((each) => each.id === id);
  if (found === undefined) return refuse("There is no such open question: it was answered, dismissed or never asked");
  if (isOpenEscalation(found)) return found;
  if (found.state.status !== "answered")
    return refuse(`This question was closed already: ${clipLine(whyClosed(found), 200)}`);
  const { option, additionalContext, by } = found.state.answer;
  const label = clipLine(nameAnswer(found.options, option, additionalContext), 200);
  return refuse(`This question was answered already${by === "human" ? "" : ` by ${bys[by]}`}: ${label}`);
}

const whyClosed = ({ state }: Escalation): string =>
  state.status === "dismissed" && state.why.trim() !== "" ? state.why : "it was dismissed";

const bys = { homr: "HOMЯ", deadline: "its deadline" } as const;

function settle(
  state: OutcomeState,
  escalation: Escalation,
  answer: EscalationAnswer,
  world: HomrWorld,
  more: Readonly<Record<string, unknown>> = {},
): Commanded {
  const { options, id } = escalation;
  const option = chooseOption(escalation, answer);
  if ("isDone" in option) return option;
  const chosen = { escalation, option, additionalContext: answer.additionalContext };
  const close = (open: OutcomeState) =>
    changeEscalation(open, id, (each) => ({ ...each, state: { status: "answered", answer } }));
  // While a question about the whole is open nothing begins that the action is just about to change.
  const acted = carryOutOption(escalation.isWholeOutcome ? state : close(state), chosen, world);
  if (!acted.isDone) return acted;
  const after = rememberAnswer(close(acted.move.state), escalation, option, answer, world);
  const said = {
    human: `Answered: ${nameAnswer(options, option.id, answer.additionalContext)}`,
    homr: `HOMЯ answered: ${option.label}`,
    deadline: `The deadline passed, so this was chosen: ${option.label}`,
  }[answer.by];
  const effects = [
    ...acted.move.effects,
    tell(escalation, said, { option: option.id, action: option.action, ...more }),
  ];
  return carryOn(followedBy({ state: after, effects }, settlePauses), world);
}

function chooseOption(escalation: Escalation, answer: EscalationAnswer): EscalationOption | Refused {
  const { options } = escalation;
  const found = options.find(({ id }) => id === answer.option);
  if (found !== undefined) return found;
  if (answer.option !== ownWords) {
    const known = options.map(({ id, label }) => `${id} (${label})`).join(", ");
    return refuse(`There is no option “${clipLine(answer.option, 60)}”; choose one of: ${known}`);
  }
  if (!takesOwnWords(options)) return refuse("This question needs one of its options");
  if (answer.additionalContext.trim() === "") return refuse("Say in your own words what should happen");
  return { id: ownWords, label: "Something else, in their own words", ...goOn };
}

const goOn = { description: "", implications: "", action: "proceed" } as const;

const tell = (escalation: Escalation, said: string, details: Readonly<Record<string, unknown>>): OutcomeEffect =>
  logged({
    type: "resolution",
    taskId: escalation.triggerTaskId,
    cause: { kind: "answer", escalationId: escalation.id },
    summary: `${clipLine(said, 300)} (${clipLine(escalation.question, 200)})`,
    details: { escalation_id: escalation.id, ...details },
  });

/** The work goes on without a decision. A gate is not given by it. */
export function dismissEscalation(
  state: OutcomeState,
  { escalationId, why }: { readonly escalationId: string; readonly why: string },
  world: HomrWorld,
): Commanded {
  const found = findOpen(state, escalationId);
  if ("isDone" in found) return found;
  const closed = changeEscalation(state, escalationId, (each) => ({
    ...each,
    state: { status: "dismissed", atMs: world.nowMs, why },
  }));
  const after = rememberDismissal(closed, found, why, world);
  const move = { state: after, effects: [tell(found, "Dismissed", { why })] };
  return carryOn(followedBy(move, settlePauses), world);
}

/** "Let me think": it stays open, and no deadline answers it. */
export function thinkItOver(state: OutcomeState, escalationId: string): Commanded {
  const found = findOpen(state, escalationId);
  if ("isDone" in found) return found;
  const after = changeEscalation(state, escalationId, (each) => ({ ...each, deadlineMs: null }));
  const effects = found.deadlineMs === null ? [] : [tell(found, "Waits for you without a deadline", {})];
  return { isDone: true, move: { state: after, effects } };
}

export const mayAutoResolve = (state: OutcomeState, escalation: Escalation): boolean =>
  escalation.state.status === "pending" && mayModelAnswer(state, escalation);

/** What a model would answer. It counts as the mode says: as an answer, as a proposal, or, where it is not sure enough, not at all. */
export function proposeAnswer(
  state: OutcomeState,
  { escalationId, proposed }: { readonly escalationId: string; readonly proposed: Proposed },
  world: HomrWorld,
): Commanded {
  const found = findOpen(state, escalationId);
  if ("isDone" in found) return found;
  if (!mayAutoResolve(state, found)) return refuse("Only a person answers this question");
  const { option, confidence, reason } = proposed;
  const label = found.options.find((each) => each.id === option)?.label;
  if (label === undefined) return refuse(`The proposed option “${clipLine(option, 60)}” does not exist`);
  const { mode, threshold } = state.outcome.autoResolve;
  const details = { option, confidence, reason };
  if (!(confidence >= threshold)) {
    const said = `HOMЯ would choose “${label}”, but is not sure enough (${confidence}, needed ${threshold})`;
    return { isDone: true, move: { state, effects: [tell(found, said, details)] } };
  }
  // A question that came from text of strangers is confirmed by a person in any mode.
  if (mode === "full_auto" && !found.isTainted)
    return settle(state, found, { option, additionalContext: "", by: "homr", atMs: world.nowMs }, world, { reason });
  const after = changeEscalation(state, escalationId, (each) => ({
    ...each,
    state: { status: "pending_confirmation", proposed },
  }));
  const effects: readonly OutcomeEffect[] = [
    tell(found, `HOMЯ proposes: ${label}`, details),
    { kind: "notify_owner", about: "escalation", id: escalationId },
  ];
  return { isDone: true, move: { state: after, effects } };
}

function findProposed(
  state: OutcomeState,
  id: string,
): { readonly found: Escalation; readonly proposed: Proposed } | Refused {
  const found = findOpen(state, id);
  if ("isDone" in found) return found;
  if (found.state.status !== "pending_confirmation") return refuse("No answer is proposed for this question");
  return { found, proposed: found.state.proposed };
}

export function confirmAnswer(state: OutcomeState, escalationId: string, world: HomrWorld): Commanded {
  const asked = findProposed(state, escalationId);
  if ("isDone" in asked) return asked;
  const { option } = asked.proposed;
  return settle(state, asked.found, { option, additionalContext: "", by: "human", atMs: world.nowMs }, world);
}

/** Back to the person, without a proposal. */
export function rejectAnswer(state: OutcomeState, escalationId: string): Commanded {
  const asked = findProposed(state, escalationId);
  if ("isDone" in asked) return asked;
  const after = changeEscalation(state, escalationId, (each) => ({ ...each, state: { status: "pending" } }));
  const said = tell(asked.found, "Rejected the proposed answer", { option: asked.proposed.option });
  return { isDone: true, move: { state: after, effects: [said] } };
}

/** Chooses the default of every question whose deadline has passed. Those for people only go on waiting. */
export function passDeadlines(state: OutcomeState, world: HomrWorld): OutcomeMove {
  const due = state.escalations.filter((each) => isDue(each, world.nowMs));
  return due.reduce<OutcomeMove>(
    (move, escalation) => followedBy(move, (open) => chooseDefault(open, escalation, world)),
    { state, effects: [] },
  );
}

const isDue = (each: Escalation, nowMs: number): boolean =>
  isOpenEscalation(each) &&
  each.deadlineMs !== null &&
  each.deadlineMs <= nowMs &&
  each.defaultOption !== null &&
  each.trigger !== "security" &&
  each.trigger !== "gate";

function chooseDefault(state: OutcomeState, escalation: Escalation, world: HomrWorld): OutcomeMove {
  const option = escalation.defaultOption ?? "";
  const answer = { option, additionalContext: "", by: "deadline", atMs: world.nowMs } as const;
  const settled = settle(state, escalation, answer, world);
  if (settled.isDone) return settled.move;
  // It cannot be done as things are: a person decides after all, without being asked again every minute.
  const waiting = changeEscalation(state, escalation.id, (each) => ({ ...each, deadlineMs: null }));
  return { state: waiting, effects: [tell(escalation, `The default could not be chosen: ${settled.why}`, {})] };
}
