// A store in memory for runs of the demo model: its calls are fitted to the tools' own schemas, repaired where they do not fit,
// and carried out; checks look at what was made.

import { type ArtifactRef, judgePlan, type PlanStep } from "../../src/domain/plan/plan.ts";
import { clip, keyFields } from "../../src/domain/planner/clip.ts";
import type { ExecutorResult, ExecutorView, ToolResultLine } from "../../src/domain/planner/view.ts";
import type { CheckTarget, Proof } from "../../src/domain/run/checks.ts";
import { demoCall } from "../../src/llm/demo/demo-model.ts";
import type { ModelMessage, ModelRequest, ToolReply } from "../../src/llm/model.ts";
import { argsSchema } from "../../src/tools/args-schema.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { parseArgs } from "../../src/tools/parse-args.ts";
import type { Tool } from "../../src/tools/tool.ts";

export type Made = {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  content: string;
  readonly projectId: string;
  readonly args: Readonly<Record<string, unknown>>;
};

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
export const workspace = { projectId: idOf(1), rootId: idOf(2), scratchpadId: idOf(3) };
export const scopeProject = { id: idOf(4), name: "A project of the user" };
const linesOf = (text: string) => text.split("\n");

export const ask = (over: Partial<ModelRequest> & Pick<ModelRequest, "role" | "view">) =>
  demoCall({ system: "", messages: [], tools: [], format: "text", maxOutputTokens: 8_000, cacheKey: "demo", ...over });

export type StoreRules = {
  readonly mayMakeProjects: boolean;
  readonly allowedTools: readonly string[] | null;
  readonly broken: (tool: string, args: Readonly<Record<string, unknown>>, iteration: number) => string | null;
};

export class DemoStore {
  readonly made: Made[] = [];
  readonly repairs: { tool: string; iteration: number; ok: boolean }[] = [];
  readonly touched = new Set<string>();
  links = 0;
  iteration = 0;
  private next = 100;
  private readonly rules: StoreRules;
  private readonly tools: ReadonlyMap<string, Tool>;

  constructor(rules: StoreRules) {
    this.rules = rules;
    this.tools = new Map(builtInTools.map((tool) => [tool.name, tool]));
  }

  page(title: string): Made {
    const page = { kind: "document", id: this.newId(), title, content: "", projectId: workspace.projectId, args: {} };
    this.made.push(page);
    return page;
  }

  private newId(): string {
    this.next += 1;
    return idOf(this.next);
  }

  call(name: string, given: unknown): { line: ToolResultLine; artifacts: readonly ArtifactRef[]; ok: boolean } {
    const tool = this.tools.get(name);
    const allowed = this.rules.allowedTools;
    const answer = (ok: boolean, text: string, artifacts: readonly ArtifactRef[] = [], args: unknown = given) => {
      const line = {
        ref: "r",
        tool: name,
        args: keyFields(args, 200),
        ok,
        snippet: clip(text, 600),
        isUntrusted: false,
      };
      for (const { id } of artifacts) this.touched.add(id);
      return { ok, artifacts, line };
    };
    if (tool === undefined) return answer(false, `There is no tool ${name}.`);
    if (allowed !== null && !allowed.includes(name)) return answer(false, `This run may not use "${name}".`);
    const fitting = this.fitted(tool, given);
    if (fitting === null) return answer(false, "the arguments do not fit");
    const broken = this.rules.broken(name, fitting, this.iteration);
    if (broken !== null) return answer(false, broken, [], fitting);
    const done = this.write(name, fitting);
    return answer(done.ok, done.text, done.artifacts, fitting);
  }

  private fitted(tool: Tool, given: unknown): Record<string, unknown> | null {
    const first = parseArgs(tool, given);
    if (first.ok) return first.args as Record<string, unknown>;
    const view = { tool: tool.name, args: given, error: first.text, schema: argsSchema(tool) };
    const second = parseArgs(tool, JSON.parse(ask({ role: "repair", view }).text));
    this.repairs.push({ tool: tool.name, iteration: this.iteration, ok: second.ok });
    return second.ok ? (second.args as Record<string, unknown>) : null;
  }

  private write(name: string, args: Record<string, unknown>): { ok: boolean; text: string; artifacts: ArtifactRef[] } {
    const no = (text: string) => ({ ok: false, text, artifacts: [] });
    if (name === "link") {
      const isKnown = [args.src_id, args.dst_id].every((id) => this.made.some((each) => each.id === id));
      if (!isKnown) return no(`There is no thing ${String(args.src_id)} here.`);
      this.links += 1;
      return { ok: true, text: "Linked.", artifacts: [] };
    }
    if (name === "append_document") {
      const page = this.made.find(({ id, kind }) => id === args.id && kind === "document");
      if (!page) return no(`There is no document ${String(args.id)} here.`);
      page.content = [page.content, String(args.text)].filter((part) => part !== "").join("\n\n");
      return { ok: true, text: `Added to the document ${page.id}`, artifacts: [{ kind: "document", id: page.id }] };
    }
    const kind = name === "write_note" ? "document" : name.replace("create_", "");
    const id = this.newId();
    const projectId = String(args.project_id ?? workspace.projectId);
    const projects = [
      workspace.projectId,
      scopeProject.id,
      ...this.made.flatMap((each) => (each.kind === "project" ? [each.id] : [])),
    ];
    if (kind !== "project" && !projects.includes(projectId)) return no(`There is no project ${projectId} here.`);
    if (kind === "project" && !this.rules.mayMakeProjects) return no("Only certain projects were given to work in.");
    this.made.push({
      kind,
      id,
      title: String(args.title ?? args.name),
      content: String(args.content ?? ""),
      projectId,
      args,
    });
    return { ok: true, text: `Made the ${kind} ${id} (version 1).`, artifacts: [{ kind, id }] };
  }
}

