// One iteration of a run that agents work on: open the place, settle what the user answered, let an agent work (`agentIteration`), guard
// and commit what it left, and report. Made for one iteration of one run. Whether the run goes on is not decided here.

import type { Tx } from "../../db/database.ts";
import { tellChecks } from "../../domain/run/describe-check.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import type { StopRequest } from "../../runner/layout/run-info.ts";
import { type AgentIteration, type AgentWork, agentIteration } from "../../runner/task/agent-iteration.ts";
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
import type { AgentDeps } from "./agent-deps.ts";
import { withOwnHome } from "./agent-home.ts";
import { type AgentPlace, namesOf, openPlace, workFolderOf } from "./agent-place.ts";
import { agentProver } from "./agent-prover.ts";
import { concludeWork } from "./conclude-work.ts";
import { countUsage } from "./count-usage.ts";
import { prepareWork } from "./prepare-work.ts";
import { watchedJournal } from "./watch-agent.ts";

/** What engine and prover of one iteration share. */
export type AgentSession = {
  place: AgentPlace | null;
  iteration: AgentIteration<Tx> | null;
};

export function installAgentEngine(deps: AgentDeps, run: RunningRun): InstalledEngine<Tx> {
  const session: AgentSession = { place: null, iteration: null };
  const engine: Engine<Tx> = {
    iterate: (input, journal) => untilInterrupted(journal.signal, () => iterate(deps, session, input, journal)),
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
  const prepared = await prepareWork(deps, place, input, journal);
  const said = await deps.db.asUser({ userId: run.userId }, (tx) => readMessages(tx, run.id, run.state.iteration));
  let stopped: StopRequest | null = null;
  const work = describeWork(deps, place, input, said);
  const iteration = agentIteration<Tx>(
    {
      jobs: withOwnHome(deps.jobs, place.task, deps.agents),
      writePrompt: (view) =>
        deps.writePrompt({
          ...view,
          troubles: [...view.troubles, ...prepared.notes.map((text) => ({ from: "Homework", text }))],
        }),
    },
    work,
  );
  session.iteration = iteration;
  const onStopped = (stop: StopRequest) => {
    stopped = stop;
  };
  const watching = { deps, place, allowed: prepared.guard.allowed, onStopped };
  const result = await iteration.iterate(input, watchedJournal(journal, watching, said.length));
  if (result.kind === "lost" || result.kind === "aborted") return result;
  await countUncounted(journal, said.length);
  if (result.kind !== "worked") return result;
  return concludeWork(deps, place, input, journal, { worked: result, guard: prepared.guard, stopped });
}

/** An agent that told nothing of what it used is an unpriced call, not a free one. */
async function countUncounted(journal: Journal<Tx>, messages: number): Promise<void> {
  for (let n = 0; ; n++) {
    const tried = journal.recall<TriedJob>(`agent:${n}`)?.result;
    if (tried === undefined) return;
    const key = `usage:${n}`;
    if (!journal.has(key))
      await countUsage(journal, { key, role: "agent", model: tried.agent, lane: agentLane, messages }, tried.job);
  }
}

function describeWork(
  deps: AgentDeps,
  { task, work }: AgentPlace,
  { run }: IterationInput,
  said: readonly { readonly question: string | null; readonly text: string }[],
): AgentWork {
  return {
    task,
    workFolder: work.folder,
    pool: deps.pool,
    limits: deps.limits,
    children: deps.children,
    parentRunId: null,
    depth: 0,
    depthMax: deps.depthMax,
    checks: tellChecks(
      run.checks.filter(({ target }) => target.kind !== "plan_complete"),
      [],
    ).map(({ about }) => about),
    said: () => said.map(({ question, text }) => ({ at: "", question, text })),
    retryPausesMs: deps.times.retryPausesMs,
    onStopped: async () => {},
  };
}
