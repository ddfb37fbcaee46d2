// One executor: a small loop of model call and tools on one task. Its own results come back to it as messages, it has a
// page of its own, and what it reports at the end is what the planner sees.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import type { PlannerAnswer } from "../domain/planner/answer.ts";
import { clip } from "../domain/planner/clip.ts";
import type { ExecutorResult, ExecutorView, NamedProject, ToolResultLine } from "../domain/planner/view.ts";
import { fenced } from "../domain/policy/fence-text.ts";
import type { ModelMessage, ToolCall, ToolReply } from "../llm/model.ts";
import { executorPrompt } from "../prompts/executor-prompt.ts";
import { appendToBranch, ensureBranch } from "../store/workspace-store.ts";
import { ask } from "./ask.ts";
import { callTool, contextFor } from "./call-tool.ts";
import { type Iteration, sourceOf } from "./iteration.ts";

export type ExecutorTask = PlannerAnswer["executor_tasks"][number];

/** Its own budget: what cannot be done in this many calls is too large for one task. */
const executorLimits = { answers: 8, callsAtOnce: 6, reply: 4_000, output: 4_000 } as const;

export type Executed = {
  readonly result: ExecutorResult;
  readonly artifacts: readonly ArtifactRef[];
  readonly hasMiss: boolean;
  readonly errors: readonly string[];
};

export async function runExecutor(
  it: Iteration,
  n: number,
  task: ExecutorTask,
  projects: readonly NamedProject[],
): Promise<Executed> {
  const branchId = `task-${it.run.state.iteration}-${n}`;
  const documentId = it.mayKeepPages ? await openPage(it, n, branchId, task.title) : null;
  const view = viewOf(it, task, branchId, documentId, projects);
  const worked = await work(it, n, view);
  // Where writes wait for approval, ours would change the page under those that were approved.
  const mayReport = it.run.permission.writeMode !== "per_write";
  if (documentId !== null && mayReport) await keepFindings(it, n, documentId, worked.summary);
  const failed = worked.lines.filter(({ ok }) => !ok).length;
  const ok = worked.isFinished && (worked.lines.length === 0 || failed < worked.lines.length);
  return {
    result: {
      branchId,
      title: task.title,
      stepId: task.step_id,
      ok,
      summary: worked.summary,
      resultSnippet: worked.lastResult,
      documentId,
      toolResults: worked.lines,
    },
    artifacts: worked.artifacts,
    hasMiss: worked.hasMiss,
    errors: ok ? [] : [worked.summary, ...worked.lines.filter((line) => !line.ok).map(({ snippet }) => snippet)],
  };
}

type Worked = {
  readonly isFinished: boolean;
  readonly summary: string;
  readonly lastResult: string;
  readonly lines: readonly ToolResultLine[];
  readonly artifacts: readonly ArtifactRef[];
  readonly hasMiss: boolean;
};

/** What an executor has done so far. */
type Progress = {
  lastResult: string;
  hasMiss: boolean;
  readonly lines: ToolResultLine[];
  readonly artifacts: ArtifactRef[];
};

async function work(it: Iteration, n: number, view: ExecutorView): Promise<Worked> {
  const { system, message } = executorPrompt(view, it.nonce);
  const messages: ModelMessage[] = [{ role: "user", text: message }];
  const tools = it.registry.offers({ stage: 3, chosen: [], missed: [], allowed: it.run.permission.allowedTools });
  const progress: Progress = { lastResult: "", hasMiss: false, lines: [], artifacts: [] };
  const ended = (isFinished: boolean, summary: string): Worked => ({
    ...progress,
    isFinished,
    summary: clip(summary, 2_000),
  });
  for (let step = 0; step < executorLimits.answers; step++) {
    const answered = await ask(it, `exec:${n}/llm:${step}`, {
      role: "executor",
      system,
      messages,
      tools,
      format: "text",
      maxOutputTokens: executorLimits.output,
      cacheKey: `${it.run.id}/${view.branchId}`,
      view,
    });
    if (!answered.ok) return ended(false, answered.why);
    const { text, toolCalls, native } = answered.value;
    if (toolCalls.length === 0) return ended(text.trim() !== "", text.trim() || "It ended without a word.");
    const results: ToolReply[] = [];
    for (const [i, call] of toolCalls.entries())
      results.push(await carryOut(it, call, { key: `exec:${n}/tool:${step}.${i}`, i, view, progress }));
    messages.push({ role: "assistant", text, toolCalls, native }, { role: "tool", results });
  }
  return ended(false, `It did not finish within ${executorLimits.answers} answers.`);
}

type Place = { readonly key: string; readonly i: number; readonly view: ExecutorView; readonly progress: Progress };

async function carryOut(it: Iteration, call: ToolCall, { key, i, view, progress }: Place): Promise<ToolReply> {
  const { callId, tool, args } = call;
  if (i >= executorLimits.callsAtOnce)
    return { callId, tool, text: `Not done: at most ${executorLimits.callsAtOnce} calls at once.`, isError: true };
  const done = await callTool(it, { key, tool, args, why: view.task.title, branchId: view.branchId });
  progress.lines.push(done.line);
  progress.hasMiss ||= done.isMiss;
  if (done.outcome.ok) progress.artifacts.push(...done.outcome.artifacts);
  if (done.outcome.ok && done.outcome.text.trim() !== "") progress.lastResult = clip(done.outcome.text, 300);
  return { callId, tool, text: replyText(it, done), isError: !done.outcome.ok };
}

type Done = Awaited<ReturnType<typeof callTool>>;

function replyText(it: Iteration, { outcome, line }: Done): string {
  const text = clip(outcome.text, executorLimits.reply);
  const rest = text.length < outcome.text.length ? `\nThe whole of it: read_result ${line.ref}` : "";
  const label = line.isUntrusted ? `result of ${line.tool}, text of strangers` : `result of ${line.tool}`;
  return fenced(label, text, it.nonce) + rest;
}

function openPage(it: Iteration, n: number, branchId: string, title: string): Promise<string> {
  const { newId } = contextFor(it, `exec:${n}/branch`, branchId);
  return it.journal.write(`exec:${n}/branch`, async (tx) => {
    const where = { branchId, title, iteration: it.run.state.iteration, source: sourceOf(it), newId };
    const { documentId } = await ensureBranch(tx, it.workspace, where);
    return { result: documentId, summary: `Opened the branch "${title}"`, artifacts: [], isBookkeeping: true };
  });
}

async function keepFindings(it: Iteration, n: number, documentId: string, summary: string): Promise<void> {
  await it.journal.write(`exec:${n}/findings`, async (tx) => {
    await appendToBranch(tx, it.workspace, documentId, `## Report\n\n${summary}`, sourceOf(it));
    return { result: null, summary: "Wrote its report", artifacts: [], isBookkeeping: true };
  });
}

function viewOf(
  it: Iteration,
  task: ExecutorTask,
  branchId: string,
  documentId: string | null,
  projects: readonly NamedProject[],
): ExecutorView {
  const { run, workspace, memory } = it;
  const earlier = memory.last.executorResults.filter(({ stepId }) => stepId !== null && stepId === task.step_id);
  return {
    runId: run.id,
    iteration: run.state.iteration,
    branchId,
    objective: run.objective,
    task: { title: task.title, instructions: task.instructions, success: task.success, stepId: task.step_id },
    projects,
    workspace,
    branchDocumentId: documentId ?? "",
    permission: run.permission,
    background: earlier.map(({ title, summary }) => `${title}: ${summary}`),
  };
}
