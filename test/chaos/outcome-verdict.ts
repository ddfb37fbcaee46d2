// Whether an outcome went as its story says: who was told what, who waited for whom, and what HOMЯ asked when. Two outcomes are
// compared by their traces.

import type { Standstill } from "./outcome-owner.ts";
import {
  corrective,
  discovery,
  doubt,
  drift,
  heldUp,
  longStretch,
  shortStretch,
  standsBy,
  storyTasks,
  unconcerned,
} from "./outcome-story.ts";
import type { OutcomeMoments, OutcomeTraces } from "./outcome-traces.ts";

type StoryEvidence = {
  readonly traces: OutcomeTraces;
  readonly moments: OutcomeMoments;
  readonly standstills: readonly Standstill[];
  /** What planners were sent, as the lab has received it. */
  readonly prompts: readonly string[];
};

/** Empty: everything went as it should. */
export function findStoryFaults(evidence: StoryEvidence): readonly string[] {
  const { traces } = evidence;
  const open = traces.tasks.filter((line) => !line.includes(": completed after"));
  return [
    ...(traces.status === "achieved" ? [] : [`the outcome is ${traces.status}`]),
    ...open.map((line) => `not completed: ${line}`),
    ...(traces.tasks.length === storyTasks.length + 1 ? [] : [`${traces.tasks.length} tasks`]),
    ...discoveryFaults(evidence),
    ...driftFaults(evidence),
    ...doubtFaults(evidence),
    ...stretchFaults(evidence),
  ];
}

const noTasks: Standstill["tasks"] = {};
const check = (isRight: boolean, fault: string): readonly string[] => (isRight ? [] : [fault]);
const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.toSorted((a, b) => a - b).join() === other.toSorted((a, b) => a - b).join();

/** It stands in the prompts of the tasks it is for, with a receipt, and in those of no other. */
function discoveryFaults({ moments, prompts }: StoryEvidence): readonly string[] {
  const { briefs, items } = moments;
  const ids = items.filter(({ content }) => content === discovery.content).map(({ id }) => id);
  const told = briefs.filter((brief) => brief.items.some((id) => ids.includes(id)));
  const said = briefs.filter(({ text }) => text.includes(discovery.content));
  const unsent = told.filter(({ text }) => !prompts.some((prompt) => prompt.includes(text)));
  const numbers = (some: typeof briefs) => [...new Set(some.map(({ number }) => number))];
  return [
    ...check(ids.length > 0, "the discovery is not in the context"),
    ...check(isSame(numbers(told), discovery.for), `receipts of the discovery: #${numbers(told).join(" #")}`),
    ...check(
      isSame(numbers(said), discovery.for),
      `the discovery stands in the briefs of #${numbers(said).join(" #")}`,
    ),
    ...check(said.length === told.length, `${told.length} receipts, and ${said.length} briefs that say it`),
    ...unsent.map(({ number }) => `no prompt was sent with the brief of #${number}`),
  ];
}

const firstBegan = ({ attempts }: OutcomeMoments, task: number): number =>
  Math.min(...attempts.filter(({ number }) => number === task).map(({ began }) => began));
const lastWorked = ({ attempts }: OutcomeMoments, task: number): number =>
  Math.max(...attempts.filter(({ number }) => number === task).map(({ worked }) => worked));

function driftFaults({ traces, moments }: StoryEvidence): readonly string[] {
  const made = traces.tasks.find((line) => line.startsWith(`#${corrective} `)) ?? "none";
  const waiting = traces.tasks.find((line) => line.startsWith(`#${heldUp} `)) ?? "";
  return [
    ...check(made.includes(`made by homr, corrects #${drift.task}`), `the corrective task: ${made}`),
    ...check(waiting.endsWith(`waits for #${drift.task} #${corrective}`), `the task that has to wait: ${waiting}`),
    ...check(
      firstBegan(moments, heldUp) >= lastWorked(moments, corrective),
      `#${heldUp} began before #${corrective} had ended`,
    ),
  ];
}

/** Exactly the tasks it concerns are paused, until it is answered; whatever else can be done is done meanwhile. */
function doubtFaults({ moments, standstills }: StoryEvidence): readonly string[] {
  const [stood, ...more] = standstills.filter(({ trigger }) => trigger === "multiple_approaches");
  const asked = moments.questions.filter(({ trigger }) => trigger === "multiple_approaches");
  const early = doubt.affects.filter((task) => stood?.begun.includes(task));
  const { paused = [], completed = [] } = stood?.tasks ?? noTasks;
  return [
    ...check(
      stood !== undefined && more.length === 0 && asked.length === 1,
      `the doubt was asked ${asked.length} times`,
    ),
    ...check(asked[0]?.about === `${doubt.task}:1`, `the doubt was asked after ${asked[0]?.about}`),
    ...check(isSame(paused, doubt.affects), `paused by the doubt: #${paused.join(" #")}`),
    ...early.map((task) => `#${task} began before the answer`),
    ...check(completed.includes(unconcerned), `#${unconcerned} waited for an answer that does not concern it`),
  ];
}

/** Three failures in a row pause everything; two do not. */
function stretchFaults({ moments, standstills }: StoryEvidence): readonly string[] {
  const stood = standstills.filter(({ trigger }) => trigger === "consecutive_failures");
  const asked = moments.questions.filter(({ trigger }) => trigger === "consecutive_failures");
  const stretches = stretchesOf(moments.successes);
  const { paused = [], running = [] } = stood[0]?.tasks ?? noTasks;
  const due = storyTasks.map((_, n) => n + 1).filter((task) => task > longStretch.task);
  const wanted = [shortStretch.failures, longStretch.failures];
  return [
    ...check(isSame(stretches, wanted), `failures in a row: ${stretches.join(", ")}`),
    ...check(asked.length === 1, `asked about failures ${asked.length} times`),
    ...check(
      asked[0]?.about === `${longStretch.task}:${longStretch.failures}`,
      `asked about failures after ${asked[0]?.about}`,
    ),
    ...check(isSame(paused, due), `paused by the failures: #${paused.join(" #")}`),
    ...check(running.length === 0, "a worker went on while everything was paused"),
    ...check(stood[0]?.begun.includes(standsBy) === false, `#${standsBy} began before the answer`),
  ];
}

/** How many failures there were in a row, each time. */
function stretchesOf(successes: readonly boolean[]): readonly number[] {
  const found: number[] = [];
  for (const [n, hasSucceeded] of successes.entries()) {
    if (hasSucceeded) continue;
    if (n > 0 && successes[n - 1] === false) found[found.length - 1] = (found.at(-1) ?? 0) + 1;
    else found.push(1);
  }
  return found;
}

/** What differs, line by line. */
export function compareTraces(one: OutcomeTraces, other: OutcomeTraces): readonly string[] {
  const parts = Object.keys(one) as (keyof OutcomeTraces)[];
  return parts.flatMap((part) => {
    const [mine, theirs] = [[one[part]].flat(), [other[part]].flat()];
    return [
      ...without(mine, theirs).map((line) => `${part}: missing “${line}”`),
      ...without(theirs, mine).map((line) => `${part}: too much “${line}”`),
    ];
  });
}

/** Each line as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
