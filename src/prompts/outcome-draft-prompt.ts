// Asks a model to make an outcome of a rough brief: intent, approach and tasks, for the user to edit before anything begins. Its shape and
// how it is read are in `src/domain/homr/outcome-draft.ts`.

import { draftLimits } from "../domain/homr/outcome-draft.ts";
import { clip, clipLine } from "../domain/planner/clip.ts";
import { fenced, quoted } from "../domain/policy/fence-text.ts";
import { type Prompt, section } from "./planner-prompt.ts";

export type OutcomeDraftView = {
  readonly kind: "outcome_draft";
  readonly name: string;
  /** As the user put it. */
  readonly brief: string;
  /** Where it is worked on; empty where it has no place yet. */
  readonly project: string;
  readonly engine: "planner" | "agent";
  readonly now: string;
  /** What the owner's earlier outcomes taught. */
  readonly memories: readonly string[];
};

const limits = { brief: 32_000, memories: 10, memory: 500 } as const;

const workers = {
  planner:
    "Each task is done by a worker that reads and writes documents and tasks in the user's projects, opens web pages where it can. It can ask the user, and then waits for the answer, with all that depends on it: say what to assume where the user said nothing. It cannot call, sign, buy or send anything: it prepares that, and says so.",
  agent: "Each task is done by a coding agent that works on a repository and can run programs.",
} as const;

const rules = `You make a plan of what a user roughly described: what they want (intent), how it is gone about (approach), and the tasks that lead there. The user can edit it, before or while it is done. Workers do the tasks, each on its own, and see intent and approach but not each other's work until it is done.
Keep to what the user said, in their language. Where something is open, take the plainest reading and say so in the approach; invent no wishes.
Intent: a summary; items with what makes each acceptable; success criteria that someone can check by looking at the result.
Approach: how it is done and why so: structure, order, decisions that all tasks have to share (names, formats, tools, tone), what is left out on purpose. A page at most.
Tasks: as few as do it well, 1 to ${draftLimits.tasks}; two to eight are usual. Each is a piece of work for one worker with a result that can be seen (a new document, a change), and its description says everything that the worker needs to know beyond intent and approach. A task depends on another only if it needs its result; name only the nearest, not what comes before those anyway. Tasks that do not depend on each other can be done at the same time, the first of the list first. Ask for nothing that a worker may be unable to get (prices, sources) without saying what to do then. No task for planning, none for reviewing the whole: that is done anyway.
Answer with one JSON object and nothing else:
{"name": "two to eight words; one that the user gave stays", "intent": {"summary": "…", "items": [{"title": "…", "description": "…", "acceptanceCriteria": ["…"], "priority": "critical" | "high" | "medium" | "low" (medium, unless the user stressed it or could do without)}], "successCriteria": ["…"]}, "approach": "Markdown", "tasks": [{"title": "a verb and what", "description": "…", "dependsOn": [places of earlier tasks in this list, the first is 1]}]}`;

export function outcomeDraftPrompt(view: OutcomeDraftView, nonce: string): Prompt {
  const { name, brief, project, engine, now, memories } = view;
  const learnt = memories.slice(0, limits.memories).map((line) => `- ${clipLine(line, limits.memory)}`);
  const message = [
    section("What the user wants", [
      ...(name.trim() === "" ? [] : ["Its name:", quoted(clipLine(name, 300)), "In the user's words:"]),
      quoted(clip(brief, limits.brief)),
    ]),
    section("Where it is done", [
      workers[engine],
      ...(project.trim() === "" ? [] : [fenced("name of the project", clipLine(project, 200), nonce)]),
    ]),
    section(
      "What earlier work of this user taught",
      learnt.length === 0 ? [] : [fenced("learnt before", learnt.join("\n"), nonce)],
    ),
    `It is ${now}.`,
  ];
  return { system: rules, message: message.filter((part) => part !== "").join("\n\n") };
}
