// What a planner reads, once per iteration: the rules as its instructions, the state of its run as the message. Text of
// strangers is fenced and never among the instructions.

import { clip, clipLine, clipStart } from "../domain/planner/clip.ts";
import type { ExecutorResult, LastIteration, PlannerView, ToolResultLine } from "../domain/planner/view.ts";
import { fenced, quoted } from "../domain/policy/fence-text.ts";
import { plannerRules } from "./planner-rules.ts";
import { toolSignature } from "./tool-signature.ts";

export type Prompt = { readonly system: string; readonly message: string };

/** How long each part may get. Together they are the size of the prompt, however old the run is. */
const plannerLimits = {
  objective: 12_000,
  said: 4_000,
  planTitle: 200,
  seen: 300,
  snippet: 600,
  history: 200,
  scratchpad: 4_000,
  toolSchema: 1_200,
} as const;

/** `nonce` makes the fences of this prompt unguessable. */
export function plannerPrompt(view: PlannerView, nonce: string): Prompt {
  const parts = [
    objectivePart(view),
    permissionPart(view),
    saidPart(view),
    guidancePart(view),
    planPart(view),
    checksPart(view),
    failuresPart(view),
    lastPart(view.lastIteration, nonce),
    historyPart(view),
    scratchpadPart(view, nonce),
    toolsPart(view),
    "Answer with the one JSON object, and nothing else.",
  ];
  return { system: plannerRules, message: parts.filter((part) => part !== "").join("\n\n") };
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`## ${title}`, ...lines].join("\n");

/** The user's own words are what the run is for: quoted, and not fenced as data. */
function objectivePart(view: PlannerView): string {
  const { scope, workspace, budget } = view;
  const projects = scope.projects.map(({ id, name }) => `- ${clipLine(name, 100)} (project ${id})`);
  return section(`Iteration ${view.iteration}`, [
    "The user's objective:",
    quoted(clip(view.objective, plannerLimits.objective)),
    "",
    `Scope: ${scope.kind}. Projects you may use:`,
    ...(projects.length === 0 ? ["- none yet"] : projects),
    `Workspace: documents below ${workspace.rootId} in project ${workspace.projectId}; your branches and notes go there.`,
    `Used so far: ${budget.map(({ of, used, limit }) => `${used} of ${limit} ${of}`).join(", ")}.`,
  ]);
}

function permissionPart({ permission: { writeMode, allowedTools, phase } }: PlannerView): string {
  const modes = {
    autopilot: "autopilot: you may write inside the scope without asking.",
    approve_plan: "approve_plan: the user approves plan and checks first, then you may write inside the scope.",
    per_write: "per_write: every write is staged, and done only once the user has approved it.",
  } as const;
  const now = phase === "plan_only" ? ["Now: plan only. Propose the plan and the checks; writes are refused."] : [];
  const only = allowedTools === null ? [] : [`Only these tools are allowed: ${allowedTools.join(", ")}.`];
  return section("Permission", [`Mode ${modes[writeMode]}`, ...now, ...only]);
}

/** The user's own words: they have to be taken up. */
function saidPart({ answers, steering, decidedWrites }: PlannerView): string {
  return section("The user said since", [
    ...answers.map(
      ({ question, text }) => `- To "${clipLine(question, 300)}":\n${quoted(clip(text, plannerLimits.said))}`,
    ),
    ...steering.map(
      (text) => `- Take this up now, and say in progress_summary how:\n${quoted(clip(text, plannerLimits.said))}`,
    ),
    ...decidedWrites.map(({ summary, decision }) => `- ${decision}: ${clipLine(summary, 200)}`),
  ]);
}

function guidancePart({ guidance, hint, streaks }: PlannerView): string {
  const next = {
    as_planned: null,
    mend_what_failed: "Your claim to be done was turned down. Mend exactly what failed before you claim it again.",
    replan: "Replan now: choose another approach than before.",
    confirm_done:
      "Everything looks finished, but you did not say so. Is anything missing? If not, end with exit_signal true.",
    recover: "This is the one iteration to recover. Use wider tools, a simpler strategy, or ask the user.",
  } as const;
  const lines = [
    guidance === null ? null : next[guidance.next],
    guidance === null ? null : `Why it went on: ${clipLine(guidance.why, 600)}`,
    hint,
    streaks.noProgress > 0 ? `Iterations without any change of state: ${streaks.noProgress}.` : null,
    streaks.toolMisses > 0 ? `Iterations with missing tools or wrong arguments: ${streaks.toolMisses}.` : null,
  ];
  return section(
    "How to go on",
    lines.filter((line) => line !== null),
  );
}

