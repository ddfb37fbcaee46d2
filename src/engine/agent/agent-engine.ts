// One iteration of a run that agents work on: open the place, settle what the user answered, let an agent work (`agentIteration`), guard
// and commit what it left, and report. Made for one iteration of one run. Whether the run goes on is not decided here.

import type { Tx } from "../../db/database.ts";
import { tellConditions } from "../../domain/agent/done-conditions.ts";
import { adopt } from "../../domain/run/checks/adopt.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { foreignTextsPart } from "../../prompts/foreign-texts.ts";
import { runBeforePart } from "../../prompts/run-before.ts";
import type { StopRequest } from "../../runner/layout/run-info.ts";
import { agentIteration } from "../../runner/task/agent-iteration.ts";
import type { AgentHooks, AgentWork } from "../../runner/task/agent-work.ts";
import { endChecks } from "../../runner/task/check-processes.ts";
import { settleUsage } from "../../runner/task/settle-usage.ts";
import type { TriedJob } from "../../runner/task/try-agents.ts";
import {
  type Engine,
  type EngineResult,
  type InstalledEngine,
  type IterationInput,
  type Journal,
  untilInterrupted,
} from "../../runs/ports/engine.ts";
import { agentLane } from "../../runs/ports/run-store.ts";
import { readMessages } from "../../store/run-view/message-store.ts";
import { openBrief } from "../open-brief.ts";
import { readRunBefore } from "../read-run-before.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { withOwnHome } from "./agent-home.ts";
import { type AgentPlace, namesOf, openPlace, workFolderOf } from "./agent-place.ts";
import { agentProver } from "./agent-prover.ts";
import type { AgentSession } from "./agent-session.ts";
import { concludeWork, proposeWork } from "./conclude-work.ts";
import { type PreparedWork, prepareWork } from "./prepare-work.ts";
import { watchAgents } from "./watch-agent.ts";

export function installAgentEngine(deps: AgentDeps, run: RunningRun): InstalledEngine<Tx> {
  const session: AgentSession = { place: null, iteration: null };
  const engine: Engine<Tx> = {
    iterate: (input, journal) => untilInterrupted(journal.signal, () => iterate(deps, session, input, journal)),
    // The agent's own last words are the summary; without them the report is put together from facts.
    narrate: async ({ run: { closing }, status }) => ({
      kind: "narrated",
      text: (status === "completed" && closing?.summary.trim()) || null,
    }),
  };
  const { projectId, taskId } = namesOf(run);
  const { folder } = deps.jobs.root;
  return {
    engine,
    prover: agentProver(deps, session),
    workFolder: workFolderOf({ path: `${folder}/${projectId}/${taskId}` }),
  };
}

async function iterate(
  deps: AgentDeps,
  session: AgentSession,
  input: IterationInput,
  journal: Journal<Tx>,
): Promise<EngineResult> {
  const { run } = input;
  const place = await openPlace(deps, run, journal);
  if ("kind" in place) return place;
  session.place = place;
  // Of an attempt before this one, whose worker was killed: the check is run anew.
  await endChecks(deps.jobs, place.task);
  const prepared = await prepareWork(deps, place, input, journal);
  const brief = await openBrief(deps, run, journal);
  const { said, before } = await deps.db.asUser({ userId: run.userId }, async (tx) => ({
    said: await readMessages(tx, run.id, run.state.iteration),
    before: await readRunBefore(tx, run, null),
  }));
  const nonce = deps.env.newId().replaceAll("-", "");
  const follows = before === null ? [] : [runBeforePart(before, nonce, "agent", place.begunFrom !== null)];
  const given = run.foreignTexts.length === 0 ? [] : [foreignTextsPart(run.foreignTexts, nonce)];
  const told = [...(brief === null ? [] : [brief.text]), ...follows, ...given];
  let stopped: StopRequest | null = null;
  const onStopped = (stop: StopRequest) => {
    stopped = stop;
  };
  const hooks = watchAgents({ deps, place, allowed: prepared.guard.allowed, onStopped });
  const work = describeWork(deps, place, input, said, prepared, hooks);
  const iteration = agentIteration<Tx>(
    {
      jobs: withOwnHome(deps.jobs, place.task, deps.agents),
      writePrompt: (view) =>
        deps.writePrompt({
          ...view,
          brief: told.length === 0 ? null : told.join("\n\n"),
          troubles: [...view.troubles, ...prepared.notes.map((text) => ({ from: "Homework", text }))],
        }),
    },
    work,
  );
  session.iteration = iteration;
  const result = await iteration.iterate(input, journal);
  if (result.kind === "lost" || result.kind === "aborted") return result;
  await countUncounted(journal, said.length);
  if (result.kind !== "worked") return result;
  return concludeWork(deps, place, input, journal, {
    worked: result,
    guard: prepared.guard,
    repository: prepared.repository ?? null,
    stopped,
  });
}

/** An agent that told nothing of what it used is an unpriced call, not a free one. */
async function countUncounted(journal: Journal<Tx>, messages: number): Promise<void> {
  for (let n = 0; ; n++) {
    const tried = journal.recall<TriedJob | null>(`agent:${n}`)?.result ?? null;
    if (tried === null) return;
    const key = `usage:${n}`;
    const call = { key, role: "agent", model: tried.agent, lane: agentLane, messages };
    if (!journal.has(key)) await settleUsage(journal, { ...call, isUnpriced: tried.job.cost_usd === null }, tried.job);
  }
}

function describeWork(
  deps: AgentDeps,
  { task, work }: AgentPlace,
  { run }: IterationInput,
  said: readonly { readonly question: string | null; readonly text: string }[],
  { hadDone }: PreparedWork,
  hooks: AgentHooks,
): AgentWork {
  // What the run will be measured by is adopted when the first iteration has ended; its agent is told before.
  const measured = adopt(run, { proposed: proposeWork(run), heard: 0 }).run;
  return {
    task,
    workFolder: work.folder,
    pool: deps.pool,
    limits: deps.limits,
    children: deps.children,
    parentRunId: null,
    depth: 0,
    depthMax: deps.depthMax,
    checks: tellConditions(measured.checks),
    isCommitted: true,
    hadDone,
    said: () => said.map(({ question, text }) => ({ at: "", question, text })),
    retryPausesMs: deps.times.retryPausesMs,
    hooks,
    onStopped: async () => {},
  };
}
