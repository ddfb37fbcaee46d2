// Runs: handing an objective over, looking at it, and what a person may do to it. A run is found as its user, so that those of
// others are not there; what changes it is then done as the platform, in the same transaction.

import { asPlatform, type Tx } from "../../db/database.ts";
import type { AuditAction } from "../../domain/identity/audit.ts";
import type { Actor } from "../../domain/identity/identity.ts";
import { cancel, pause, resume, steer } from "../../domain/run/commands.ts";
import { followUp } from "../../domain/run/follow-up.ts";
import { fork } from "../../domain/run/fork.ts";
import type { BreakerLimits } from "../../domain/run/gate/breakers.ts";
import { isAttemptOver, type Run, type RunId } from "../../domain/run/run.ts";
import { routes } from "../../protocol/api.ts";
import { answerRun } from "../../runs/answer-run.ts";
import type { Limits } from "../../runs/carry-out.ts";
import { createRun } from "../../runs/create-run.ts";
import type { EngineProblems } from "../../runs/ports/engine.ts";
import { stagedWrites } from "../../store/change/change-set-store.ts";
import { edgesFrom } from "../../store/entity/edge-store.ts";
import { workspaceDocuments } from "../../store/entity/entity-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { usageByModel } from "../../store/journal/usage-store.ts";
import { findTaskPlace } from "../../store/outcome-view/outcome-task-view-store.ts";
import type { RunJobs } from "../../store/run/run-jobs.ts";
import { inRunTx } from "../../store/run/run-store.ts";
import { labelRun } from "../../store/run-view/label-run.ts";
import { findRelatives } from "../../store/run-view/related-run-store.ts";
import { listRuns, type RunFilter } from "../../store/run-view/run-list-store.ts";
import { eventsAfter, listIterations, type RunView, readForkPoint } from "../../store/run-view/run-view-store.ts";
import { findWorkspace, readScratchpad } from "../../store/workspace/workspace-store.ts";
import { changeRun, command, viewOf } from "../change-run.ts";
import { type MountDeps, mountUser, type UserRequest } from "../mount.ts";
import type { AgentsPort } from "../ports/agents.ts";
import type { ModelsPort } from "../ports/models.ts";
import { refuseUnwritable } from "../project-rights.ts";
import { type FollowUpBody, newRunFrom, readable, refuseForAgent, toBudget, wantedFrom } from "../run-input.ts";
import { findWorkFolder, refuseMissingEngine, refuseModels, refuseUnpriced } from "../run-refusals.ts";
import {
  pageOfRun,
  refused,
  toWireEvent,
  toWireIteration,
  toWireListedRun,
  toWireRun,
  toWireTaskPlace,
  toWireUse,
  toWireWorkspacePage,
} from "../run-wire.ts";
import { fromWire, missing, toWirePage } from "../wire.ts";

export type RunDeps = MountDeps & {
  readonly jobs: RunJobs;
  readonly limits: Limits;
  readonly models: ModelsPort;
  /** Which engines runs can have here. */
  readonly engines: EngineProblems;
  readonly agents: AgentsPort;
  /** That of runs whose user names none. */
  readonly timeZone: string;
  /** When workers stop a run; for warnings. */
  readonly breakers: BreakerLimits;
};

export function mountRunRoutes(deps: RunDeps): void {
  mountUser(deps, routes.runs.create, async ({ tx, actor, body }) => {
    const made = { id: deps.env.newId() as RunId, userId: actor.userId, timeZone: deps.timeZone };
    refuseMissingEngine(deps, body);
    const run = await newRunFrom(tx, { ...made, workFolder: await findWorkFolder(deps, body) }, body);
    const accepted = await accept(deps, tx, actor, run, "run_created");
    const { placeInLine } = accepted;
    return { run_id: run.id, status: accepted.run.state.status, place_in_line: placeInLine, url: pageOfRun(run) };
  });

  mountUser(deps, routes.runs.list, async ({ tx, query }) =>
    toWirePage(await listRuns(tx, toFilter(query)), toWireListedRun),
  );

  mountUser(deps, routes.runs.get, (request) => showRun(deps, request));

  mountRunCommandRoutes(deps);
}

/** Names of the domain; `ended_since` is `endedSince`. */
const toFilter = (query: UserRequest<typeof routes.runs.list>["query"]): RunFilter => fromWire(query);

type GetRequest = UserRequest<typeof routes.runs.get>;

async function showRun({ breakers }: RunDeps, { tx, params: { runId }, query }: GetRequest) {
  const view = await viewOf(tx, runId);
  const page = { limit: query.limit, cursor: query.iterations_cursor, before: query.iterations_before };
  const { follows, followUps } = await findRelatives(tx, runId, view.run.followsRunId);
  return {
    run: toWireRun(view, breakers),
    follows,
    follow_ups: [...followUps],
    iterations: query.include_iterations ? toWirePage(await listIterations(tx, runId, page), toWireIteration) : null,
    events: query.include_events ? await eventPage(tx, runId, query.events_since_seq, query.limit) : null,
    usage: (await usageByModel(tx, runId)).map(toWireUse),
    outcome_task: await outcomeTaskOf(tx, view),
    workspace: query.include_workspace ? await workspaceOf(tx, view) : null,
  };
}

/** Null too where the task was deleted with its outcome. */
async function outcomeTaskOf(tx: Tx, { run: { outcomeTaskId } }: RunView) {
  const place = outcomeTaskId === null ? null : await findTaskPlace(tx, outcomeTaskId);
  return place && toWireTaskPlace(place);
}

async function eventPage(tx: Tx, runId: string, since: number, limit: number) {
  const found = await eventsAfter(tx, runId, since, limit + 1);
  const items = found.slice(0, limit).map(toWireEvent);
  return { items, next_since_seq: found.length > limit ? (items.at(-1)?.seq ?? null) : null };
}

