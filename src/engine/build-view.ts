// Gathers what the planner is shown. Everything in it is bounded, and asked of the database by keys, so an iteration costs
// the same whether it is the tenth or the thousandth.

import { toLastIteration } from "../domain/planner/memory.ts";
import type { PlannerView } from "../domain/planner/view.ts";
import { describeCheck } from "../domain/run/describe-check.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { repeatedHint } from "../prompts/planner-rules.ts";
import type { IterationInput } from "../runs/engine-port.ts";
import { findForeignWords } from "../store/node-store.ts";
import { projectsToUse, recentIterations } from "../store/planner-store.ts";
import { readScratchpad } from "../store/workspace-store.ts";
import type { Iteration } from "./iteration.ts";

const historyMax = 10;
const projectsMax = 20;
const entriesShown = 3;

export async function buildView(
  it: Iteration,
  { signals }: IterationInput,
  decidedWrites: PlannerView["decidedWrites"],
): Promise<PlannerView> {
  const { run, memory, workspace, db, projectIds } = it;
  const identity = { userId: run.userId, runId: run.id };
  const read = await db.asUser(identity, async (tx) => {
    const projects = await projectsToUse(tx, projectIds, projectsMax);
    const pages = it.mayKeepPages ? await readScratchpad(tx, workspace, entriesShown) : noPages;
    const shown = projects.map(({ id }) => id);
    return {
      history: await recentIterations(tx, run.id, historyMax),
      projects,
      scratchpad: pages.text,
      foreign: await findForeignWords(tx, [...shown, workspace.projectId], [...shown, ...pages.ids]),
    };
  });
  if (read.foreign.length > 0 || isToldByOthers(it)) it.noticed.hasReadUntrusted = true;
  const last = read.history.findLast(({ iteration }) => iteration === memory.iteration);
  const asked = new Map(memory.asked.map(({ id, text }) => [id, text]));
  return {
    runId: run.id,
    objective: run.objective,
    iteration: run.state.iteration,
    budget: budgetOf(run),
    scope: { kind: run.scope.kind, projects: read.projects },
    workspace,
    permission: { ...run.permission, phase: it.phase },
    plan: run.plan.steps,
    deliverables: run.deliverables,
    checks: checksOf(run),
    mayPropose: run.deliverables.length === 0,
    guidance: run.guidance,
    hint: run.streaks.sameAction > 0 || memory.isRepeating ? repeatedHint : null,
    streaks: {
      noProgress: run.streaks.noProgress,
      sameAction: run.streaks.sameAction,
      toolMisses: run.streaks.toolMisses,
    },
    lastIteration: toLastIteration(memory, {
      hasProgressed: run.streaks.noProgress === 0,
      decision: last?.why ?? "",
    }),
    failures: memory.failures,
    remainingWorkLast: memory.remainingWork,
    answers: signals.flatMap(({ kind, questionId, text }) =>
      kind === "answer" && questionId !== null
        ? [{ questionId, question: asked.get(questionId) ?? questionId, text }]
        : [],
    ),
    steering: signals.flatMap(({ kind, text }) => (kind === "steer" ? [text] : [])),
    history: read.history.map(({ iteration, summary }) => ({ iteration, summary })),
    scratchpad: read.scratchpad,
    tools: it.registry.offers({
      stage: run.guidance?.next === "recover" ? 3 : memory.stage,
      chosen: [],
      missed: memory.missedTools,
      allowed: run.permission.allowedTools,
    }),
    decidedWrites,
  };
}

const noPages = { text: "", ids: [] } as const;

/** What a server says of its tools stands in every prompt: it is read before anything else is. */
function isToldByOthers({ run, registry }: Iteration): boolean {
  const { allowedTools } = run.permission;
  return registry.all.some(
    ({ name, isForeignText }) => isForeignText === true && (allowedTools === null || allowedTools.includes(name)),
  );
}

function budgetOf({ budget, spent, state }: RunningRun): PlannerView["budget"] {
  const minutes = (ms: number) => Math.round(ms / 60_000);
  const dollars = (micro: number) => Math.round(micro / 10_000) / 100;
  return [
    { of: "iterations", used: state.iteration - 1, limit: budget.maxIterations },
    { of: "minutes", used: minutes(spent.runningMs), limit: minutes(budget.maxRunningMs) },
    ...(budget.maxCostMicroUsd === null
      ? []
      : [{ of: "dollars", used: dollars(spent.costMicroUsd), limit: dollars(budget.maxCostMicroUsd) }]),
    ...(budget.maxTokens === null ? [] : [{ of: "tokens", used: spent.tokens, limit: budget.maxTokens }]),
    ...(budget.maxToolCalls === null ? [] : [{ of: "tool calls", used: spent.toolCalls, limit: budget.maxToolCalls }]),
  ];
}

function checksOf({ checks, lastProofs }: RunningRun): PlannerView["checks"] {
  const proofs = new Map(lastProofs.map((proof) => [proof.checkId, proof]));
  return checks.map((check) => {
    const proof = proofs.get(check.id);
    return { id: check.id, about: describeCheck(check), isGreen: proof?.isGreen ?? null, seen: proof?.seen ?? "" };
  });
}
