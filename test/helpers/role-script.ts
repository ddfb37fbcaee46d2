// What a script for the model lab sees and says where the planner engine asks: which role it is, in which iteration, and an
// answer in the planner's own shape. Nothing here starts anything.

import type { PlannerAnswer } from "../../src/domain/planner/answer.ts";
import type { ModelRole } from "../../src/llm/model.ts";
import type { LabReply, LabRequest } from "../lab/lab-protocol.ts";

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

export function toReply(said: ReturnType<RoleScript>): LabReply {
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
