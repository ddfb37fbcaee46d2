// An engine without a model: it plays a whole run with the objective's own words, so that everything around an engine can be
// seen working before a model is set up. It says so in what it writes.

import type { Tx } from "../db/database.ts";
import type { ArtifactRef, Plan, PlanStep } from "../domain/plan/plan.ts";
import type { Proposal } from "../domain/run/iteration-result.ts";
import type { RunningRun } from "../domain/run/run.ts";
import type { Engine, EngineResult, IterationInput, Journal, Written } from "../runs/engine-port.ts";
import { findDocuments } from "../store/check-store.ts";
import { createEntity, findEntity, updateEntity } from "../store/entity-store.ts";
import { createProject, listProjects } from "../store/project-store.ts";

const label = "Written in a rehearsal: no model was asked.";
const sections = ["Objective", "What has to be found out", "Next steps"] as const;

type Page = { readonly id: string; readonly projectId: string };

export function rehearsalEngine(newId: () => string): Engine<Tx> {
  return {
    iterate: async (input, journal) => {
      const { run } = input;
      if (!isAllowed(run)) throw new Error(`it may not use "${tool}", the only tool of a rehearsal`);
      if (needsLeave(input)) return asking(run);
      const done = Math.min(written(run) + 1, sections.length);
      const page = await pageOf(input, journal, newId);
      await journal.write("write", (tx) => writeSections(tx, page, input, done));
      return ended(run, { kind: "document", id: page.id }, done);
    },
  };
}

const tool = "write_document";
const isAllowed = ({ permission: { allowedTools } }: RunningRun) =>
  allowedTools === null || allowedTools.includes(tool);

/** Sections that are written, also by a run that this one was forked from. */
const written = ({ plan }: RunningRun) => plan.steps.filter(({ status }) => status === "done").length;

/** Unless it may do as it likes, it asks before its first write; the answer is in the iteration that follows. */
function needsLeave({ run, signals }: IterationInput): boolean {
  return (
    run.permission.writeMode !== "autopilot" &&
    written(run) === 0 &&
    !signals.some(({ text }) => /^y/i.test(text.trim()))
  );
}

function asking(run: RunningRun): EngineResult {
  const kind = run.permission.writeMode === "per_write" ? "approve_writes" : "approve_plan";
  const text = `May it write a page with the sections ${sections.join(", ")}?`;
  const nothing = { claim: null, proposed: null, actions: null, error: null, hasToolMiss: false } as const;
  const questions = [{ id: "may-write", kind, text, options: ["yes", "no"] }] as const;
  return { kind: "worked", summary: `Asked before it writes. ${label}`, plan: run.plan, questions, ...nothing };
}

/** Made by the first write; later ones find it by the plan, or among what the run made. */
function pageOf({ run }: IterationInput, journal: Journal<Tx>, newId: () => string): Promise<Page> {
  return journal.write("page", async (tx) => {
    const planned = run.plan.steps.flatMap(({ evidence }) => evidence)[0];
    const [known] = await findDocuments(tx, run.id, planned?.id ?? null);
    if (known)
      return { result: { id: known.id, projectId: known.projectId }, summary: "Opened its page", artifacts: [] };
    const page = { id: newId(), projectId: await projectFor(tx, run, newId) };
    const by = { ...page, by: run.userId };
    await createEntity(tx, "document", by, { title: titleOf(run), type_key: "document.homework.note" });
    return {
      result: page,
      summary: `Began the page "${titleOf(run)}"`,
      artifacts: [{ kind: "document", id: page.id }],
    };
  });
}

const workspaceType = "project.homework.workspace";

/** The run's own project; for a run over everything, one that is kept for that. */
async function projectFor(tx: Tx, { scope, userId }: RunningRun, newId: () => string): Promise<string> {
  if (scope.kind === "project") return scope.projectId;
  if (scope.kind === "multi_project") return scope.projectIds[0];
  const { items } = await listProjects(tx, { limit: 200, deleted: false });
  const known = items.find(({ typeKey, role }) => typeKey === workspaceType && role === "owner");
  if (known) return known.id;
  const made = await createProject(tx, newId(), userId, {
    name: "Homework workspace",
    description: "What runs over everything write.",
    type_key: workspaceType,
    state_key: "active",
    props: {},
  });
  return made.id;
}

async function writeSections(
  tx: Tx,
  page: Page,
  { run, signals }: IterationInput,
  done: number,
): Promise<Written<null>> {
  const found = await findEntity(tx, "document", page.projectId, page.id);
  if (!found) throw new Error("the page is gone: someone has deleted it");
  const said = signals.map(({ text }) => `> ${text.replaceAll("\n", "\n> ")}`);
  const content = [found.content, ...said, ...newSections(run, done)].filter((part) => part !== "").join("\n\n");
  const saved = await updateEntity(tx, "document", { ...page, version: found.version }, { content });
  if (saved.outcome !== "saved") throw new Error(`the page could not be written: ${saved.outcome}`);
  return { result: null, summary: `Wrote "${sections[done - 1]}"`, artifacts: [{ kind: "document", id: page.id }] };
}

function newSections(run: RunningRun, done: number): readonly string[] {
  const heading = sections[done - 1];
  const words = run.objective.trim();
  if (done === 1) return [`_${label}_`, `## ${heading}\n\n${words}`];
  const lines = words.split(/[.;,\n]+/).map((part) => part.trim());
  const bullets = lines.filter((part) => part !== "").map((part) => `- ${bulletOf(done, part)}`);
  return [`## ${heading}\n\n${bullets.join("\n")}`];
}

const bulletOf = (done: number, part: string) =>
  done === 2 ? `What is already known about "${part}", and who could tell?` : `Take the first step towards "${part}".`;

function ended(run: RunningRun, page: ArtifactRef, done: number): EngineResult {
  const isLast = done === sections.length;
  return {
    kind: "worked",
    summary: `Wrote the section "${sections[done - 1]}". ${label}`,
    claim: {
      exitSignal: isLast,
      needsUserInput: false,
      blockingQuestions: [],
      progressSummary: `${done} of ${sections.length} sections are written`,
      remainingWork: sections.slice(done),
      completionEvidence: [],
      nextActionHint: isLast ? "stop" : "execute",
      confidence: null,
    },
    questions: [],
    plan: planAfter(run, page, done),
    proposed: proposal,
    actions: null,
    error: null,
    hasToolMiss: false,
  };
}

function planAfter({ state }: RunningRun, page: ArtifactRef, done: number): Plan {
  return {
    steps: sections.map(
      (title, n): PlanStep => ({
        id: `section-${n + 1}`,
        title: `Write "${title}"`,
        status: n < done ? "done" : "pending",
        isOptional: false,
        owner: null,
        lastIteration: Math.min(n + 1, state.iteration),
        evidence: n < done ? [page] : [],
      }),
    ),
  };
}

const proposal: Proposal = {
  deliverables: [{ id: "page", title: "A page about the objective" }],
  checks: [
    {
      id: "page-has-its-sections",
      deliverableId: "page",
      target: { kind: "document_has", documentId: null, headings: sections, wordsAtLeast: 12, sourcesAtLeast: 0 },
      givenBy: "planner",
    },
  ],
};

const titleMax = 80;

function titleOf({ objective }: RunningRun): string {
  const line = `Rehearsal: ${objective.trim().split("\n", 1)[0] ?? ""}`;
  return line.length <= titleMax ? line : `${line.slice(0, titleMax - 1).trimEnd()}…`;
}
