// What a script for the model lab sees and says where the planner engine asks: which role it is, in which iteration, and the
// answers of a session. Nothing here starts anything.

import type { z } from "zod";
import type { askArgs, delegateArgs, endArgs, planArgs, proposalArgs } from "../../src/domain/planner/answer.ts";
import type { ModelRole } from "../../src/llm/model.ts";
import type { LabAnswer, LabMessage, LabReply, LabRequest, LabToolCall } from "../lab/lab-protocol.ts";

/** A call as a script sees it. */
export type RoleRequest = {
  readonly role: ModelRole;
  /** Of the planner: which iteration it works in; 0 for others, who are not told. */
  readonly iteration: number;
  /** The first message, which is the prompt. */
  readonly prompt: string;
  readonly request: LabRequest;
  /** How many answers this conversation has had already. */
  readonly turn: number;
};

/** How an iteration ends: the arguments of `end_iteration`. */
export type ScriptedEnd = z.input<typeof endArgs>;

type Proposed = z.input<typeof proposalArgs>;

/** A planner's whole iteration as one answer. Its parts become calls in the order in which they stand here. */
export type ScriptedIteration = {
  readonly tool_calls?: readonly { readonly tool: string; readonly args: unknown }[];
  readonly executor_tasks?: z.input<typeof delegateArgs>["tasks"];
  readonly deliverables?: Proposed["deliverables"];
  readonly checks?: Proposed["checks"];
  readonly plan?: z.input<typeof planArgs>;
  readonly questions?: z.input<typeof askArgs>["questions"];
  /** Left out: work remains. Null: this answer does not end the iteration. */
  readonly status?: ScriptedEnd | null;
};

type Said = LabReply | ScriptedIteration | string;

/** A list is the answers of one session; the last of them is given again and again. */
export type RoleScript = (asked: RoleRequest) => Said | readonly Said[];

/** It may take its time: a test that holds an answer back holds the run still. */
export type SlowScript = (asked: RoleRequest) => ReturnType<RoleScript> | Promise<ReturnType<RoleScript>>;

const openings: readonly (readonly [string, ModelRole])[] = [
  ["You work on one objective", "planner"],
  ["You carry out one task", "executor"],
  ["A tool call was refused", "repair"],
  ["You write the summary", "summary"],
  ["You judge whether", "judge"],
];

export function readRequest(request: LabRequest): RoleRequest {
  const role = openings.find(([words]) => request.system.startsWith(words))?.[1] ?? "chat";
  const prompt = request.messages.find((message) => message.role === "user")?.text ?? "";
  const iteration = Number(/^## Iteration (\d+) begins$/m.exec(prompt)?.[1] ?? 0);
  return { role, iteration, prompt, request, turn: countAnswers(request.messages) };
}

/** One protocol sends every call of an answer as a message of its own: what stands together is one answer. */
const countAnswers = (messages: readonly LabMessage[]): number =>
  messages.filter(({ role }, at) => role === "assistant" && messages[at - 1]?.role !== "assistant").length;

/**
 * A scripted iteration is one answer. Where the platform does not let it end like that, the next answer says that work
 * remains, as a model would that has read why.
 */
export function toReply(said: ReturnType<RoleScript>, { turn }: Pick<RoleRequest, "turn">): LabReply {
  if (isList(said)) return oneReply(said[Math.min(turn, said.length - 1)] ?? "");
  return oneReply(isIteration(said) && turn > 0 ? { status: working("the end was refused") } : said);
}

const isList = (said: ReturnType<RoleScript>): said is readonly Said[] => Array.isArray(said);

function oneReply(said: Said): LabReply {
  if (typeof said === "string") return { text: said };
  return isIteration(said) ? sessionOf(said) : said;
}

const parts = ["plan", "deliverables", "checks", "tool_calls", "executor_tasks", "questions"];

/** The `status` of a fault is a number. */
const isIteration = (said: Said): said is ScriptedIteration =>
  typeof said !== "string" &&
  (parts.some((part) => part in said) || ("status" in said && typeof said.status !== "number"));

/** One answer: tools, executors, checks, plan, questions, and the end. */
export function sessionOf(scripted: ScriptedIteration): LabAnswer {
  const { tool_calls: calls = [], executor_tasks: tasks = [], deliverables = [], checks = [] } = scripted;
  const { plan = { steps: [] }, questions = [], status = working() } = scripted;
  const toolCalls: readonly LabToolCall[] = [
    ...calls.map(({ tool: name, args }) => ({ name, args })),
    ...(tasks.length === 0 ? [] : [{ name: "delegate", args: { tasks } }]),
    ...(deliverables.length + checks.length === 0 ? [] : [{ name: "propose_checks", args: { deliverables, checks } }]),
    ...(plan.steps.length === 0 ? [] : [{ name: "update_plan", args: plan }]),
    ...(questions.length === 0 ? [] : [{ name: "ask_user", args: { questions } }]),
    ...(status === null ? [] : [{ name: "end_iteration", args: status }]),
  ];
  return { toolCalls };
}

/** Goes on, and says that there is more to do. */
export const working = (summary = "working", remaining: readonly string[] = ["more"]): ScriptedEnd => ({
  exit_signal: false,
  progress_summary: summary,
  remaining_work: [...remaining],
});

/** Says that it is done. */
export const doneStatus: ScriptedEnd = {
  exit_signal: true,
  progress_summary: "all done",
  remaining_work: [],
  completion_evidence: ["the plan is complete"],
  next_action_hint: "stop",
  confidence: "high",
};

/** A judge that finds everything in order, and quotes the work it was shown. */
export function praise(prompt: string): string {
  const works = [...prompt.matchAll(/ from "work">>>\nTitle: [^\n]*\n([\s\S]*?)\n<<<end/g)].map(
    ([, work = ""]) => work,
  );
  const quotes = works.flatMap((work) => work.split("\n")).filter((line) => line.length >= 12);
  return JSON.stringify({ complete: true, score: 1, missing: [], quotes: quotes.slice(0, 5) });
}
