// Executors: the tool loop once more, for strands of work that do not need each other. Each has its own messages and tools, hears what
// the user says, and its last answer is the report that the planner reads in full.

import type { ExecutorTask } from "../../domain/planner/answer.ts";
import { clip } from "../../domain/planner/clip.ts";
import type { ExecutorView } from "../../domain/planner/view.ts";
import { fenced } from "../../domain/policy/fence-text.ts";
import type { ToolCall, ToolReply } from "../../llm/model.ts";
import { executorPrompt } from "../../prompts/executor-prompt.ts";
import type { Lane } from "../../runs/ports/run-store.ts";
import { waitForAll } from "../../runs/wait-for-all.ts";
import type { CarriedOut, LoopEnd } from "../tool-loop.ts";
import { type CalledTool, type Caller, callTool, newCaller, replyText } from "../tools/call-tool.ts";
import { commonView } from "./build-view.ts";
import type { Iteration } from "./iteration.ts";
import { runHost } from "./run-host.ts";
import { runSessionLoop } from "./session-loop.ts";
import { noteCall, type SessionState } from "./session-state.ts";

const executorLimits = { answers: 10, calls: 30, callsAtOnce: 8 } as const;
/** At work at the same time. */
const atOnce = 3;
/** Characters of a report: what sixteen thousand tokens can hold would fill the planner's whole session. */
const reportMax = 16_000;

/** What an executor needs for nearly everything; a task names others where it needs them. */
const usualTools = [
  "search",
  "list_documents",
  "get_document",
  "create_document",
  "append_document",
  "edit_document",
  "list_tasks",
  "create_task",
  "web_search",
  "web_fetch",
  "write_note",
  "read_result",
];

export type Executed = { readonly ok: boolean; readonly text: string };

export async function runExecutors(
  it: Iteration,
  session: SessionState,
  tasks: readonly ExecutorTask[],
): Promise<readonly Executed[]> {
  const first = session.executors + 1;
  session.executors += tasks.length;
  const executed: Executed[] = [];
  for (let from = 0; from < tasks.length; from += atOnce) {
    const group = tasks.slice(from, from + atOnce);
    const running = group.map((task, n) => runExecutor(it, first + from + n, task, tasks));
    const ran = await waitForAll(running, it.journal.signal);
    // Taken note of in their order, whichever came first.
    for (const [n, each] of ran.entries())
      executed.push(note(it, session, first + from + n, group[n]?.step_id ?? null, each));
  }
  return executed;
}

type Ran = {
  readonly task: ExecutorTask;
  readonly end: LoopEnd;
  readonly called: readonly CalledTool[];
  /** The user said something while it worked. */
  readonly hasHeard: boolean;
};

function note(it: Iteration, session: SessionState, n: number, stepId: string | null, ran: Ran): Executed {
  const { task, end, called, hasHeard } = ran;
  session.hasNews ||= hasHeard;
  for (const each of called) noteCall(session, each, stepId);
  session.actions.push({ tool: "delegate", args: { title: task.title, instructions: task.instructions }, stepId });
  const ok = end.kind === "ended" && end.text.trim() !== "";
  const report = clip(end.kind === "ended" ? end.text.trim() || "It ended without a word." : end.why, reportMax);
  const branchId = branchOf(it, n);
  session.reports.push({ branchId, title: task.title, stepId, ok, text: report });
  if (!ok) session.failures.push(`${task.title}: ${report}`);
  const made = called.flatMap(({ outcome }) => (outcome.ok ? outcome.artifacts : []));
  const ids = [...new Set(made.map(({ kind, id }) => `${kind} ${id}`))];
  const wrote = ids.length === 0 ? "It wrote nothing." : `It made or changed: ${ids.join(", ")}.`;
  const head = `Executor ${n} ${ok ? "reports" : "did not finish"}. ${wrote}`;
  return { ok, text: `${head}\n${fenced(`report of executor ${n}, ${task.title}`, report, it.nonce)}` };
}

const branchOf = ({ run }: Iteration, n: number) => `task-${run.state.iteration}-${n}`;

async function runExecutor(it: Iteration, n: number, task: ExecutorTask, all: readonly ExecutorTask[]): Promise<Ran> {
  const lane: Lane = { id: `exec:${n}`, title: task.title };
  const view = await viewOf(it, n, task, all);
  const { system, message } = executorPrompt(view, it.nonce);
  const only = toolsFor(it, task);
  const caller = newCaller({ lane, branchId: branchOf(it, n), only });
  const called: CalledTool[] = [];
  let hasHeard = false;
  const end = await runSessionLoop(it, {
    prefix: `exec:${n}/`,
    lane,
    limits: executorLimits,
    opening: { message, said: view.messages.map(({ id }) => id) },
    opened: `Sent out “${task.title}”`,
    howToEnd: "answer with your report, without a tool call",
    request: {
      role: "executor",
      system,
      tools: it.registry.offers({ stage: 3, chosen: [], missed: [], allowed: only }),
      cacheKey: `${it.run.id}/exec`,
      view: { ...view, nonce: it.nonce },
    },
    carryOut: (key, calls) => carryOutAll(it, caller, called, key, calls),
    onHeard: (said) => {
      hasHeard ||= said.length > 0;
    },
  });
  return { task, end, called, hasHeard };
}

async function carryOutAll(
  it: Iteration,
  caller: Caller,
  called: CalledTool[],
  key: string,
  calls: readonly ToolCall[],
): Promise<CarriedOut> {
  const replies: ToolReply[] = [];
  for (const [i, { callId, tool, args }] of calls.entries()) {
    const done = await callTool(runHost(it), caller, { key: `${key}.${i}`, tool, args });
    called.push(done);
    replies.push({ callId, tool, text: replyText(it.nonce, done), isError: !done.outcome.ok });
  }
  return { replies, isEnd: false };
}

/** Those the task names, or the usual ones; always what the run allows, and always a way to read on. */
function toolsFor({ registry, run }: Iteration, { tools }: ExecutorTask): readonly string[] {
  const known = registry.all.map(({ name }) => name);
  const named = tools.filter((name) => known.includes(name));
  const wanted = new Set(named.length === 0 ? usualTools : [...named, "read_result"]);
  const { allowedTools } = run.permission;
  return known.filter((name) => wanted.has(name) && (allowedTools === null || allowedTools.includes(name)));
}

async function viewOf(
  it: Iteration,
  n: number,
  task: ExecutorTask,
  all: readonly ExecutorTask[],
): Promise<ExecutorView> {
  return {
    ...(await commonView(it)),
    kind: "executor",
    branchId: branchOf(it, n),
    limits: executorLimits,
    task: { title: task.title, instructions: task.instructions, output: task.output },
    others: all.filter((each) => each !== task).map(({ title }) => title),
  };
}
