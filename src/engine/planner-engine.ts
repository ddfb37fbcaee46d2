// One iteration of the planner engine: open the workspace, ask the planner once, do what it wants with tools and executors,
// write down what came of it, and report. Whether the run goes on is not decided here.

import type { Tx } from "../db/database.ts";
import type { ArtifactRef } from "../domain/plan/plan.ts";
import { actionsOf } from "../domain/planner/actions.ts";
import type { PlannerAnswer } from "../domain/planner/answer.ts";
import { toProposal } from "../domain/planner/proposal.ts";
import { type StepWork, updatePlan } from "../domain/planner/update-plan.ts";
import { actionFingerprint, toIterationError } from "../domain/run/fingerprint.ts";
import type { Engine, EngineResult, IterationInput, Journal } from "../runs/engine-port.ts";
import { asArtifacts, madeByRun } from "../store/planner-store.ts";
import { Held } from "./ask.ts";
import { askPlanner } from "./ask-planner.ts";
import { buildView } from "./build-view.ts";
import { type CalledTool, callTool } from "./call-tool.ts";
import { toClaim } from "./claim.ts";
import type { Done } from "./done.ts";
import type { Iteration, PlannerDeps } from "./iteration.ts";
import { keepMemory } from "./keep-memory.ts";
import { narrate } from "./narrate.ts";
import { openIteration } from "./open-iteration.ts";
import { questionsOf } from "./questions.ts";
import { type Executed, runExecutor } from "./run-executor.ts";

/** Executors at work at the same time. */
const atOnce = 3;

export function plannerEngine(deps: PlannerDeps): Engine<Tx> {
  return {
    iterate: async (input, journal) => {
      try {
        return await iterate(deps, input, journal);
      } catch (thrown) {
        if (thrown instanceof Held) return { kind: "provider_fault", fault: thrown.fault };
        throw thrown;
      }
    },
    narrate: (ended, journal) => narrate(deps, ended, journal),
  };
}

async function iterate(deps: PlannerDeps, input: IterationInput, journal: Journal<Tx>): Promise<EngineResult> {
  const { it, decidedWrites } = await openIteration(deps, input, journal);
  const view = await buildView(it, input, decidedWrites);
  const asked = await askPlanner(it, view);
  if (!asked.ok) return withoutPlan(it, asked.why, input.signals.length);
  const { answer, isRepeated } = asked.value;
  const done = isRepeated ? nothingDone : await work(it, answer, view.scope.projects);
  return conclude(it, answer, done, input.signals.length);
}

const nothingDone: Done = { calls: [], executed: [] };

async function work(it: Iteration, answer: PlannerAnswer, projects: Parameters<typeof runExecutor>[3]): Promise<Done> {
  const calls = [];
  for (const [n, { tool, args, step_id: stepId, why }] of answer.tool_calls.entries())
    calls.push({ ...(await callTool(it, { key: `tool:${n}`, tool, args, why, branchId: null })), stepId });
  const tasks = it.phase === "plan_only" ? [] : answer.executor_tasks;
  const executed: Executed[] = [];
  for (let from = 0; from < tasks.length; from += atOnce) {
    const group = tasks.slice(from, from + atOnce);
    executed.push(...(await all(group.map((task, n) => runExecutor(it, from + n + 1, task, projects)))));
  }
  return { calls, executed };
}

/** Also where one of them failed, the others come to their end first: nobody may write after the iteration is over. */
async function all<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}

async function conclude(it: Iteration, answer: PlannerAnswer, done: Done, heard: number): Promise<EngineResult> {
  const { run, db, noticed } = it;
  const named = answer.plan.steps.flatMap(({ evidence }) => evidence);
  const identity = { userId: run.userId };
  const made = await db.asUser(identity, (tx) => madeByRun(tx, run.id, named));
  const facts = { iteration: run.state.iteration, work: stepWork(done), artifacts: asArtifacts(made) };
  const { plan } = updatePlan(run.plan, answer.plan.steps, facts);
  const questions = await questionsOf(it, answer);
  await keepMemory(it, answer, done, plan, questions);
  const errors = errorsOf(done);
  return {
    kind: "worked",
    summary: summaryOf(answer, done),
    claim: toClaim(answer),
    closing: null,
    isSilent: false,
    heard,
    questions: questions.map(({ grants: _, ...question }) => question),
    plan,
    proposed: toProposal(answer),
    actions: actionFingerprint(actionsOf(answer)),
    error: errors === null ? null : toIterationError(errors),
    hasToolMiss:
      noticed.missedTools.size > 0 || done.calls.some(({ isMiss }) => isMiss) || done.executed.some((e) => e.hasMiss),
  };
}

/** The planner could not be asked, or its answer could not be read: a failed iteration, and breakers count it. */
function withoutPlan({ run }: Iteration, why: string, heard: number): EngineResult {
  return {
    kind: "worked",
    summary: `The planner gave no plan: ${why}`,
    claim: null,
    closing: null,
    isSilent: true,
    heard,
    questions: [],
    plan: run.plan,
    proposed: null,
    actions: null,
    error: toIterationError(why),
    hasToolMiss: false,
  };
}

function stepWork({ calls, executed }: Done): readonly StepWork[] {
  const ofCalls = calls.flatMap(({ stepId, outcome }) =>
    stepId === null ? [] : [{ stepId, artifacts: artifactsOf(outcome) }],
  );
  const ofTasks = executed.flatMap(({ result: { stepId }, artifacts }) =>
    stepId === null ? [] : [{ stepId, artifacts }],
  );
  return [...ofCalls, ...ofTasks];
}

const artifactsOf = (outcome: CalledTool["outcome"]): readonly ArtifactRef[] => (outcome.ok ? outcome.artifacts : []);

/** Everything that was tried failed: then the iteration has failed, whatever the planner says of it. */
function errorsOf({ calls, executed }: Done): string | null {
  const failures = [
    ...calls.flatMap(({ outcome, line }) => (outcome.ok ? [] : [`${line.tool}: ${outcome.text}`])),
    ...executed.flatMap(({ result }) => (result.ok ? [] : [`${result.title}: ${result.summary}`])),
  ];
  const tried = calls.length + executed.length;
  return tried > 0 && failures.length === tried ? failures.sort().join(" | ") : null;
}

function summaryOf({ status }: PlannerAnswer, { calls, executed }: Done): string {
  const said = status.progress_summary.trim();
  if (said !== "") return said.slice(0, 1_000);
  return `${calls.length} tool calls and ${executed.length} executors`;
}
