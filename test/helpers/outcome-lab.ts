// What the model lab answers while an outcome is worked on: the draft, the work on each task, and HOMЯ's observations, questions and
// reviews. A test changes the parts that it is about.

import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "../../src/protocol/api.ts";
import { routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import type { RouteInput } from "../../src/protocol/route.ts";
import { patienceMs } from "./patience.ts";
import type { SlowScript } from "./role-script.ts";
import { hallScript } from "./run-scenes.ts";

const goodResult = {
  ...{ onTrack: true, alignmentScore: 95, quality: "good", summary: "The page is there and says what it should." },
  ...{ drift: [], issues: [], discoveries: [], decisions: [], wishes: [], ambiguity: null },
};

/** Two ways that a person has to choose from. */
export const openDecision = {
  type: "multiple_approaches",
  description: "The page can have a form or an address to write to.",
  evidence: ["a form would be nicer, an address is quicker"],
  affectedTasks: [2],
  suggestedQuestion: "How shall people get in touch?",
};

const contactQuestion = {
  question: "How shall people get in touch?",
  options: [
    {
      id: "form",
      label: "A contact form",
      description: "People write on the page itself.",
      implications: "Takes a day longer and needs a mail server.",
    },
    {
      id: "address",
      label: "A mail address",
      description: "The page names an address.",
      implications: "Done at once, but attracts spam.",
    },
  ],
  recommended: "form",
};

export const cafeDraft = {
  name: "A website for the repair café",
  intent: {
    summary: "People find the café and know how to bring something in.",
    items: [
      {
        title: "Opening hours",
        description: "On the first page.",
        acceptanceCriteria: ["Days and times are there", "Holidays are named"],
        priority: "high",
      },
    ],
    successCriteria: ["Opening hours are on the first page"],
  },
  approach: "# Plan\n\nOne plain page per topic.",
  tasks: [
    { title: "Write the first page", description: "With opening hours.", dependsOn: [] },
    { title: "Write the contact page", description: "How to get in touch.", dependsOn: [1] },
  ],
};

export type OutcomeScript = {
  /** What HOMЯ sees in an ended task; `prompt` is what it was asked. */
  readonly observe?: (prompt: string) => object;
  readonly draft?: () => object | Promise<object>;
  readonly review?: () => object;
  readonly resolve?: () => object;
  /** The work on the tasks. */
  readonly work?: SlowScript;
};

export function outcomeScript(parts: OutcomeScript = {}): SlowScript {
  const { work = hallScript(1) } = parts;
  return async (asked) => {
    const { system } = asked.request;
    const says = (opening: string) => system.startsWith(opening);
    if (says("You make a plan")) return JSON.stringify((await parts.draft?.()) ?? cafeDraft);
    if (says("You observe the work")) return JSON.stringify({ ...goodResult, ...parts.observe?.(asked.prompt) });
    if (says("Work on an outcome has met")) return JSON.stringify(contactQuestion);
    if (says("You review an outcome"))
      return JSON.stringify(parts.review?.() ?? { findings: [], summary: "Everything is there." });
    if (says("You answer a question for the owner"))
      return JSON.stringify(parts.resolve?.() ?? { option: "form", confidence: 0.9, reason: "It was asked for." });
    return work(asked);
  };
}

/** Whether the observer is asked about this task. */
export const isAboutTask = (prompt: string, number: number): boolean =>
  prompt.includes(`The task that has ended: #${number}`);

type NewOutcome = NonNullable<RouteInput<typeof routes.outcomes.create>["body"]>;

/** Two tasks, the second of which waits for the first. */
const twoTasks: NewOutcome = {
  name: "A website for the repair café",
  intent: { summary: "People find the café.", items: [], success_criteria: ["Opening hours are on the first page"] },
  approach: "One plain page per topic.",
  tasks: [{ title: "Write the first page" }, { title: "Write the contact page", depends_on: [1] }],
};

export const createOutcome = (api: Api, more: Partial<NewOutcome> = {}): Promise<Outcome> =>
  api(routes.outcomes.create, { body: { ...twoTasks, ...more } });

export const readOutcome = (api: Api, outcomeId: string): Promise<Outcome> =>
  api(routes.outcomes.get, { params: { outcomeId } });

/** Until the outcome is like this; says how it was if it never is. */
export async function untilOutcome(api: Api, outcomeId: string, isIt: (outcome: Outcome) => boolean): Promise<Outcome> {
  const endAt = performance.now() + patienceMs;
  for (;;) {
    const outcome = await readOutcome(api, outcomeId);
    if (isIt(outcome)) return outcome;
    if (performance.now() > endAt) throw new Error(`the outcome stayed like this: ${JSON.stringify(outcome)}`);
    await sleep(50);
  }
}
