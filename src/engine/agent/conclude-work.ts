// After an agent has ended: what it left is guarded, committed by the platform, written down for the report, and turned into what the
// gate judges. Where the guard has a question nothing is committed and nothing counts as claimed.

import { asPlatform, type Tx } from "../../db/database.ts";
import { anyFile } from "../../domain/agent/any-file.ts";
import { describeFindings, type GuardFinding, guardFiles } from "../../domain/agent/file-guard.ts";
import { type FileChange, noticedHeading, type WorkRecord, workLimits } from "../../domain/agent/work.ts";
import type { ArtifactRef, Plan } from "../../domain/plan/plan.ts";
import { clipLine, firstLine } from "../../domain/planner/clip.ts";
import { claimsDone } from "../../domain/run/gate/claim.ts";
import type { Proposal } from "../../domain/run/iteration-result.ts";
import type { Question } from "../../domain/run/question.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { readFacts } from "../../runner/layout/facts.ts";
import { readRunInfo, type StopRequest } from "../../runner/layout/run-info.ts";
import { inRun, listRuns } from "../../runner/layout/runner-root.ts";
import { readText } from "../../runner/layout/text.ts";
import { lookAtRepository, type RepositoryLook, tellDifferences } from "../../runner/work/repository-look.ts";
import { commitAll, findLinksOut, listChanges, listCommits, readDiff } from "../../runner/work/work-folder.ts";
import { writeWorkText } from "../../runner/work/write-work-text.ts";
import type { IterationInput, Journal, Worked } from "../../runs/ports/engine.ts";
import { type GuardState, saveWorkResult } from "../../store/agent/work-store.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";
import { type KeptDocuments, keepDocuments } from "./keep-documents.ts";
import { listAuthors } from "./list-authors.ts";
import { guardQuestion } from "./prepare-work.ts";
import { findWritesOutside } from "./writes-outside.ts";

type Ended = {
  readonly worked: Worked;
  readonly guard: GuardState;
  readonly repository: RepositoryLook | null;
  /** A person ended the agent. */
  readonly stopped: StopRequest | null;
};

/** As the journal keeps it. */
type KeptWork = {
  readonly files: readonly string[];
  readonly documents: readonly ArtifactRef[];
  readonly findings: readonly GuardFinding[];
  /** Absent in journals of older versions. */
  readonly noticed?: readonly string[];
  /** Absent in journals of older versions. */
  readonly beside?: readonly string[];
};

const tellNoticed = (noticed: readonly string[]): string =>
  noticed.length === 0 ? "" : `${noticedHeading}: ${noticed.join(", ")}.`;

/** Of more than these the titles say so. */
const besideMax = 3;

const tellBeside = (beside: readonly string[]): readonly string[] => {
  const more = beside.length - besideMax;
  return more > 0 ? [...beside.slice(0, besideMax), `The same holds for ${more} more.`] : beside;
};

const titleMax = 120;
const commitTitleMax = 72;
/** Files that a step points at. */
const evidenceMax = 20;
const summaryMax = 2_000;
/** "Done." answers nothing. */
const answerMin = 20;

export async function concludeWork(
  deps: AgentDeps,
  place: AgentPlace,
  { run }: IterationInput,
  journal: Journal<Tx>,
  ended: Ended,
): Promise<Worked> {
  const { worked, stopped } = ended;
  const kept = journal.recall<KeptWork>("work")?.result ?? (await keepWorkOf(deps, place, run, journal, ended));
  const isGuarded = kept.findings.length > 0;
  const isDone = !isGuarded && claimsDone(worked.claim);
  const evidence = [...kept.files.map((id) => ({ kind: "file", id })), ...kept.documents].slice(0, evidenceMax);
  const beside = tellBeside(kept.beside ?? []);
  return {
    ...worked,
    claim: isGuarded ? null : worked.claim,
    wasCutOff: worked.wasCutOff || stopped !== null,
    summary: [place.note, worked.summary, tellNoticed(kept.noticed ?? []), ...beside].filter(Boolean).join(" "),
    questions: [...askGuard(kept.findings), ...askStopped(stopped), ...worked.questions],
    plan: toPlan(run, isDone, evidence),
    proposed: proposeWork(run),
    closing: isDone ? { ...noClosing, summary: [readLastWords(deps, place), ...beside].join("\n\n").trim() } : null,
    // What stopped it is asked about; it is no error of the work.
    error: isGuarded || stopped !== null ? null : worked.error,
  };
}

const noClosing = { primaryOutput: null, openQuestions: [], unsure: [], honoured: [] } as const;

