// Outcomes in PostgreSQL: the transactions that `src/outcomes/` is written in. Each operation is a file of its own with its SQL.

import type { Database, Tx } from "../../db/database.ts";
import { findOutcomeEvents } from "../../domain/homr/outcome-events.ts";
import { aboutEscalation } from "../../domain/homr/outcome-notification.ts";
import { isOpenEscalation } from "../../domain/homr/questions/escalation.ts";
import type { OutcomeChange, OutcomeTransactions, OutcomeTx } from "../../outcomes/ports/outcome-store.ts";
import type { RunChange } from "../../runs/ports/run-store.ts";
import { markRead, tellUser } from "../notification/notification-store.ts";
import { tellTopics } from "../notification/topics.ts";
import type { RunJobs } from "../run/run-jobs.ts";
import { runTx, topicsOf } from "../run/run-store.ts";
import { findMemories } from "./find-memories.ts";
import { type HomrJobs, turnJob } from "./homr-jobs.ts";
import { endTurn, takeTurn } from "./homr-turns.ts";
import { insertOutcome } from "./insert-outcome.ts";
import { keepActivities } from "./keep-activities.ts";
import { beginAttempts, endAttempt, findAttempt } from "./keep-attempts.ts";
import { keepEvents, tellLists } from "./keep-events.ts";
import { keepMemories, weighMemories } from "./keep-memories.ts";
import { keepObservation } from "./keep-observation.ts";
import { countReviews, keepReview } from "./keep-review.ts";
import { lockOutcome } from "./lock-outcome.ts";
import { saveContext } from "./save-context.ts";
import { saveEscalations } from "./save-escalations.ts";
import { keepApproach, keepInterventions, saveOutcome } from "./save-outcome.ts";
import { saveTasks } from "./save-tasks.ts";

export type OutcomeJobs = RunJobs & HomrJobs;

export function outcomeStore(db: Database, jobs: OutcomeJobs): OutcomeTransactions {
  return { transaction: (work) => db.asSystem((tx) => inOutcomeTx(tx, jobs, work)) };
}

/** In a transaction of someone else's that has the platform's role now; viewers are told when that is committed. */
export async function inOutcomeTx<T>(tx: Tx, jobs: OutcomeJobs, work: (tx: OutcomeTx) => Promise<T>): Promise<T> {
  const changed: RunChange[] = [];
  const result = await work(outcomeTx(tx, jobs, (change) => changed.push(change)));
  await tellTopics(tx, new Set(changed.flatMap(topicsOf)));
  return result;
}

const outcomeTx = (tx: Tx, jobs: OutcomeJobs, onChange: (change: RunChange) => void): OutcomeTx => ({
  lockOutcome: (id, spokenOf) => lockOutcome(tx, id, spokenOf),
  insertOutcome: async (outcome, tasks) => {
    await insertOutcome(tx, outcome, tasks);
    await keepEvents(tx, outcome.id, [{ type: "outcome_changed", name: outcome.name, status: outcome.status }]);
    await tellLists(tx, outcome);
  },
  save: (change) => save(tx, change),
  tell: (change) => tell(tx, jobs, change),
  findAttempt: (runId) => findAttempt(tx, runId),
  findMemories: (outcome) => findMemories(tx, outcome),
  countReviews: (id) => countReviews(tx, id),
  takeTurn: (outcome, kind, about) => takeTurn(tx, outcome, kind, about),
  endTurn: (lease, state) => endTurn(tx, lease, state),
  enqueue: (outcomeId, turn, notBeforeMs) => jobs.enqueue(tx, turnJob(outcomeId, turn, notBeforeMs)),
  acknowledge: (job) => jobs.complete(tx, { ...job, kind: "homr" }),
  runs: runTx(tx, jobs, onChange),
});

/** The outcome is locked. Tasks come before what names them, the observation before the question it led to. */
async function save(tx: Tx, change: OutcomeChange): Promise<void> {
  const { before, state, activities } = change;
  const { outcome } = state;
  await saveOutcome(tx, state);
  await saveTasks(tx, outcome.id, before.tasks, state.tasks);
  await beginAttempts(tx, change.begun);
  if (change.ended !== null) await endAttempt(tx, outcome.id, change.ended);
  if (change.observation !== null) await keepObservation(tx, outcome, change.observation);
  await saveContext(tx, outcome.id, before.context, state.context);
  await saveEscalations(tx, outcome.id, before.escalations, state.escalations);
  if (change.newApproach !== null) await keepApproach(tx, state, change.newApproach);
  await keepInterventions(tx, state, change.interventions);
  if (change.review !== null) await keepReview(tx, outcome.id, change.review);
  await keepMemories(tx, outcome, change.memories);
  for (const weighed of change.weighed) await weighMemories(tx, outcome, weighed);
  await keepActivities(tx, outcome.id, activities);
  await keepEvents(tx, outcome.id, findOutcomeEvents(before, state, activities));
}

/** A question that has ended need not be looked at any more. */
async function tell(tx: Tx, jobs: OutcomeJobs, change: OutcomeChange): Promise<void> {
  const { before, state, activities, notifications } = change;
  if (findOutcomeEvents(before, state, activities).length > 0) await tellLists(tx, state.outcome);
  for (const escalation of state.escalations.filter((each) => !isOpenEscalation(each)))
    await markRead(tx, state.outcome.userId, { about: aboutEscalation(escalation) });
  for (const notification of notifications) await tellUser(tx, jobs, notification);
}
