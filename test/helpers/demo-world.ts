// A run of the demo model without a database: the store in memory, the rules of plans and checks, and the real gate. It says
// what was made, what was asked, and how it ended.

import type { PlanStep } from "../../src/domain/plan/plan.ts";
import { type PlannerAnswer, plannerAnswer } from "../../src/domain/planner/answer.ts";
import { toProposal } from "../../src/domain/planner/proposal.ts";
import { type StepWork, updatePlan } from "../../src/domain/planner/update-plan.ts";
import type { ExecutorView, PlannerView } from "../../src/domain/planner/view.ts";
import { adopt, planCheck } from "../../src/domain/run/adopt.ts";
import type { Check, Proof } from "../../src/domain/run/checks.ts";
import { describeCheck } from "../../src/domain/run/describe-check.ts";
import { type Decision, decide, streaksAfter } from "../../src/domain/run/exit-gate.ts";
import { actionFingerprint } from "../../src/domain/run/fingerprint.ts";
import type { Proposal, WorkedIteration } from "../../src/domain/run/iteration-result.ts";
import type { Permission, RunningRun } from "../../src/domain/run/run.ts";
import { ask, DemoStore, execute, type Made, prove, type StoreRules, scopeProject, workspace } from "./demo-store.ts";
import { makeClaim, makeResult, makeRun } from "./make-run.ts";

export type World = {
  readonly objective: string;
  readonly scope?: "global" | "project";
  readonly permission?: Permission;
  readonly checks?: readonly Check[];
  readonly plan?: readonly PlanStep[];
  /** What was promised before, for a fork. */
  readonly promised?: Proposal;
  /** What the user says before an iteration. */
  readonly steering?: Readonly<Record<number, readonly string[]>>;
  /** What they answer, whatever they are asked. */
  readonly answer?: (question: string) => string;
  /** Tools that fail, and with which words. */
  readonly broken?: StoreRules["broken"];
  readonly iterationsMax?: number;
};

export type Played = {
  readonly made: readonly Made[];
  readonly answers: readonly PlannerAnswer[];
  readonly decisions: readonly Decision[];
  readonly repairs: readonly { readonly tool: string; readonly iteration: number; readonly ok: boolean }[];
  readonly links: number;
  readonly questions: readonly string[];
  readonly proofs: readonly Proof[];
  readonly plan: readonly PlanStep[];
};

type Memory = { last: PlannerView["lastIteration"]; remaining: readonly string[]; answers: PlannerView["answers"] };

function viewOf(world: World, run: RunningRun, memory: Memory, phase: "plan_only" | "work"): PlannerView {
  const proofs = new Map(run.lastProofs.map((proof) => [proof.checkId, proof]));
  return {
    runId: run.id,
    objective: run.objective,
    iteration: run.state.iteration,
    budget: [],
    scope: { kind: world.scope ?? "global", projects: world.scope === "project" ? [scopeProject] : [] },
    workspace,
    permission: { ...run.permission, phase },
    plan: run.plan.steps,
    deliverables: run.deliverables,
    checks: run.checks.map((check) => ({
      id: check.id,
      about: describeCheck(check),
      isGreen: proofs.get(check.id)?.isGreen ?? null,
      seen: proofs.get(check.id)?.seen ?? "",
    })),
    mayPropose: run.deliverables.length === 0,
    guidance: run.guidance,
    hint: run.streaks.sameAction > 0 ? "Do not repeat the same action" : null,
    streaks: run.streaks,
    lastIteration: memory.last,
    failures: [],
    remainingWorkLast: memory.remaining,
    answers: memory.answers,
    steering: world.steering?.[run.state.iteration] ?? [],
    history: [],
    scratchpad: "",
    tools: [],
    decidedWrites: [],
  };
}

function workOn(store: DemoStore, run: RunningRun, answer: PlannerAnswer) {
  const calls = answer.tool_calls.map(({ tool, args, step_id: stepId }) => ({ stepId, ...store.call(tool, args) }));
  const executed = answer.executor_tasks.map((task, n) => {
    const view: ExecutorView = {
      runId: run.id,
      iteration: run.state.iteration,
      branchId: `task-${run.state.iteration}-${n}`,
      objective: run.objective,
      task: { title: task.title, instructions: task.instructions, success: task.success, stepId: task.step_id },
      projects: [],
      workspace,
      branchDocumentId: store.page(task.title).id,
      permission: run.permission,
      background: [],
    };
    return execute(store, view);
  });
  const work: StepWork[] = [
    ...calls.flatMap(({ stepId, artifacts }) => (stepId === null ? [] : [{ stepId, artifacts }])),
    ...executed.flatMap(({ result, artifacts }) =>
      result.stepId === null ? [] : [{ stepId: result.stepId, artifacts }],
    ),
  ];
  const artifacts = [...calls.flatMap((call) => call.artifacts), ...executed.flatMap((each) => each.artifacts)];
  return { calls, executed, work, artifacts };
}

type Done = ReturnType<typeof workOn>;