async function keepWorkOf(
  deps: AgentDeps,
  place: AgentPlace,
  run: RunningRun,
  journal: Journal<Tx>,
  { worked, guard, repository }: Ended,
): Promise<KeptWork> {
  const { work } = place;
  const now = repository === null ? null : await lookAtRepository(work);
  const noticed = repository === null || now === null ? [] : tellDifferences(repository, now);
  await keepAnswer(deps, place, worked);
  const changes = await listChanges(work);
  const outside = [...findLinksOut(work, changes), ...findWritesOutside(deps, place)];
  const findings = guardFiles(changes, outside, guard.allowed);
  if (findings.length === 0) await commitAll(work, commitMessage(run, worked, readOutput(deps, place)));
  const files = findings.length === 0 ? await listChanges(work) : changes;
  const told = [...new Set([...(place.row.record?.noticed ?? []), ...noticed])].slice(-workLimits.noticed);
  const authors = listAuthors(journal, place);
  const record = { ...(await describeRecord(deps, place, files, authors)), noticed: told };
  const diff = await readDiff(work, workLimits.diff);
  return journal.write("work", async (tx) => {
    const documents: KeptDocuments =
      findings.length === 0
        ? await keepDocuments(deps, tx, run, place, files)
        : { byPath: place.row.documents, artifacts: [], beside: [] };
    await asPlatform(tx, (platform) =>
      saveWorkResult(platform, run.id, {
        guard: { ...guard, pending: findings },
        record,
        diff,
        documents: documents.byPath,
      }),
    );
    const paths = files.map((file) => file.path).slice(0, workLimits.files);
    return {
      result: { files: paths, documents: documents.artifacts, findings, noticed, beside: documents.beside },
      summary: summarizeChanges(files, record.commits.length),
      artifacts: [...paths.map((id) => ({ kind: "file", id })), ...documents.artifacts],
      isBookkeeping: true,
    };
  });
}

/** An objective that is a question: the agent's last words are the result, as a file like any other. */
async function keepAnswer(deps: AgentDeps, place: AgentPlace, { claim }: Worked): Promise<void> {
  const { work } = place;
  if (work.repository !== null || !claimsDone(claim) || (await listChanges(work)).length > 0) return;
  const answer = readLastWords(deps, place);
  // Where the agent has put something else under this name, no answer is kept.
  if (answer.length >= answerMin) writeWorkText(work.folder, "answer.md", `${answer}\n`);
}

/** The first line of the agent's report; where it failed, how. */
function commitMessage({ id, state, objective }: RunningRun, { summary, error }: Worked, output: string): string {
  const title = firstLine(error === null ? output : summary, commitTitleMax) || firstLine(summary, commitTitleMax);
  return `Iteration ${state.iteration}: ${title}\n\n${clipLine(objective, 500)}\n\nHomework-Run: ${id}\n`;
}

async function describeRecord(
  { jobs: { root } }: AgentDeps,
  { task, work }: AgentPlace,
  files: readonly FileChange[],
  agents: readonly string[],
): Promise<Omit<WorkRecord, "noticed">> {
  const facts = readFacts(root, task).map(({ title, text, file }) => title || clipLine(text, titleMax) || file);
  return {
    repository: work.repository,
    branch: work.branch,
    files: files.slice(0, workLimits.files),
    file_count: files.length,
    commits: (await listCommits(work)).slice(-workLimits.commits),
    facts: facts.slice(-workLimits.facts),
    agents: [...agents],
  };
}

function summarizeChanges(files: readonly FileChange[], commits: number): string {
  if (files.length === 0) return "No file has changed";
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  return `${count(files.length, "file")} changed in ${count(commits, "commit")}`;
}

const askGuard = (findings: readonly GuardFinding[]): readonly Question[] =>
  findings.length === 0
    ? []
    : [{ id: guardQuestion, kind: "question", text: describeFindings(findings), options: ["allow", "undo"] }];

const askStopped = (stopped: StopRequest | null): readonly Question[] =>
  stopped === null
    ? []
    : [
        {
          id: "stopped",
          kind: "question",
          text: `The agent was stopped by ${stopped.by}: ${stopped.reason}. Should the run go on?`,
          options: ["go on"],
        },
      ];

/** One step: an agent plans for itself. */
function toPlan({ objective, plan, state }: RunningRun, isDone: boolean, evidence: readonly ArtifactRef[]): Plan {
  const before = plan.steps.find(({ id }) => id === "work");
  const step = {
    id: "work",
    title: clipLine(objective, titleMax),
    status: isDone && evidence.length > 0 ? ("done" as const) : ("in_progress" as const),
    isOptional: false,
    owner: null,
    lastIteration: state.iteration,
    evidence,
  };
  return { steps: [...plan.steps.filter(({ id }) => id !== before?.id), step] };
}

/** What the run is measured by beside what the user asked for: it changed something, and a reviewer has read that. */
export function proposeWork({ deliverables, objective }: RunningRun): Proposal | null {
  if (deliverables.length > 0) return null;
  return {
    deliverables: [{ id: "work", title: clipLine(objective, titleMax) }],
    checks: [
      { id: "changed", deliverableId: "work", target: { kind: "file_exists", path: anyFile }, givenBy: "planner" },
    ],
    drops: [],
    why: "",
  };
}

/** The end of what the last agent wrote. */
const readLastWords = (deps: AgentDeps, place: AgentPlace): string => readOutput(deps, place).slice(-summaryMax);

/** What it wrote as its report, whole. */
export function readOutput({ jobs: { root } }: AgentDeps, { task }: AgentPlace): string {
  const last = listRuns(root, task).findLast((run) => {
    const info = readRunInfo(root, run);
    return info.status !== "unknown" && info.parent_run_id === "";
  });
  const read = last === undefined ? null : readText(root.disk, inRun(last, "output"));
  return read?.kind === "text" ? read.text.trim() : "";
}
