// Writes the demo's texts from its table of aspects: the page, the answer to a question, notes and tasks.

import { type Aspect, aspects } from "./aspects.ts";
import { aspectsFor, type Reading } from "./read-objective.ts";
import { labelLine, labelPage, shorten } from "./text.ts";

type Lines = readonly string[];

const titles = { event: "Plan", project: "Plan", research: "Findings", write: "Draft" } as const;
export const pageTitle = ({ family, name }: Reading): string => `${titles[family]}: ${name}`;

const bullets = (lines: Lines): string => lines.map((line) => `- ${line}`).join("\n");
const section = (heading: string, ...parts: Lines): string => [`## ${heading}`, ...parts].join("\n\n");
const aspectSection = ({ topic }: Reading, { title, text, points }: Aspect): string =>
  section(title, text.replaceAll("{topic}", topic), "To settle:", bullets(points));
const doneWhen = ({ topic }: Reading, points: string, { done }: Aspect): string =>
  `For ${topic}: ${points} Done when ${done}.`;

/** None where there is nothing to list. */
export const listSection = (heading: string, lines: Lines): Lines =>
  lines.length === 0 ? [] : [section(heading, bullets(lines))];
/** What the user said, as a part of a page. */
export const saidSection = ({ topic }: Reading, said: Lines): Lines =>
  listSection(
    "What you added",
    said.map((words) => `You wrote “${words}”. It applies to ${topic} and comes before anything that contradicts it.`),
  );

/** What the page promises: its own headings, and fewer words than it has, but more than a stub would have. */
export function promiseOfPage(reading: Reading) {
  const own = aspectsFor(reading).map(({ title }) => title);
  const headings = ["Goal", ...own, "Next step"];
  return { title_like: pageTitle(reading), headings, words_at_least: own.length < 3 ? 100 : 200 };
}

/** `known`: from other tasks of the same outcome. */
export function composePage(reading: Reading, said: Lines, known: Lines): string {
  const { topic, quote } = reading;
  const own = aspectsFor(reading);
  const intro = `This page is a working basis for ${topic}: ${own.length} aspects with what has to be settled for each, in the order in which they are best taken up. It was asked for in these words:`;
  const begin = `Begin with “${own[0]?.task}” and put a date on it today. Strike out whatever does not fit your situation; a plan that is used is shorter than the one that was written.`;
  return labelPage([
    section("Goal", intro, `> ${quote}`),
    ...own.map((aspect) => aspectSection(reading, aspect)),
    ...listSection("What the other tasks found and what was decided", known),
    ...saidSection(reading, said),
    section("Next step", begin),
  ]);
}

export const composeAnswer = (reading: Reading, said: Lines): string =>
  labelPage([
    section(
      shorten(reading.quote, 100),
      `The demo model follows rules and looks nothing up, so it cannot know the answer to ${reading.topic}. What it can do is show the way to a dependable one.`,
    ),
    ...aspectsFor(reading).map((aspect) => aspectSection(reading, aspect)),
    ...saidSection(reading, said),
  ]);

/** One for each aspect, where the work ends in things to do. */
export const composeTasks = (reading: Reading) =>
  (reading.family === "event" || reading.family === "project" ? aspectsFor(reading) : []).map((aspect) => ({
    title: aspect.task,
    description: labelLine(doneWhen(reading, aspect.points.slice(0, 2).join(" "), aspect)),
  }));

/** What each executor looks into; none where the work is small. */
export function findStrands(reading: Reading): readonly Lines[] {
  const all = aspectsFor(reading).map(({ title }) => title);
  if (reading.family === "write" || all.length < 3 || reading.quote.split(" ").length < 4) return [];
  const each = Math.ceil(all.length / 3);
  return [0, 1, 2].map((n) => all.slice(n * each, (n + 1) * each)).filter(({ length }) => length > 0);
}

/** Of each aspect, what has to be settled. */
export function composeNote(reading: Reading, named: Lines): string {
  const parts = named.map((title) => {
    const aspect = aspects.find((each) => each.title === title);
    if (aspect === undefined) return section(title, "The demo model has nothing to say about this.");
    return section(title, bullets(aspect.points), doneWhen(reading, `${aspect.task}.`, aspect));
  });
  return labelPage(parts);
}