/** What the gate is told. */
function resultOf(store: DemoStore, run: RunningRun, answer: PlannerAnswer, done: Done): WorkedIteration {
  const { iteration } = run.state;
  const touched = store.made.filter(({ id }) => store.touched.has(id));
  const artifacts = new Map(touched.map(({ kind, id }) => [id, { kind, id }]));
  const { plan } = updatePlan(run.plan, answer.plan.steps, { iteration, work: done.work, artifacts });
  const proposed = toProposal(answer);
  const { checks } = adopt(run, { proposed, heard: 0 }).run;
  const proofs = checks.map(({ id, target }) => ({ checkId: id, iteration, ...prove(store, target, plan.steps) }));
  const delegated = answer.executor_tasks.map(({ title, instructions }) => ({
    tool: "executor",
    args: { title, instructions },
  }));
  const { exit_signal: exitSignal, remaining_work: remainingWork } = answer.status;
  return makeResult({
    summary: answer.status.progress_summary,
    claim: makeClaim({ exitSignal, remainingWork }),
    questions: answer.questions.map(({ id, text, options }, n) => ({
      id: `q${n + 1}-${id}`,
      kind: "question",
      text,
      options,
    })),
    proofs,
    plan,
    proposed,
    progress: { entitiesWritten: done.artifacts.length, states: [] },
    actions: actionFingerprint([...answer.tool_calls, ...delegated]),
    artifacts: done.artifacts,
  });
}

function remember(world: World, store: DemoStore, answer: PlannerAnswer, done: Done, decision: Decision): Memory {
  const title = (id: string) => store.made.find((each) => each.id === id)?.title ?? "";
  const artifacts = new Map(done.artifacts.map((ref) => [ref.id, { ...ref, title: title(ref.id) }]));
  const asked = decision.kind === "ask" ? decision.questions : [];
  return {
    last: {
      iteration: store.iteration,
      toolResults: done.calls.map(({ line }) => line).slice(0, 8),
      executorResults: done.executed.map((each) => each.result),
      artifacts: [...artifacts.values()],
      hasProgressed: true,
      decision: decision.why,
    },
    remaining: answer.status.remaining_work,
    answers: asked.map(({ id, text }) => ({ questionId: id, question: text, text: world.answer?.(text) ?? "" })),
  };
}

function runAfter(run: RunningRun, result: WorkedIteration, decision: Decision): RunningRun {
  const adopted = adopt(run, result).run;
  const streaks = streaksAfter(adopted, result);
  const { iteration } = run.state;
  const guidance = decision.kind === "continue" ? { next: decision.next, why: decision.why } : null;
  const recovery = guidance?.next === "recover" ? { iteration, from: "no_progress" } : streaks.recovery;
  return {
    ...adopted,
    plan: result.plan,
    lastProofs: result.proofs,
    streaks: { ...streaks, recovery },
    guidance,
    remaining: result.claim?.remainingWork.length ?? null,
    state: { status: "running", iteration: iteration + 1, hold: null },
  };
}

function beginRun(world: World, permission: Permission, maxIterations: number): RunningRun {
  return makeRun({
    objective: world.objective,
    permission,
    deliverables: world.promised?.deliverables ?? [],
    checks: [planCheck, ...(world.checks ?? []), ...(world.promised?.checks ?? [])],
    plan: { steps: world.plan ?? [] },
    budget: { ...makeRun().budget, maxIterations },
  });
}

/** Plays it to its end, to a question nobody answers, or to as many iterations as are given. */
export function playDemo(world: World): Played {
  const permission = world.permission ?? { writeMode: "autopilot", allowedTools: null };
  const store = new DemoStore({
    mayMakeProjects: world.scope !== "project",
    allowedTools: permission.allowedTools,
    broken: world.broken ?? (() => null),
  });
  const iterations = world.iterationsMax ?? 12;
  let run = beginRun(world, permission, iterations);
  let memory: Memory = { last: null, remaining: [], answers: [] };
  const answers: PlannerAnswer[] = [];
  const decisions: Decision[] = [];
  for (let ended = false; !ended && answers.length < iterations; ) {
    store.iteration = run.state.iteration;
    const phase = permission.writeMode === "approve_plan" && store.iteration === 1 ? "plan_only" : "work";
    const asked = ask({ role: "planner", view: viewOf(world, run, memory, phase) });
    const answer = plannerAnswer.parse(JSON.parse(asked.text));
    const done = workOn(store, run, answer);
    const result = resultOf(store, run, answer, done);
    const decision = decide(adopt(run, result).run, result);
    memory = remember(world, store, answer, done, decision);
    run = runAfter(run, result, decision);
    answers.push(answer);
    decisions.push(decision);
    ended = decision.kind === "complete" || decision.kind === "stop" || (decision.kind === "ask" && !world.answer);
  }
  const { made, repairs, links } = store;
  const questions = answers.flatMap((answer) => answer.questions.map(({ text }) => text));
  return { made, answers, decisions, questions, repairs, links, proofs: run.lastProofs, plan: run.plan.steps };
}