function planPart({ plan, remainingWorkLast }: PlannerView): string {
  const steps = plan.map(({ id, title, status, owner, lastIteration, evidence }) => {
    const shown = evidence.length === 0 ? "" : `; evidence ${evidence.map((ref) => ref.id).join(", ")}`;
    const who = owner === null ? "planner" : "executor";
    return `- [${id}] ${clipLine(title, plannerLimits.planTitle)}: ${status} (${who}, iteration ${lastIteration}${shown})`;
  });
  const remaining = remainingWorkLast.map((line) => `- ${clipLine(line, plannerLimits.planTitle)}`);
  const left = remaining.length === 0 ? [] : ["You said remains:", ...remaining];
  return section("Plan", steps.length === 0 ? ["There is none yet: make one.", ...left] : [...steps, ...left]);
}

function checksPart({ deliverables, checks, mayPropose }: PlannerView): string {
  const promised = deliverables.map(({ id, title }) => `- deliverable [${id}] ${clipLine(title, 200)}`);
  const state = (isGreen: boolean | null) => (isGreen === null ? "not run yet" : isGreen ? "green" : "RED");
  const lines = checks.map(
    ({ id, about, isGreen, seen }) =>
      `- check [${id}] ${clipLine(about, 200)}: ${state(isGreen)}${seen === "" ? "" : `, ${clipLine(seen, plannerLimits.seen)}`}`,
  );
  const ask = mayPropose
    ? ["Propose deliverables and checks now. They are shown to the user and fixed afterwards."]
    : ["These are fixed."];
  return section("Deliverables and checks (the platform runs them itself)", [...promised, ...lines, ...ask]);
}

function failuresPart({ failures }: PlannerView): string {
  if (failures.length === 0) return "";
  return section("Failed, and to be repaired", [
    ...failures.map(
      ({ stepId, title, errors }) =>
        `- [${stepId}] ${clipLine(title, 200)}: ${errors.map((error) => clipLine(error, 300)).join(" / ")}`,
    ),
    "Make a repair plan: unblock these first, go on with the remaining steps only, and repeat nothing that succeeded.",
  ]);
}

function lastPart(last: LastIteration | null, nonce: string): string {
  if (last === null) return "";
  const { iteration, toolResults, executorResults, artifacts, hasProgressed, decision } = last;
  return section("Last iteration", [
    `Iteration ${iteration}; progress: ${hasProgressed ? "yes" : "no"}; decision: ${clipLine(decision, 300)}`,
    ...toolResults.map((result) => toolLine(result, nonce)),
    ...executorResults.map((result) => executorLines(result, nonce)),
    ...(artifacts.length === 0 ? [] : ["Made or changed:"]),
    ...artifacts.map(({ kind, id, title }) => `- ${kind} ${id} "${clipLine(title, 120)}"`),
  ]);
}

function toolLine({ ref, tool, args, ok, snippet, isUntrusted }: ToolResultLine, nonce: string): string {
  const head = `- ${tool}(${args}): ${ok ? "ok" : "FAILED"} [${ref}]`;
  const text = clip(snippet.trim(), plannerLimits.snippet);
  if (text === "") return head;
  return `${head}\n${fenced(isUntrusted ? `result of ${tool}, text of strangers` : `result of ${tool}`, text, nonce)}`;
}

function executorLines(result: ExecutorResult, nonce: string): string {
  const { branchId, title, stepId, ok, summary, resultSnippet, documentId, toolResults } = result;
  const step = stepId === null ? "" : ` for step [${stepId}]`;
  const page = documentId === null ? "" : `, its page is document ${documentId}`;
  const text = [clip(summary.trim(), plannerLimits.snippet), clip(resultSnippet.trim(), 300)]
    .filter(Boolean)
    .join("\n");
  return [
    `- executor ${branchId} "${clipLine(title, 120)}"${step}: ${ok ? "ok" : "FAILED"}${page}`,
    fenced(`what executor ${branchId} reported`, text, nonce),
    ...toolResults.map((line) => `  ${toolLine({ ...line, snippet: line.ok ? "" : line.snippet }, nonce)}`),
  ].join("\n");
}

function historyPart({ history }: PlannerView): string {
  return section(
    "Recent history",
    history.map(({ iteration, summary }) => `- ${iteration}: ${clipLine(summary, plannerLimits.history)}`),
  );
}

function scratchpadPart({ scratchpad }: PlannerView, nonce: string): string {
  if (scratchpad.trim() === "") return "";
  return section("Scratchpad, last entries", [
    fenced("the run's scratchpad", clipStart(scratchpad.trim(), plannerLimits.scratchpad), nonce),
  ]);
}

function toolsPart({ tools }: PlannerView): string {
  return section(
    "Tools",
    tools.map(
      ({ name, description, schema }) =>
        `- ${name}: ${clipLine(description, 300)}\n  ${clip(toolSignature(schema), plannerLimits.toolSchema)}`,
    ),
  );
}
