// Opens an iteration: what the last one left behind, what the user has said and allowed since, the workspace, and the writes
// that were approved meanwhile.

import type { Database, Tx } from "../../db/database.ts";
import { boundMemory, type IterationMemory } from "../../domain/planner/memory.ts";
import type { PlannerView } from "../../domain/planner/view.ts";
import { urlsIn } from "../../domain/policy/web-address.ts";
import { readApproval } from "../../domain/run/checks/approval-answer.ts";
import { listProjects } from "../../domain/run/describe-config.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import type { Workspace } from "../../domain/workspace/workspace.ts";
import type { IterationInput, Journal } from "../../runs/ports/engine.ts";
import { platformLane, type RunMessage } from "../../runs/ports/run-store.ts";
import { hasBegunUntrusted, hasReadUntrustedSince, readMemory } from "../../store/workspace/planner-store.ts";
import { ensureWorkspace, findWorkspace, plannedWorkspace } from "../../store/workspace/workspace-store.ts";
import { toNote } from "../ask.ts";
import { headOf } from "../tools/call-tool.ts";
import { entryIds } from "../tools/entry-ids.ts";
import { replayApproved, stageToolWrite } from "../tools/staging.ts";
import { newNoticed } from "../tools/tool-host.ts";
import type { Iteration, PlannerDeps } from "./iteration.ts";
import { planQuestion } from "./questions.ts";
import { contextFor, openWorkspaceTool, stagingOf } from "./run-host.ts";

export type Opened = { readonly it: Iteration; readonly decidedWrites: PlannerView["decidedWrites"] };

export async function openIteration(deps: PlannerDeps, input: IterationInput, journal: Journal<Tx>): Promise<Opened> {
  const { run, messages } = input;
  const memory = withWhatWasSaid(await lastMemory(deps.db, run), messages);
  if (messages.length > 0) await keepWhatWasSaid(journal, memory);
  const base = {
    ...deps,
    run,
    journal,
    heard: messages.length,
    memory,
    nonce: await drawNonce(deps, journal),
    noticed: newNoticed(memory, memory.searchUrls),
  };
  const phase = run.permission.writeMode === "approve_plan" && !memory.isPlanApproved ? "plan_only" : "work";
  if (run.permission.writeMode === "per_write") return openStaged({ ...base, phase });
  const workspace = await openWorkspace(run, journal);
  const it: Iteration = { ...base, phase, workspace, mayKeepPages: true, projectIds: projectsOf(run, workspace) };
  return { it, decidedWrites: [] };
}

/** What the user allowed is heard once: an iteration that is cut off before it leaves a memory of its own leaves at least this. */
const keepWhatWasSaid = (journal: Journal<Tx>, memory: IterationMemory): Promise<IterationMemory> =>
  journal.once("said", async () => toNote(boundMemory(memory), "Took up what you said"));

/** The end of an id is drawn at random: 48 bits, which no text can guess. */
const nonceLength = 12;

/** Drawn once for an iteration: another attempt sends the same words. */
const drawNonce = ({ env }: PlannerDeps, journal: Journal<Tx>): Promise<string> =>
  journal.once("nonce", async () => toNote(env.newId().slice(-nonceLength), "Began"));

type Opening = Omit<Iteration, "workspace" | "mayKeepPages" | "projectIds">;

/** Every write is asked for, also the workspace itself: until that is allowed, the run keeps no pages. */
async function openStaged(base: Opening): Promise<Opened> {
  const { db, run } = base;
  const identity = { userId: run.userId, runId: run.id };
  const find = () => db.asUser(identity, (tx) => findWorkspace(tx, run.id));
  const known = await find();
  const workspace = known ?? (await db.asUser(identity, (tx) => plannedWorkspace(tx, run, workspaceIds(run))));
  const it: Iteration = {
    ...base,
    workspace,
    mayKeepPages: known !== null,
    projectIds: projectsOf(run, workspace),
  };
  const decidedWrites = await replayApproved(stagingOf(it));
  const now = known ?? (await find());
  // The workspace is asked for once: a user who turned it down wants no pages.
  const isAsked = run.state.iteration > 1 || decidedWrites.some(({ tool }) => tool === openWorkspaceTool(run).name);
  if (now === null && !isAsked) await stageWorkspace(it);
  return { it: now === null ? it : { ...it, workspace: now, mayKeepPages: true }, decidedWrites };
}