/** Entries of the scratchpad that come along; its pages have the others. */
const entriesShown = 10;

async function workspaceOf(tx: Tx, { run, workspace }: RunView) {
  const documents = await workspaceDocuments(tx, run.id);
  const ids = documents.map(({ id }) => id);
  const found = await findWorkspace(tx, run.id);
  const scratchpad = found && (await readScratchpad(tx, found, entriesShown));
  return {
    root_document_id: workspace.documentId,
    project_id: workspace.projectId,
    documents: documents.map(toWireWorkspacePage),
    edges: [...(await edgesFrom(tx, ids))],
    scratchpad: found && scratchpad && { document_id: found.scratchpadId, text: scratchpad.text },
  };
}

/** Written down as the platform; what its user sees of it then. */
async function accept(deps: RunDeps, tx: Tx, actor: Actor, run: Run, action: AuditAction): Promise<RunView> {
  await refuseUnwritable(tx, run);
  await refuseModels(deps, tx, actor.userId, run.models);
  await refuseUnpriced(deps, run);
  await asPlatform(tx, (platform) => inRunTx(platform, deps.jobs, (runs) => createRun(runs, run, deps.limits)));
  const view = await viewOf(tx, run.id);
  await writeAudit(tx, { actorId: actor.userId, action, target: `run:${run.id}`, details: { engine: run.engine } });
  return view;
}

type LabelRequest = UserRequest<typeof routes.runs.label>;

async function changeLabel({ breakers }: RunDeps, { tx, actor, params: { runId }, body }: LabelRequest) {
  const view = await viewOf(tx, runId);
  if (body.is_archived && view.endedAt === null)
    throw refused("Only a run that has ended can be archived", view, breakers);
  await asPlatform(tx, (platform) => labelRun(platform, actor.userId, runId, fromWire(body)));
  const action = body.is_archived === undefined ? "run_renamed" : "run_archived";
  const labelled = await viewOf(tx, runId);
  await writeAudit(tx, { actorId: actor.userId, action, target: `run:${runId}`, details: { ...body } });
  return toWireRun(labelled, breakers);
}

function mountRunCommandRoutes(deps: RunDeps): void {
  mountUser(deps, routes.runs.label, (request) => changeLabel(deps, request));

  mountUser(deps, routes.runs.cancel, (request) => command(deps, request, "run_canceled", cancel));

  mountUser(deps, routes.runs.pause, (request) => command(deps, request, "run_paused", pause));

  mountUser(deps, routes.runs.resume, async (request) => {
    const raised = toBudget(request.body.budgets);
    const { run: stopped } = await viewOf(request.tx, request.params.runId);
    refuseMissingEngine(deps, stopped);
    await refuseUnwritable(request.tx, stopped);
    await refuseModels(deps, request.tx, request.actor.userId, stopped.models);
    await refuseUnpriced(deps, { ...stopped, budget: { ...stopped.budget, ...raised } });
    return command(deps, request, "run_resumed", (run) => resume(run, raised));
  });

  mountUser(deps, routes.runs.respond, async (request) => {
    await refuseUnwritable(request.tx, (await viewOf(request.tx, request.params.runId)).run);
    const answers = request.body.answers.map(fromWire);
    return changeRun(deps, request, "run_answered", (runs, platform, whose) =>
      answerRun(runs, stagedWrites(platform), whose, answers, deps.limits),
    );
  });

  mountUser(deps, routes.runs.steer, async (request) => {
    const { message } = request.body;
    const { run } = await viewOf(request.tx, request.params.runId);
    // The branch of an agent's run can be worked on after its end: what is said then begins a run on top of it.
    if (run.engine === "agent" && isAttemptOver(run.state)) return startFollowUp(deps, request, comment(message));
    return command(deps, request, "run_steered", (now) => steer(now, message));
  });

  mountUser(deps, routes.runs.fork, async ({ tx, actor, params, body }) => {
    const old = await viewOf(tx, params.runId);
    refuseMissingEngine(deps, old.run);
    refuseForAgent(old.run.engine, {}, body.models);
    await readable(tx, old.run.scope);
    const at = await readForkPoint(tx, params.runId, body.iteration);
    if (at === null) throw body.iteration === undefined ? nothingYet(old, deps) : missing("iteration that has ended");
    const changes = { objective: body.objective, budget: toBudget(body.budgets), models: body.models };
    const forked = fork(old.run, deps.env.newId() as RunId, at, changes);
    return toWireRun(await accept(deps, tx, actor, forked, "run_forked"), deps.breakers);
  });

  mountUser(deps, routes.runs.continue, (request) => startFollowUp(deps, request, request.body));
}

type FollowUpRequest = Pick<UserRequest<typeof routes.runs.continue>, "tx" | "actor" | "params">;

const comment = (objective: string): FollowUpBody => ({
  objective,
  foreign_texts: [],
  budgets: {},
  permissions: {},
  completion_criteria: [],
});

async function startFollowUp(deps: RunDeps, { tx, actor, params }: FollowUpRequest, body: FollowUpBody) {
  const old = await viewOf(tx, params.runId);
  const wanted = await wantedFrom(tx, old.run, body);
  const answer = followUp(old.run, deps.env.newId() as RunId, wanted);
  if (!answer.isDone) throw refused(answer.why, old, deps.breakers);
  refuseMissingEngine(deps, old.run);
  await readable(tx, old.run.scope);
  return toWireRun(await accept(deps, tx, actor, answer.move, "run_followed_up"), deps.breakers);
}

const nothingYet = (view: RunView, { breakers }: RunDeps) =>
  refused("No iteration of this run has ended yet: there is nothing to go on from", view, breakers);
