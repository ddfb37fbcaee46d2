// A session of the demo planner without a database: its calls are fitted to the tools' own schemas and answered like the platform
// would, its proposal is judged by the real rules. It says what was called and how the session ended.

import { z } from "zod";
import { endArgs, planArgs, proposalArgs } from "../../src/domain/planner/answer.ts";
import { toProposal } from "../../src/domain/planner/proposal.ts";
import type { PlannerView } from "../../src/domain/planner/view.ts";
import { judgeProposal } from "../../src/domain/run/checks/judge-proposal.ts";
import { demoCall } from "../../src/llm/demo/demo-model.ts";
import type { ModelMessage, ModelRequest, ToolCall } from "../../src/llm/model.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { parseArgs } from "../../src/tools/parse-args.ts";

export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const boringView = {
  kind: "planner",
  brief: null,
  runId: "run",
  iteration: 1,
  messages: [],
  now: "Sunday, 15 November 2026",
  timeZone: "UTC",
  projects: [],
  workspace: { projectId: idOf(1), rootId: idOf(2), scratchpadId: idOf(3) },
  permission: { writeMode: "autopilot", allowedTools: null },
  budget: [],
  scope: "global",
  context: { type: "global", entityId: null },
  phase: "work",
  limits: { answers: 12, calls: 40, callsAtOnce: 16 },
  plan: [],
  deliverables: [],
  checks: [],
  guidance: null,
  hint: null,
  lastIteration: null,
  before: null,
  contents: [],
  foreignTexts: [],
  remainingWorkLast: [],
  unsureLast: [],
  summaryLast: "",
  history: [],
  notes: [],
  scratchpad: "",
  decidedWrites: [],
} as const;

export const makeView = (over: Partial<PlannerView> & Pick<PlannerView, "objective">): PlannerView => ({
  ...boringView,
  ...over,
});

const askDemo = (over: Partial<ModelRequest> & Pick<ModelRequest, "role" | "view">) =>
  demoCall({ system: "", messages: [], tools: [], format: "text", maxOutputTokens: null, cacheKey: "demo", ...over });

export type PlayedSession = {
  readonly calls: readonly ToolCall[];
  readonly answers: number;
  readonly end: z.output<typeof endArgs> | null;
};

export type SessionRules = {
  /** What a call fails with; null: it works. */
  readonly broken?: (tool: string) => string | null;
  /** What earlier iterations made, as lists show it. */
  readonly there?: readonly { readonly kind: string; readonly id: string; readonly title: string }[];
  /** What the platform says before an answer. */
  readonly notes?: Readonly<Record<number, string>>;
};

export function playSession(
  view: PlannerView,
  { broken = () => null, there = [], notes = {} }: SessionRules = {},
): PlayedSession {
  const messages: ModelMessage[] = [{ role: "user", text: "opening" }];
  const calls: ToolCall[] = [];
  let ids = 100;
  for (let answers = 1; answers <= view.limits.answers; answers++) {
    const note = notes[answers];
    if (note !== undefined) messages.push({ role: "user", text: note });
    const { text, toolCalls } = askDemo({ role: "planner", view, messages });
    if (toolCalls.length === 0) return { calls, answers, end: null };
    messages.push({ role: "assistant", text, toolCalls, native: null });
    calls.push(...toolCalls);
    const ended = toolCalls.find(({ tool }) => tool === "end_iteration");
    if (ended) return { calls, answers, end: endArgs.parse(ended.args) };
    const results = toolCalls.map(({ callId, tool, args }) => {
      const why = broken(tool);
      ids += 1;
      const lines = there
        .filter(({ kind }) => tool === `list_${kind}s`)
        .map(({ id, title }) => `- ${id} [s] "${title}"`);
      const text = tool.startsWith("list_") ? lines.join("\n") : replyTo(tool, args, view, idOf(ids));
      return { callId, tool, text: why ?? text, isError: why !== null };
    });
    messages.push({ role: "tool", results });
  }
  return { calls, answers: view.limits.answers, end: null };
}

function replyTo(tool: string, args: unknown, view: PlannerView, id: string): string {
  if (tool === "update_plan") return `The plan has ${planArgs.parse(args).steps.length} steps`;
  if (tool === "propose_checks") {
    const { drop, ...rest } = proposalArgs.parse(args);
    const proposal = toProposal({ ...rest, drops: drop });
    const judged = proposal && judgeProposal({ engine: "planner", checks: [], deliverables: [] }, proposal, false);
    if (!judged?.ok) throw new Error(`the proposal is refused: ${JSON.stringify(judged)}`);
    return "Taken.";
  }
  if (tool === "delegate") {
    const { tasks } = z.object({ tasks: z.array(z.object({ title: z.string() })) }).parse(args);
    return tasks
      .map(({ title }, n) => `Executor ${n}, "${title}", reports. It made or changed: document ${id}.`)
      .join("\n");
  }
  const found = builtInTools.find(({ name }) => name === tool);
  const fitted = found && parseArgs(found, args);
  if (fitted?.ok === false) throw new Error(`${tool}: ${fitted.text}`);
  const staged =
    view.permission.writeMode === "per_write" ? "Staged as change 1, NOT written yet. Once approved: " : "";
  return `${staged}Made the ${tool.replace("create_", "")} ${id} in project ${idOf(9)} (version 1).`;
}
