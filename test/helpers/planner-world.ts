// Runs of the planner engine on a real database, with the model lab as the provider: a script says what each role answers.

import { afterAll } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { PlannerAnswer } from "../../src/domain/planner/answer.ts";
import { judge } from "../../src/engine/judge.ts";
import { plannerEngine } from "../../src/engine/planner-engine.ts";
import { storeProver } from "../../src/engine/prove.ts";
import { type ModelRole, modelRoles } from "../../src/llm/model.ts";
import type { ProviderName } from "../../src/llm/model-id.ts";
import { createModels } from "../../src/llm/models.ts";
import { realEnv } from "../../src/main/env.ts";
import type { Engine, Prover } from "../../src/runs/engine-port.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labPrices, providerOf, refOf } from "../lab/lab-models.ts";
import type { LabReply, LabRequest } from "../lab/lab-protocol.ts";
import { type RunWorld, runWorld } from "./run-world.ts";

/** A call as a script sees it. */
export type RoleRequest = {
  readonly role: ModelRole;
  /** Of the planner: which iteration it plans. */
  readonly iteration: number;
  /** The first message, which is the prompt. */
  readonly prompt: string;
  readonly request: LabRequest;
  /** How many answers this conversation has had already. */
  readonly turn: number;
};

export type RoleScript = (asked: RoleRequest) => LabReply | Partial<PlannerAnswer> | string;

export type PlannerWorld = RunWorld & {
  readonly lab: Lab;
  readonly engine: Engine<Tx>;
  readonly prover: Prover<Tx>;
  readonly asked: readonly RoleRequest[];
  /** What the next runs' models say. */
  readonly script: (script: RoleScript) => void;
};

export async function plannerWorld(
  model = "openrouter/anthropic/claude-sonnet-5.5",
  tools: readonly Tool[] = builtInTools,
): Promise<PlannerWorld> {
  const world = await runWorld();
  const asked: RoleRequest[] = [];
  let current: RoleScript = () => ({ status: 500, body: "no script" });
  const lab = await startLab({
    prices: labPrices,
    script: (request) => {
      const seen = readRequest(request);
      asked.push(seen);
      return toReply(current(seen));
    },
  });
  afterAll(() => lab.close());
  const chain = [refOf(model)] as const;
  const models = createModels({
    chains: Object.fromEntries(modelRoles.map((role) => [role, chain])) as Record<ModelRole, typeof chain>,
    providers: new Map([[chain[0].provider, providerOf(lab, chain[0].provider as ProviderName)]]),
    env: realEnv,
    fetch,
    demo: () => ({ text: "", toolCalls: [] }),
  });
  const deps = { db: world.db, models, registry: makeRegistry(tools), env: realEnv };
  return {
    ...world,
    lab,
    asked,
    engine: plannerEngine(deps),
    prover: storeProver(world.db, { judge: (run, check, journal) => judge(deps, run, check, journal) }),
    script: (script) => {
      current = script;
      asked.length = 0;
    },
  };
}

const openings: readonly (readonly [string, ModelRole])[] = [
  ["You plan the iterations", "planner"],
  ["You carry out one task", "executor"],
  ["A tool call was refused", "repair"],
  ["You write the summary", "summary"],
  ["You judge whether", "judge"],
];

export function readRequest(request: LabRequest): RoleRequest {
  const role = openings.find(([words]) => request.system.startsWith(words))?.[1] ?? "chat";
  const prompt = request.messages.find((message) => message.role === "user")?.text ?? "";
  const iteration = Number(
    /^## Iteration (\d+)/m.exec(prompt)?.[1] ?? /Iteration (\d+), branch/.exec(prompt)?.[1] ?? 0,
  );
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  return { role, iteration, prompt, request, turn };
}

function toReply(said: ReturnType<RoleScript>): LabReply {
  if (typeof said === "string") return { text: said };
  const isAnswer = "plan" in said || "tool_calls" in said || "executor_tasks" in said || "questions" in said;
  return isAnswer ? { text: JSON.stringify({ ...idleAnswer, ...said }) } : (said as LabReply);
}

/** Goes on, and wants nothing done. */
export const idleAnswer = {
  status: { exit_signal: false, progress_summary: "working", remaining_work: ["more"] },
  plan: { steps: [] },
} as const;

/** Says that it is done. */
export const doneStatus = {
  exit_signal: true,
  needs_user_input: false,
  blocking_questions: [],
  progress_summary: "all done",
  remaining_work: [],
  completion_evidence: ["plan_completed"],
  next_action_hint: "stop",
  confidence: "high",
} as const satisfies PlannerAnswer["status"];
