// An objective that is a question: the answer is the deliverable. It is kept as a document of the run in the user's project, so that
// it is checked, judged, reported and taken back like anything else a run makes.

import type { ArtifactRef, Plan, PlanStep } from "../../domain/plan/plan.ts";
import { clipLine } from "../../domain/planner/clip.ts";
import type { Proposal } from "../../domain/run/iteration-result.ts";
import { plannerLane } from "../../runs/ports/run-store.ts";
import { findOwnText } from "../../store/entity/change-store.ts";
import { noteSightings, type Sighting, wholeText } from "../../tools/things-read.ts";
import type { ToolOutcome } from "../../tools/tool.ts";
import { updateName } from "../../tools/update-entity.ts";
import { callTool, newCaller, type WantedCall } from "../tools/call-tool.ts";
import type { Iteration } from "./iteration.ts";
import { runHost } from "./run-host.ts";

export type KeptAnswer = {
  readonly artifact: ArtifactRef;
  readonly title: string;
  /** What the run is measured by where the planner named nothing else. */
  readonly proposal: Proposal;
  /** Where there is no plan, answering was its only step. */
  readonly planAfter: (plan: Plan) => Plan;
};

const titleMax = 120;

/** Null where it could not be written, which the model is told by the checks. */
export async function keepAnswer(it: Iteration, key: string, text: string): Promise<KeptAnswer | null> {
  const heading = headingOf(text);
  const title = it.memory.answer?.title ?? heading ?? clipLine(it.run.objective, titleMax);
  const content = heading === title ? text : `# ${title}\n\n${text}`;
  const artifact = await writeAnswer(it, key, title, content);
  if (artifact === null) return null;
  const id = "answer";
  return {
    artifact,
    title,
    proposal: {
      deliverables: [{ id, title }],
      checks: [{ id: "answered", deliverableId: id, givenBy: "planner", target: answered(title) }],
      drops: [],
      why: "",
    },
    planAfter: (plan) => (plan.steps.length > 0 ? plan : { steps: [answeredStep(it.run.state.iteration, [artifact])] }),
  };
}

/** Replaces an earlier answer; creates a document if the run has no answer yet, or it is gone. */
async function writeAnswer(it: Iteration, key: string, title: string, content: string): Promise<ArtifactRef | null> {
  const caller = newCaller({ lane: plannerLane, branchId: null, only: null });
  const call = async (wanted: WantedCall) => artifactOf((await callTool(runHost(it), caller, wanted)).outcome);
  const { answer } = it.memory;
  const args = { id: answer?.id, content };
  // The platform wrote the answer. Where a person has changed it since, it stays and the new answer is another document.
  if (answer) noteSightings(caller.thingsRead, await ownAnswer(it, answer.id));
  const replaced = answer && (await call({ key: `${key}/answer`, tool: updateName("document"), args }));
  if (replaced) return replaced;
  const anew = answer === null ? `${key}/answer` : `${key}/answer-anew`;
  return call({ key: anew, tool: "create_document", args: { title, content } });
}

async function ownAnswer({ db, run }: Iteration, id: string): Promise<readonly Sighting[]> {
  const identity = { userId: run.userId, runId: run.id };
  const text = await db.asUser(identity, (tx) => findOwnText(tx, "document", id, "content"));
  return text === null ? [] : [{ id, content: wholeText(text) }];
}

/** Its heading and no number of words: short answers are answers, too, and the judge reads whether it is one. */
const answered = (title: string) =>
  ({
    kind: "document_has",
    documentId: null,
    titleLike: title,
    headings: [title],
    wordsAtLeast: 0,
    sourcesAtLeast: 0,
  }) as const;

/** The plan of a run that only answers. */
export const answeredStep = (lastIteration: number, evidence: readonly ArtifactRef[]): PlanStep => ({
  id: "answer",
  title: "Answer the question",
  status: "done",
  isOptional: false,
  owner: null,
  lastIteration,
  evidence,
});

/** The answer's own heading, where it can be a title. */
function headingOf(text: string): string | null {
  const heading = /^#{1,3}\s+(.+)$/m.exec(text)?.[1]?.trim() ?? "";
  return heading !== "" && heading.length <= titleMax ? heading : null;
}

const artifactOf = (outcome: ToolOutcome): ArtifactRef | null => (outcome.ok ? (outcome.artifacts[0] ?? null) : null);
