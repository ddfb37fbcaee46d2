// One iteration of a run that an agent works on: the agent run is started or adopted, waited for, counted, and turned into what the
// gate judges. `run-agent task` and the agent engine of Homework runs share it; what a run is kept in, and who may see it, is theirs.

import type { ContentState } from "../../domain/run/gate/progress.ts";
import type { EngineResult, IterationInput, Journal } from "../../runs/ports/engine.ts";
import { untilInterrupted } from "../../runs/ports/engine.ts";
import { isDone } from "../layout/task-files.ts";
import type { AgentIterationDeps, AgentWork } from "./agent-work.ts";
import { waitForChildren } from "./children.ts";
import { toWorked } from "./read-outcome.ts";
import { tryAgents } from "./try-agents.ts";
import { compareWork, readWork, type WorkState } from "./work-states.ts";

export type AgentIteration<Writes> = {
  readonly iterate: (input: IterationInput, journal: Journal<Writes>) => Promise<EngineResult>;
  /** For progress, once `iterate` has answered: what is different in the work folder, the facts, the state and the git head. */
  readonly readStates: () => readonly ContentState[];
};

/** Made anew for each iteration: it remembers how the work stood before. */
export function agentIteration<Writes>(deps: AgentIterationDeps, work: AgentWork): AgentIteration<Writes> {
  const { root } = deps.jobs;
  let before: WorkState | null = null;
  const look = () => readWork(root, work.task, work.workFolder);
  const iterate = async (input: IterationInput, journal: Journal<Writes>): Promise<EngineResult> => {
    before = await journal.once("work:before", async () => ({
      result: look(),
      summary: "looked at the work before the agent started",
      artifacts: [],
      isBookkeeping: true,
    }));
    const tried = await tryAgents({ deps, work, input, journal });
    if (tried.kind === "held" || tried.kind === "aborted") return tried;
    const left = isDone(root, work.task) ? await waitForChildren(deps.jobs, work, journal.signal) : [];
    await work.beforeEnd?.();
    return toWorked(root, work.task, input, tried, left);
  };
  return {
    iterate: (input, journal) => untilInterrupted(journal.signal, () => iterate(input, journal)),
    readStates: () => (before === null ? [] : compareWork(before, look())),
  };
}
