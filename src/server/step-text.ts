// What a step is in words: what was called with what, what came of it, in a line and as the beginning of the whole. It reads the
// results as engines keep them and believes nothing: whatever it does not know is shown as JSON.

import { z } from "zod";
import { type PlannerAnswer, plannerAnswer } from "../domain/planner/answer.ts";
import { iterationMemory } from "../domain/planner/memory.ts";
import type { ToolResultLine } from "../domain/planner/view.ts";
import { cut as cutLine, oneLine } from "../domain/workspace/pages.ts";
import type { RunStep } from "../protocol/api.ts";
import { askedBy, laneOf, planKeys, type StepLine } from "./step-lines.ts";

/** Characters of what a step was called with, and of what it answered. */
const shownMax = 4_000;
const lineMax = 300;

/** Results of steps by key, and what the history said of each. */
export type StepFacts = {
  /** Of all steps of the iteration. */
  readonly keys: readonly string[];
  readonly results: ReadonlyMap<string, unknown>;
  readonly summaries: ReadonlyMap<string, string>;
};

/** The results one needs to tell of these steps: their own, and those of the answers that wanted them. */
export function keysToRead(steps: readonly StepLine[], keys: readonly string[]): readonly string[] {
  const asked = steps.flatMap(({ key }) => [askedBy(key, keys) ?? key, ...repairsOf(key, keys)]);
  return [...new Set([...steps.map(({ key }) => key), ...asked, ...planKeys(keys)])];
}

const repairsOf = (key: string, keys: readonly string[]) =>
  keys.filter((other) => other.startsWith(`${key}/repair:`)).toSorted();

/** Tool calls as the iteration wrote them down at its end, from the result of its step `memory`. */
export function notedCalls(result: unknown): readonly ToolResultLine[] {
  const memory = iterationMemory.safeParse(bare(result));
  if (!memory.success) return [];
  const { toolResults, executorResults } = memory.data.last;
  return [...toolResults, ...executorResults.flatMap((executed) => executed.toolResults)];
}

export function toWireStep(step: StepLine, facts: StepFacts): RunStep {
  const told = tell(step, facts);
  const [args, result] = [cut(told.args), cut(told.result)];
  const lane = laneOf(step);
  return {
    id: step.id,
    key: step.key,
    kind: step.kind,
    lane,
    lane_title: laneTitle(lane, facts),
    state: step.state,
    summary: told.summary,
    tool: told.tool,
    role: step.call?.role ?? null,
    model: step.call?.model ?? null,
    is_error: told.isError,
    args: args.text,
    result: result.text,
    is_cut: args.isCut || result.isCut,
    began_at: step.beganAt,
    ended_at: step.endedAt,
    cost_micro_usd: step.call?.costMicroUsd ?? null,
    tokens: step.call?.tokens ?? null,
  };
}

type Told = {
  readonly summary: string;
  readonly tool: string | null;
  readonly args: string | null;
  readonly result: string | null;
  readonly isError: boolean;
};

function tell(step: StepLine, facts: StepFacts): Told {
  if (step.refused !== null) return tellRefused(step, step.refused, facts);
  if (step.kind === "model") return tellModel(step, facts);
  return step.kind === "platform" ? tellPlatform(step, facts) : tellTool(step, facts);
}

function tellRefused({ key }: StepLine, { tool, args, snippet }: ToolResultLine, facts: StepFacts): Told {
  const wanted = wantedBy(key, facts);
  return {
    summary: `${tool}: ${inLine(snippet)}`,
    tool,
    args: wanted === null ? args : inJson(wanted.args),
    result: snippet,
    isError: true,
  };
}

const lost: Readonly<Record<StepLine["state"], (role: string, model: string) => string>> = {
  intended: (role, model) => `${role}: asking ${model}`,
  done: (role, model) => `${role}: ${model} gave no answer that could be used`,
  uncertain: (role, model) => `${role}: the answer of ${model} was lost`,
};

function tellModel(step: StepLine, { keys, results }: StepFacts): Told {
  const { role = "model", model = "a model" } = step.call ?? {};
  const none = { tool: null, args: null };
  const answer = step.isJournaled ? answerIn(results.get(step.key)) : null;
  if (answer === null)
    return { ...none, summary: lost[step.state](role, model), result: null, isError: step.state !== "intended" };
  const calls = answer.toolCalls.map(({ tool, args }) => `${tool} ${inJson(args)}`);
  const isSentBack = keys.includes(nextKey(step.key));
  return {
    ...none,
    summary: `${role}: ${inLine(role === "repair" ? "corrected the arguments" : answerLine(answer))}${isSentBack ? " (could not be read, sent back)" : ""}`,
    result: [answer.text.trim(), ...calls].filter((text) => text !== "").join("\n\n"),
    isError: isSentBack,
  };
}

/** The key under which an answer that cannot be read is asked for again. */
function nextKey(key: string): string {
  const again = /^(.*)\/again:(\d+)$/.exec(key);
  return again ? `${again[1]}/again:${Number(again[2]) + 1}` : `${key}/again:1`;
}

