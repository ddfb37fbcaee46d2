// The demo model drafts an outcome: what there usually is to settle becomes a task each. A first one says what it is all about, and a
// last one puts the pages together.

import { z } from "zod";
import { listSection } from "./compose.ts";
import { aspectsFor, readObjective } from "./read-objective.ts";
import { labelLine, labelPage, listed, plainWords, shorten } from "./text.ts";

export const draftView = z.looseObject({
  kind: z.literal("outcome_draft"),
  brief: z.string(),
  memories: z.array(z.string()).default([]),
});

/** Aspects of which each has a task. */
const partsMax = 4;
const whole = "All on one page";

export function draftByRules({ brief, memories }: z.output<typeof draftView>) {
  const reading = readObjective(brief);
  const { name, topic, isWorkable } = reading;
  const parts = aspectsFor(reading).slice(0, partsMax);
  const titles = listed(parts.map(({ title }) => `“${title}”`));
  const learnt = memories.slice(0, 5).map((memory) => shorten(plainWords(memory), 200));
  const approach = `“${parts[0]?.title}” comes first; everything else builds on it. Then the other parts, each on a page of its own. “${whole}” comes last and uses what the others found.`;
  const items = parts.map(({ title, text, done }, n) => ({
    title,
    description: text.replaceAll("{topic}", topic),
    acceptanceCriteria: [`Done when ${done}`],
    priority: n === 0 ? "high" : "medium",
  }));
  const task = (title: string, words: string, dependsOn: readonly number[]) => ({
    title: `Draft “${title}” for ${topic}`,
    description: labelLine(words),
    dependsOn,
  });
  const tasks = [
    ...parts.map(({ title, points, done }, n) =>
      task(title, `${points.join(" ")} Done when ${done}.`, n === 0 ? [] : [1]),
    ),
    task(
      whole,
      `Put ${titles} together on one page.`,
      parts.slice(1).map((_, n) => n + 2),
    ),
  ];
  return {
    name,
    intent: { summary: labelLine(shorten(plainWords(brief), 400)), items, successCriteria: [`“${whole}” is written`] },
    approach: labelPage([approach, ...listSection("Learnt from earlier outcomes", learnt)]),
    // Words that say nothing are one task, whose run asks what is meant.
    tasks: isWorkable ? tasks : [{ title: shorten(brief, 200), description: "", dependsOn: [] }],
  };
}