export function execute(
  store: DemoStore,
  view: ExecutorView,
): { result: ExecutorResult; artifacts: readonly ArtifactRef[] } {
  const messages: ModelMessage[] = [{ role: "user", text: "prompt" }];
  const lines: ToolResultLine[] = [];
  const artifacts: ArtifactRef[] = [];
  const allowed = view.permission.allowedTools;
  const tools = builtInTools
    .filter(({ name }) => allowed === null || allowed.includes(name))
    .map(({ name }) => ({ name, description: "", schema: {} }));
  let summary = "";
  for (let step = 0; step < 8 && summary === ""; step++) {
    const { text, toolCalls } = ask({ role: "executor", view, messages, tools });
    if (toolCalls.length === 0) summary = text;
    const replies = toolCalls.map(({ callId, tool, args }): ToolReply => {
      const done = store.call(tool, args);
      lines.push(done.line);
      artifacts.push(...done.artifacts);
      return { callId, tool, text: done.line.snippet, isError: !done.ok };
    });
    messages.push({ role: "assistant", text, toolCalls, native: null }, { role: "tool", results: replies });
  }
  const isOk = summary !== "" && (lines.length === 0 || lines.some(({ ok }) => ok));
  const { branchId, task } = view;
  const result = {
    branchId,
    title: task.title,
    stepId: task.stepId,
    ok: isOk,
    summary,
    resultSnippet: "",
    documentId: view.branchDocumentId,
    toolResults: lines,
  };
  return { result, artifacts };
}

export function prove(
  store: DemoStore,
  target: CheckTarget,
  plan: readonly PlanStep[],
): Pick<Proof, "isGreen" | "seen" | "artifacts"> {
  const own = store.made.filter(({ id }) => store.touched.has(id));
  const refs = (made: readonly Made[]) => made.map(({ kind, id }) => ({ kind, id }));
  switch (target.kind) {
    case "plan_complete": {
      const verdict = judgePlan({ steps: plan });
      return {
        isGreen: verdict.isComplete,
        seen: verdict.isComplete ? "all done" : `open: ${verdict.open.join(", ")}`,
        artifacts: [],
      };
    }
    case "entity_count": {
      const found = own.filter(({ kind }) => kind === target.entity);
      const seen = `${found.length} of ${target.atLeast} of kind ${target.entity} are this run's`;
      return { isGreen: found.length >= target.atLeast, seen, artifacts: refs(found) };
    }
    case "entity_exists": {
      const found = own.filter(
        ({ kind, title }) => kind === target.entity && title.toLowerCase().includes(target.titleLike.toLowerCase()),
      );
      return {
        isGreen: found.length > 0,
        seen: found.length > 0 ? "it is there" : `no ${target.entity} is called like "${target.titleLike}"`,
        artifacts: refs(found),
      };
    }
    case "document_has":
      return proveDocument(own, target);
    default:
      return { isGreen: false, seen: "this installation cannot run checks of this kind", artifacts: [] };
  }
}

function proveDocument(own: readonly Made[], target: CheckTarget & { kind: "document_has" }) {
  const found = own.filter(
    ({ kind, title }) => kind === "document" && title.toLowerCase().includes(target.titleLike.toLowerCase()),
  );
  if (found.length === 0) return { isGreen: false, seen: "there is no such document of this run", artifacts: [] };
  const text = found.map(({ content }) => content).join("\n\n");
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  const sources = new Set(text.match(/https?:\/\/[^\s)>\]"']+/g) ?? []).size;
  const headings = new Set(
    linesOf(text).flatMap((line) => /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1]?.toLowerCase() ?? []),
  );
  const missing = target.headings.filter((heading) => !headings.has(heading.trim().toLowerCase()));
  const isGreen = words >= target.wordsAtLeast && sources >= target.sourcesAtLeast && missing.length === 0;
  const seen = [
    `${words} of ${target.wordsAtLeast} words`,
    `${sources} of ${target.sourcesAtLeast} sources`,
    ...(missing.length === 0 ? [] : [`without the headings ${missing.join(", ")}`]),
  ].join(", ");
  return { isGreen, seen, artifacts: found.map(({ kind, id }) => ({ kind, id })) };
}