function answerLine({ text, toolCalls }: ModelWords): string {
  if (toolCalls.length > 0) return `calls ${toolCalls.map(({ tool }) => tool).join(", ")}`;
  const planned = readPlan(text);
  if (planned === null) return text;
  const { status, tool_calls: tools, executor_tasks: tasks, questions } = planned;
  const wants = [
    ...counted(tools.length, "tool call"),
    ...counted(tasks.length, "executor"),
    ...counted(questions.length, "question"),
  ];
  return [status.progress_summary.trim() || "a plan", ...wants].join(", ");
}

const counted = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`]);

const replayed = z.object({ kind: z.string(), tool: z.string(), summary: z.string(), decision: z.string() });

function tellPlatform(step: StepLine, { results, summaries }: StepFacts): Told {
  const result = bare(results.get(step.key));
  const write = replayed.safeParse(result).data;
  return {
    summary: inLine(summaries.get(step.key) ?? step.key),
    tool: write?.tool ?? null,
    args: null,
    result: write?.decision ?? (result === null || result === undefined ? null : inJson(result)),
    isError: write?.kind === "drifted",
  };
}

const called = z.object({
  tool: z.string(),
  outcome: z.object({ ok: z.boolean(), text: z.string(), summary: z.string().optional() }),
});

function tellTool(step: StepLine, facts: StepFacts): Told {
  const wanted = wantedBy(step.key, facts);
  const args = wanted === null ? null : inJson(wanted.args);
  const kept = facts.results.get(step.key);
  const result = called.safeParse(kept).data ?? called.safeParse(bare(kept)).data;
  if (result) {
    const { tool, outcome } = result;
    const line = outcome.ok ? (outcome.summary ?? "done") : outcome.text;
    return {
      summary: `${tool}: ${inLine(line)}`,
      tool,
      args,
      result: outcome.text,
      isError: !outcome.ok,
    };
  }
  const tool = wanted?.tool ?? null;
  const open = { intended: "under way", uncertain: "nobody knows whether it happened", done: null }[step.state];
  const said = facts.summaries.get(step.key) ?? step.key;
  return {
    summary: open === null ? inLine(said) : `${tool ?? step.key}: ${open}`,
    tool,
    args,
    result: kept === null || kept === undefined ? null : inJson(bare(kept) ?? kept),
    isError: step.state === "uncertain",
  };
}

type Wanted = { readonly tool: string; readonly args: unknown };

/** What a tool was called with: as its model wanted it or, where that did not fit, as it was corrected last. */
function wantedBy(key: string, { keys, results }: StepFacts): Wanted | null {
  const from = askedBy(key, keys);
  const answer = from === null ? null : answerIn(results.get(from));
  if (answer === null) return null;
  const at = Number(/(\d+)$/.exec(key)?.[1]);
  const wanted = /^exec:/.test(key) ? answer.toolCalls[at] : readPlan(answer.text)?.tool_calls[at];
  const repair = repairsOf(key, keys).at(-1);
  const repaired = repair === undefined ? undefined : readJson(answerIn(results.get(repair))?.text ?? "");
  return wanted ? { tool: wanted.tool, args: repaired ?? wanted.args } : null;
}

function laneTitle(lane: string, { keys, results }: StepFacts): string | null {
  const n = /^exec:(\d+)$/.exec(lane)?.[1];
  const from = planKeys(keys).at(-1);
  if (n === undefined || from === undefined) return null;
  return readPlan(answerIn(results.get(from))?.text ?? "")?.executor_tasks[Number(n) - 1]?.title ?? null;
}

const answered = z.object({
  answer: z.object({
    text: z.string(),
    toolCalls: z.array(z.object({ tool: z.string(), args: z.unknown() })),
  }),
});
type ModelWords = z.infer<typeof answered>["answer"];

const answerIn = (kept: unknown): ModelWords | null => answered.safeParse(bare(kept)).data?.answer ?? null;

const stored = z.object({ result: z.unknown(), artifacts: z.array(z.unknown()) });

/** Steps keep their result beside what they made; effects of the outside world keep it alone. */
const bare = (kept: unknown): unknown => stored.safeParse(kept).data?.result ?? null;

const readPlan = (text: string): PlannerAnswer | null => plannerAnswer.safeParse(readJson(text)).data ?? null;

/** Models put words around their JSON. */
function readJson(text: string): unknown {
  for (const part of [text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)])
    try {
      return JSON.parse(part);
    } catch {
      // The next one, then.
    }
  return undefined;
}

/** Of a long text no more is looked at than could be shown. */
const inLine = (text: string): string => cutLine(oneLine(text.slice(0, 4 * lineMax)), lineMax);

const inJson = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2)) ?? "";

function cut(text: string | null): { readonly text: string | null; readonly isCut: boolean } {
  if (text === null || text.length <= shownMax) return { text, isCut: false };
  return { text: text.slice(0, shownMax).replace(/[\uD800-\uDBFF]$/, ""), isCut: true };
}
