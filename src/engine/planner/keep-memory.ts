// Writes down what an iteration leaves behind: its entry in the scratchpad, the plan as a page, its summary, and the memory that the
// next iteration reads. One transaction, one entry of the journal.

import { clipLine } from "../../domain/planner/clip.ts";
import { boundMemory, type IterationMemory } from "../../domain/planner/memory.ts";
import { urlsIn } from "../../domain/policy/web-address.ts";
import { planUpdates, type ScratchpadEntry } from "../../domain/workspace/scratchpad.ts";
import { type MadeThing, madeByRun } from "../../store/workspace/planner-store.ts";
import { appendScratchpad, writeIterationSummary, writePlanDocument } from "../../store/workspace/workspace-store.ts";
import { toNote } from "../ask.ts";
import { type Iteration, sourceOf } from "./iteration.ts";
import type { AskedQuestion } from "./questions.ts";
import type { SessionState } from "./session-state.ts";

export async function keepMemory(
  it: Iteration,
  session: SessionState,
  summary: string,
  questions: readonly AskedQuestion[],
): Promise<void> {
  const { run, workspace } = it;
  await it.journal.write("memory", async (tx) => {
    const made = await madeByRun(
      tx,
      run.id,
      session.made.map(({ id }) => id),
    );
    if (it.mayKeepPages) {
      const source = sourceOf(it);
      await appendScratchpad(tx, workspace, toEntry(it, session, summary, made), source);
      await writePlanDocument(tx, workspace, session.plan, run.state.iteration, source);
      await writeIterationSummary(tx, workspace, run.state.iteration, summary, source);
    }
    return toNote(boundMemory(toMemory(it, session, made, questions)), "Wrote down what came of it");
  });
}

function toMemory(
  it: Iteration,
  session: SessionState,
  made: readonly MadeThing[],
  questions: readonly AskedQuestion[],
): IterationMemory {
  const { run, memory, noticed } = it;
  return {
    iteration: run.state.iteration,
    last: {
      calls: session.calls,
      reports: session.reports,
      artifacts: made.map(({ kind, id, title }) => ({ kind, id, title })),
    },
    remainingWork: [...(session.ended?.remaining_work ?? memory.remainingWork)],
    stage: noticed.missedTools.size > 0 ? wider(memory.stage) : memory.stage,
    missedTools: [...memory.missedTools, ...noticed.missedTools],
    isPlanApproved: memory.isPlanApproved,
    answer: session.answer ?? memory.answer,
    hasReadUntrusted: noticed.hasReadUntrusted,
    hasReadPrivate: noticed.hasReadPrivate,
    userUrls: [...memory.userUrls, ...noticed.userUrls],
    searchUrls: [...noticed.searchUrls],
    approvedDestinations: memory.approvedDestinations,
    asked: questions.map(({ id, text, options, grants }) => ({
      id,
      text: clipLine(text, 300),
      grants,
      urls: [...urlsIn([text, ...options].join("\n"))],
    })),
  };
}

const wider = (stage: IterationMemory["stage"]): IterationMemory["stage"] => (stage === 1 ? 2 : 3);

function toEntry(
  { run }: Iteration,
  session: SessionState,
  summary: string,
  made: readonly MadeThing[],
): ScratchpadEntry {
  const { ended, reports, calls } = session;
  return {
    iteration: run.state.iteration,
    summary: [summary, ...reports.map(({ title, text }) => `${title}: ${clipLine(text, 300)}`)].join(" "),
    actions: calls.map(({ tool, args, ok, said }) => ({ tool, args, ok, result: said })),
    entities: made.map(({ op, kind, id, title }) => ({ op, kind, id, title })),
    planUpdates: planUpdates(run.plan, session.plan),
    remainingWork: ended?.remaining_work ?? [],
    nextActionHint: ended?.next_action_hint ?? null,
    decisionHint: ended === null ? null : ended.exit_signal ? "claims to be done" : "goes on",
  };
}