async function stageWorkspace(it: Iteration): Promise<void> {
  const tool = openWorkspaceTool(it.run);
  if (tool.kind !== "write") return;
  await stageToolWrite({
    ...stagingOf(it),
    context: { ...contextFor(it, workspaceKey, null), newId: workspaceIds(it.run) },
    tool,
    args: {},
    key: workspaceKey,
    head: { ...headOf({ id: platformLane.id, title: "The pages this run keeps." }, workspaceKey, tool.name, {}) },
  });
}

const workspaceKey = "workspace";

/** The same for every attempt and iteration until it is there. */
const workspaceIds = (run: RunningRun) => entryIds(run.id, 1, workspaceKey);

function openWorkspace(run: RunningRun, journal: Journal<Tx>): Promise<Workspace> {
  return journal.write(workspaceKey, async (tx) =>
    toNote(await ensureWorkspace(tx, { run, newId: workspaceIds(run) }), "Opened the workspace"),
  );
}

/**
 * Its own, or that of the run it was forked from; what is uncertain counts as read. Where the objective may hold words of
 * strangers, they are read with it, and no address in it is the user's.
 */
async function lastMemory(db: Database, run: RunningRun): Promise<IterationMemory> {
  return db.asUser({ userId: run.userId }, async (tx) => {
    const until = run.state.iteration - 1;
    const own = await readMemory(tx, run.id, until);
    const { forkedFrom } = run;
    const inherited = own.iteration === 0 && forkedFrom !== null;
    const memory = inherited ? await readMemory(tx, forkedFrom.runId, forkedFrom.iteration) : own;
    const since = inherited ? 0 : own.iteration;
    const isBegunUntrusted = await hasBegunUntrusted(tx, run.id);
    const hasReadUntrusted =
      isBegunUntrusted ||
      run.foreignTexts.length > 0 ||
      memory.hasReadUntrusted ||
      (await hasReadUntrustedSince(tx, run.id, since));
    const userUrls = [
      ...(own.iteration === 0 ? await urlsBefore(tx, run) : []),
      ...memory.userUrls,
      ...(isBegunUntrusted ? [] : urlsIn(run.objective)),
    ];
    // An iteration that left no memory may have read anything.
    const hasReadPrivate = memory.hasReadPrivate || own.iteration < until;
    // A fork is asked again: its plan was approved for another run.
    const isPlanApproved = memory.isPlanApproved && !inherited;
    return { ...memory, hasReadUntrusted, hasReadPrivate, userUrls, isPlanApproved };
  });
}

/** More than a run has. */
const anyIteration = 1e9;

/** What the user named to the run that this one follows up, they have named. What they allowed that one, they have not allowed this one. */
const urlsBefore = async (tx: Tx, { followsRunId }: RunningRun): Promise<readonly string[]> =>
  followsRunId === null ? [] : (await readMemory(tx, followsRunId, anyIteration)).userUrls;

function withWhatWasSaid(memory: IterationMemory, messages: readonly RunMessage[]): IterationMemory {
  const approval = messages.find(({ questionId }) => questionId === planQuestion);
  return {
    ...memory,
    userUrls: [...memory.userUrls, ...messages.flatMap((message) => urlsSaid(memory, message))],
    approvedDestinations: [...memory.approvedDestinations, ...granted(memory, messages)],
    isPlanApproved:
      memory.isPlanApproved || (approval !== undefined && readApproval(approval.text).kind === "approved"),
  };
}

/** What the user named. What a question put into their mouth is the model's: picking an option opens no address. */
function urlsSaid({ asked }: IterationMemory, { kind, questionId, text }: RunMessage): readonly string[] {
  if (kind !== "answer") return urlsIn(text);
  const question = asked.find(({ id }) => id === questionId);
  return question === undefined ? [] : urlsIn(text).filter((url) => !question.urls.includes(url));
}

/** What a clear yes to our own questions allows. */
function granted({ asked }: IterationMemory, messages: readonly RunMessage[]): readonly string[] {
  return asked.flatMap(({ id, grants }) => {
    const said = messages.find(({ questionId }) => questionId === id);
    const isYes = said !== undefined && readApproval(said.text).kind === "approved";
    return isYes && grants !== null ? [grants] : [];
  });
}

function projectsOf({ scope }: RunningRun, workspace: Workspace): readonly string[] | null {
  return scope.kind === "global" ? null : [...new Set([...listProjects(scope), workspace.projectId])];
}
