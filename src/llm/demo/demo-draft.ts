// The demo model drafts an outcome: what the brief lists, or what there usually is to settle, becomes a task each. A first one says
// what it is all about, and a last one puts the pages together.

import { z } from "zod";
import { type Aspect, aspectsOf } from "./aspects.ts";
import { bullets, labelLine, labelPage, section } from "./compose.ts";
import { capital, fill, listed, plainWords, shorten } from "./phrase.ts";
import { familyAspects, type Reading, readObjective } from "./read-objective.ts";

export const draftView = z.looseObject({
  kind: z.literal("outcome_draft"),
  brief: z.string(),
  memories: z.array(z.string()).default([]),
});

/** A part of the whole; `aspect`: where the tables have something to say about it. */
type Part = { readonly title: string; readonly aspect: Aspect | null };

/** Parts besides the first and the last. */
const partsMin = 3;
const partsMax = 6;
const summaryMax = 400;

export function draftByRules({ brief, memories }: z.output<typeof draftView>) {
  const { head, named } = splitList(brief);
  const reading = readObjective(named.length > 1 ? head : brief);
  const { say } = reading;
  const [basis, ...usual] = familyAspects(reading).map(({ title }) => partOf(reading, title));
  const own = (named.length > 1 ? named : reading.isComparison ? [] : reading.items).map((title) =>
    partOf(reading, title),
  );
  const parts = [...own, ...usual].slice(0, Math.max(partsMin, Math.min(own.length, partsMax)));
  const all = [...(basis === undefined ? [] : [basis]), ...parts];
  return {
    name: reading.name,
    intent: {
      summary: labelLine(reading, shorten(plainWords(brief), summaryMax)),
      items: all.map((part, n) => toItem(reading, part, n)),
      successCriteria: [say("draft-each"), say("draft-one", { whole: say("whole") })],
    },
    approach: composeApproach(reading, all, memories),
    tasks: [...all.map((part, n) => toTask(reading, part, n)), putTogether(reading, all)],
  };
}

const partOf = ({ language }: Reading, title: string): Part => ({
  title,
  aspect: aspectsOf[language].find((aspect) => aspect.title === title) ?? null,
});

/** What follows a colon in its first line, and what comes before it: "A page: copy, pictures and a form". */
function splitList(brief: string): { readonly head: string; readonly named: readonly string[] } {
  const [, head = "", list = ""] = /^([^\n:]{3,200}):[ \t]+([^\n.!?]+)/.exec(brief.trim()) ?? [];
  const parts = list.split(/\s*[,;]\s*(?:and |und )?|\s+(?:and|und)\s+/i).map((part) => shorten(plainWords(part), 60));
  const named = parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).map(capital);
  return { head, named: [...new Set(named)] };
}

function toItem({ say, topic }: Reading, { title, aspect }: Part, n: number) {
  return {
    title,
    description: aspect === null ? "" : fill(aspect.text, { topic }),
    acceptanceCriteria: [aspect === null ? say("draft-accepted") : say("draft-done", { done: aspect.done })],
    priority: n === 0 ? "high" : "medium",
  };
}

/** Everything builds on the first. */
function toTask(reading: Reading, { title, aspect }: Part, n: number) {
  const { say } = reading;
  const description =
    aspect === null
      ? say("draft-part", { title })
      : say("task-aspect", { points: aspect.points.join(" "), done: aspect.done });
  return {
    title: say("draft-task", { title }),
    description: labelLine(reading, description),
    dependsOn: n === 0 ? [] : [1],
  };
}

function putTogether(reading: Reading, parts: readonly Part[]) {
  const { say } = reading;
  const titles = listed(
    parts.map(({ title }) => say("draft-name", { title })),
    say("and"),
  );
  return {
    title: say("draft-task", { title: say("whole") }),
    description: labelLine(reading, say("draft-together", { titles })),
    dependsOn: parts.slice(1).map((_, n) => n + 2),
  };
}

function composeApproach(reading: Reading, [basis, ...parts]: readonly Part[], memories: readonly string[]): string {
  const { say } = reading;
  const steps = [
    say("draft-basis", { title: basis?.title ?? "" }),
    say("draft-parts", {
      titles: listed(
        parts.map(({ title }) => say("draft-name", { title })),
        say("and"),
      ),
    }),
    say("draft-last", { whole: say("whole") }),
  ];
  const learnt = memories.slice(0, 5).map((memory) => shorten(plainWords(memory), 200));
  return labelPage(reading, [
    section(say("draft-how"), bullets(steps)),
    ...(learnt.length === 0 ? [] : [section(say("draft-learnt"), bullets(learnt))]),
  ]);
}
