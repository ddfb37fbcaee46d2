// Before an agent is started: an old DONE is no claim of this iteration, what the user answered to the file guard is carried out, and
// what they said is on the bus, where the agents of the task read it. Done once per iteration.

import { asPlatform, type Tx } from "../../db/database.ts";
import { allowanceOf, allows } from "../../domain/agent/file-guard.ts";
import { type Bus, openBus } from "../../runner/bus/bus.ts";
import { readBus } from "../../runner/bus/read-bus.ts";
import { clearStop } from "../../runner/layout/task-files.ts";
import { lookAtRepository, type RepositoryLook } from "../../runner/work/repository-look.ts";
import { restoreFiles } from "../../runner/work/work-folder.ts";
import type { IterationInput, Journal } from "../../runs/ports/engine.ts";
import type { RunMessage } from "../../runs/ports/run-store.ts";
import { type GuardState, saveGuard } from "../../store/agent/work-store.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";
import { takeBackDone } from "./take-back-done.ts";

export const guardQuestion = "file-guard";

export type PreparedWork = {
  /** For the agent. */
  readonly notes: readonly string[];
  readonly guard: GuardState;
  /** The start before left DONE, and it was not accepted. */
  readonly hadDone: boolean;
  /** The person's repository before the agent of this iteration; null: there is none. */
  readonly repository: RepositoryLook | null;
};

type Settled = Pick<PreparedWork, "notes" | "guard">;

export function prepareWork(
  deps: AgentDeps,
  place: AgentPlace,
  { run, messages }: IterationInput,
  journal: Journal<Tx>,
): Promise<PreparedWork> {
  return journal.write("prepare", async (tx) => {
    const { root } = deps.jobs;
    const hadDone = await takeBackDone(root, place.task, run);
    clearStop(root, place.task);
    const settled = await settleGuard(place, messages);
    await tellBus(openBus(root, place.task), messages);
    await asPlatform(tx, (platform) => saveGuard(platform, run.id, settled.guard));
    const notes = [...(place.note === null ? [] : [place.note]), ...settled.notes];
    const repository = await lookAtRepository(place.work);
    const result: PreparedWork = { notes, guard: settled.guard, hadDone, repository };
    const summary = notes.length === 0 ? "Prepared the work folder" : notes.join(" ");
    return { result, summary, artifacts: [], isBookkeeping: true };
  });
}

async function settleGuard(place: AgentPlace, messages: readonly RunMessage[]): Promise<Settled> {
  const { guard } = place.row;
  if (guard.pending.length === 0) return { notes: [], guard };
  const answer = messages.findLast(({ questionId }) => questionId === guardQuestion)?.text ?? "";
  const open = guard.pending.flatMap(({ kind, paths }) => paths.map((file) => ({ kind, file })));
  if (allows(answer)) {
    const allowed = [...new Set([...guard.allowed, ...open.map(({ kind, file }) => allowanceOf(kind, file))])];
    return { notes: ["The user has allowed what the file guard asked about."], guard: { pending: [], allowed } };
  }
  // A path outside is allowed from now on in the sense that it is not asked about again: it cannot be undone here.
  const outside = open.filter(({ kind }) => kind === "outside").map(({ kind, file }) => allowanceOf(kind, file));
  await restoreFiles(
    place.work,
    open.filter(({ kind }) => kind !== "outside").map(({ file }) => file),
  );
  const names = open.map(({ file }) => file).join(", ");
  const note = `The user did not allow this, and it was undone: ${names}. Do not do it again.`;
  return { notes: [note], guard: { pending: [], allowed: [...guard.allowed, ...outside] } };
}

/** Once each: a message that is on the bus already is known by its id. */
async function tellBus(bus: Bus, messages: readonly RunMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const { entries } = readBus(bus);
  const told = new Set(entries.map(({ meta }) => meta.message ?? ""));
  const ids = new Set(entries.map(({ msg_id: id }) => id));
  for (const { id, kind, questionId, text } of messages) {
    if (told.has(id)) continue;
    const parents = questionId !== null && ids.has(questionId) ? [questionId] : [];
    await bus.post({ type: kind === "answer" ? "ANSWER" : "USER", body: text, parents, meta: { message: id } });
  }
}
