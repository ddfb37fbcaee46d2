// What the planner promises becomes part of the run: deliverables, and checks for them. Alone it can only add. After the user
// said something, it may change or drop its own checks. The user's criteria change only once the user has approved the change,
// in every write mode; in approve_plan the planner's own are the user's, too.

import type { Proposal, WorkedIteration } from "../iteration-result.ts";
import type { Run, RunningRun } from "../run.ts";
import { readApproval } from "./approval-answer.ts";
import type { Check, Deliverable } from "./check.ts";
import { describeCheck } from "./describe-check.ts";
import { judgeIdOf, objectiveJudgeId } from "./evidence.ts";
import { applyProposal, findRename, isLowering, judgeProposal } from "./judge-proposal.ts";

/** Every run has it from its beginning. */
export const planCheck: Check = {
  id: "plan_complete",
  deliverableId: null,
  target: { kind: "plan_complete" },
  givenBy: "platform",
};

/** The question that asks for the user's approval of a change. */
export const checksQuestion = "approve-checks";

type Said = { readonly questionId: string | null; readonly text: string };

/** Whether the user has said anything, oldest first, since they last said no to a change: it is not asked for twice. */
export const hasReasonToAsk = (said: readonly Said[]): boolean =>
  said.slice(said.findLastIndex(isRefusal) + 1).length > 0;

const isRefusal = ({ questionId, text }: Said): boolean =>
  questionId === checksQuestion && readApproval(text).kind === "rejected";

/** Messages that this iteration or the one before heard may change what is wanted. */
export function mayLowerChecks({ heardIn, state }: Pick<Run, "heardIn" | "state">, heard: number): boolean {
  return heard > 0 || (heardIn !== null && state.iteration - heardIn <= 1);
}

export type Adopted = {
  readonly run: RunningRun;
  /** What is different from what was promised before, one sentence each; empty for a first promise. */
  readonly changes: readonly string[];
  /** What would be different once the user approves. */
  readonly asked: readonly string[];
  readonly why: string;
};

type Promised = Pick<WorkedIteration, "proposed" | "heard">;

/** A proposal that is not sound changes nothing: the engine has told the planner why (`judgeProposal`). */
export function adopt(before: RunningRun, { proposed, heard }: Promised): Adopted {
  // A run that is running has no open question, so nothing waits for an answer any more.
  const run = before.awaited === null ? before : { ...before, awaited: null };
  const unchanged: Adopted = { run, changes: [], asked: [], why: "" };
  if (proposed === null) return unchanged;
  const judged = judgeProposal(run, proposed, mayLowerChecks(run, heard));
  if (!judged.ok) return unchanged;
  const { proposal } = judged;
  const { own, users } = splitProposal(run, proposal);
  const isPromised = run.deliverables.length > 0;
  const changes = own !== null && (isPromised || isLowering(run, own)) ? describeChanges(run, own) : [];
  const after = own === null ? run : withJudges(applyProposal(run, own));
  const asked = users === null ? [] : describeChanges(after, users);
  // Only what the user is asked about waits: where a proposal says the same in other words, no answer would ever come.
  const waiting = asked.length > 0 ? { ...after, awaited: users } : after;
  return { run: waiting, changes, asked, why: proposal.why };
}

type Split = { readonly own: Proposal | null; readonly users: Proposal | null };

/** What the planner may change by itself, and what is the user's to approve. One part is nothing without the other where it would not be sound. */
function splitProposal(run: RunningRun, proposal: Proposal): Split {
  const isUsers = (id: string) => run.checks.some((check) => check.id === id && check.givenBy === "user");
  const isUsersTitle = (each: Deliverable) =>
    findRename(run, each) !== null &&
    run.checks.some(({ deliverableId, givenBy }) => deliverableId === each.id && givenBy === "user");
  const own = {
    ...proposal,
    deliverables: proposal.deliverables.filter((each) => !isUsersTitle(each)),
    checks: proposal.checks.filter(({ id }) => !isUsers(id)),
    drops: proposal.drops.filter((id) => !isUsers(id)),
  };
  const users = {
    ...proposal,
    deliverables: proposal.deliverables.filter(isUsersTitle),
    checks: proposal.checks.filter(({ id }) => isUsers(id)),
    drops: proposal.drops.filter(isUsers),
  };
  const isApproved = run.permission.writeMode === "approve_plan";
  if (isApproved ? !isLowering(run, proposal) : !isLowering(run, users)) return { own: proposal, users: null };
  const isApart = !isApproved && judgeProposal(run, own, true).ok;
  return isApart ? { own, users } : { own: null, users: proposal };
}

/** Whether it would change or drop what the user gave. */
export const touchesUsers = (run: RunningRun, proposal: Proposal): boolean =>
  splitProposal(run, proposal).users !== null;

/** What waited for the user's approval is adopted, or forgotten. */
export function settleAwaited<R extends Run>(run: R, isApproved: boolean): R {
  if (run.awaited === null) return run;
  const settled = { ...run, awaited: null };
  return isApproved ? withoutOldProofs(run, withJudges(applyProposal(settled, run.awaited))) : settled;
}

/** What was seen of a check that is another one now says nothing about it. */
function withoutOldProofs<R extends Run>(before: Run, after: R): R {
  const isSame = (id: string): boolean => {
    const [old, now] = [before, after].map(({ checks, deliverables }) =>
      checks.filter((check) => check.id === id).map((check) => describeCheck(check, deliverables)),
    );
    return old?.[0] !== undefined && old[0] === now?.[0];
  };
  return { ...after, lastProofs: after.lastProofs.filter(({ checkId }) => isSame(checkId)) };
}

/** The platform's own judges: one for each deliverable; one for the objective where the user alone said what is wanted. */
export function withJudges<R extends Run>(run: R): R {
  const others = run.checks.filter(({ givenBy, target }) => givenBy !== "platform" || target.kind !== "judge");
  return { ...run, checks: [...others, ...(run.isJudged ? judgesFor(run, others) : [])] };
}

function judgesFor({ deliverables, objective }: Run, others: readonly Check[]): readonly Check[] {
  const judge = (id: string, deliverableId: string | null, rubric: string): Check => ({
    id,
    deliverableId,
    target: { kind: "judge", rubric },
    givenBy: "platform",
  });
  if (deliverables.length > 0)
    return deliverables.map(({ id }) =>
      judge(judgeIdOf(id), id, "It is there, complete, and what the user asked for."),
    );
  const isUsers = others.some(({ givenBy }) => givenBy === "user") && objective !== "";
  return isUsers ? [judge(objectiveJudgeId, null, "The objective is met in full, as the user asked for it.")] : [];
}

export function describeChanges(run: Run, proposal: Proposal): readonly string[] {
  const after = applyProposal(run, proposal);
  const find = (checks: readonly Check[], id: string) => checks.find((check) => check.id === id);
  return [
    ...after.deliverables.flatMap((each) => {
      const old = findRename(run, each);
      return old === null ? [] : [`Renamed: “${old.title}” → “${each.title}”`];
    }),
    ...run.checks
      .filter(({ id, givenBy }) => givenBy !== "platform" && find(after.checks, id) === undefined)
      .map((check) => `Dropped: ${describeCheck(check, run.deliverables)}`),
    ...after.checks.flatMap((check) => {
      const old = find(run.checks, check.id);
      if (old === undefined) return [`Added: ${describeCheck(check, after.deliverables)}`];
      return describeCheck(old) === describeCheck(check)
        ? []
        : [`Changed: ${describeCheck(old, run.deliverables)} → ${describeCheck(check, after.deliverables)}`];
    }),
  ];
}
