// Writes the demo's texts from its tables: the main page, sections that a check or a message asks for, the answer to a question,
// notes and tasks. Sections never repeat each other, because repetition counts for nothing.

import { type Aspect, aspectsOf } from "./aspects.ts";
import { countWords, fill, shorten } from "./phrase.ts";
import { familyAspects, isPlanned, type Reading } from "./read-objective.ts";
import { type Language, phraseOf } from "./words.ts";

/** Those that the objective names, else those of its kind of work. */
export function aspectsFor(reading: Reading): readonly Aspect[] {
  const { language, quote } = reading;
  const named = aspectsOf[language].filter(({ title }) => quote.includes(phraseIn(language, title)));
  return named.length > 0 ? named : familyAspects(reading);
}
const phraseIn = (language: Language, title: string): string => fill(phraseOf(language, "draft-name"), { title });
/** What there is to say besides, for pages that have to be longer. */
const spareAspects = (reading: Reading): readonly Aspect[] => {
  const own = aspectsFor(reading);
  return aspectsOf[reading.language].filter((aspect) => !own.includes(aspect));
};

/** Below what the page has, above what a stub would have. */
export const promisedWords = (reading: Reading): number => (aspectsFor(reading).length < 3 ? 100 : 200);

export const labelPage = ({ say }: Reading, parts: readonly string[]): string =>
  [...parts, say("label-page")].join("\n\n");
export const labelLine = ({ say }: Reading, text: string): string => `${text} ${say("label-line")}`;

export const documentTitle = ({ say, family }: Reading): string => say(`title-${family}`);
const candidates = ({ isComparison, items }: Reading): readonly string[] => (isComparison ? items : []);

export const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
export const section = (heading: string, ...parts: readonly string[]): string =>
  [`## ${heading}`, ...parts].join("\n\n");
const aspectSection = ({ say, topic }: Reading, { title, text, points }: Aspect): string =>
  section(title, fill(text, { topic }), say("settle"), bullets(points));

/** Headings of the page that a check can rely on. */
export function promisedHeadings(reading: Reading): readonly string[] {
  const own = aspectsFor(reading).map(({ title }) => title);
  return [reading.say("goal"), ...candidates(reading), ...own, reading.say("next")];
}

type Lines = readonly string[];
type PageWishes = {
  /** Beyond its own, word for word. */
  readonly headings: Lines;
  readonly words: number;
  /** By the user. */
  readonly said: Lines;
  /** From other tasks of the same outcome. */
  readonly known: Lines;
};

export function composePage(reading: Reading, { headings, words, said, known }: PageWishes): string {
  const { say, quote } = reading;
  const own = aspectsFor(reading);
  const parts = [
    section(say("goal"), say("intro", { count: own.length }), `> ${quote}`),
    ...candidates(reading).map((candidate) => section(candidate, say("candidate", { candidate }))),
    ...own.map((aspect) => aspectSection(reading, aspect)),
    ...composeHeadings(reading, headings),
    ...(known.length === 0 ? [] : [section(say("known"), bullets(known))]),
    ...(said.length === 0 ? [] : [section(say("added"), ...said.map((each) => say("said", { words: each })))]),
    section(say("next"), say("begin", { task: own[0]?.task ?? "" })),
  ];
  return labelPage(reading, [...parts, ...composeMore(reading, words - countWords(parts.join(" ")), 0)]);
}

export const composeHeadings = ({ say }: Reading, headings: readonly string[], from = 0): readonly string[] =>
  headings.map((heading, n) => section(heading, say(`about-${(from + n) % 4}`, { heading })));

/** Markup and repetition do not count as words, so there is more of it than asked for. */
const slack = 1.25;

/** As many sections as bring so many words; `from` says which come first. */
export function composeMore(reading: Reading, missing: number, from: number): readonly string[] {
  const spare = spareAspects(reading);
  const inTurn = spare.flatMap((_, n) => spare[(from + n) % spare.length] ?? []);
  const parts: string[] = [];
  for (const aspect of inTurn)
    if (countWords(parts.join(" ")) < missing * slack) parts.push(aspectSection(reading, aspect));
  return parts;
}

/** What the tables can say at most, with room for what does not count. */
export function wordsMax(reading: Reading): number {
  const all = aspectsOf[reading.language].map(({ text, points }) => [text, ...points].join(" "));
  return Math.floor(countWords(all.join(" ")) * 0.8);
}

export function composeAnswer(reading: Reading, said: readonly string[]): string {
  const { say, quote } = reading;
  return labelPage(reading, [
    section(shorten(quote, 100), say("answer")),
    ...aspectsFor({ ...reading, family: "research" }).map((aspect) => aspectSection(reading, aspect)),
    ...(said.length === 0 ? [] : [section(say("added"), ...said.map((words) => say("said", { words })))]),
  ]);
}

export type NewTask = { readonly title: string; readonly description: string; readonly priority: number };

/** The lines of a list are the tasks; else one for each aspect, then one for each thing to settle. */
export function composeTasks(reading: Reading, wanted: number | null): readonly NewTask[] {
  const { say, items, isComparison } = reading;
  const own = aspectsFor(reading);
  const lines = isComparison ? [] : items.map((title) => ({ title, description: say("task-item") }));
  const usual = own.map(({ task, points, done }) => ({
    title: task,
    description: say("task-aspect", { points: points.slice(0, 2).join(" "), done }),
  }));
  const more = [...own, ...spareAspects(reading)].flatMap(({ title, points }) =>
    points.map((point) => ({ title: point, description: say("task-point", { title }) })),
  );
  const count = wanted ?? (lines.length > 0 ? lines.length : usual.length);
  return [...lines, ...usual, ...more].slice(0, count).map(({ title, description }, n) => ({
    title,
    description: labelLine(reading, description),
    priority: Math.min(5, 1 + Math.floor(n / 2)),
  }));
}

/** Whether tasks are part of what is delivered. */
export const hasTasks = ({ shape, family, tasksWanted }: Reading): boolean =>
  shape === "tasks" || (shape === "document" && (isPlanned(family) || tasksWanted !== null));

/** What one executor looks into: aspects, or candidates. */
export type Strand = { readonly title: string; readonly note: string; readonly titles: readonly string[] };

export function findStrands(reading: Reading): readonly Strand[] {
  if (!reading.hasStrands) return [];
  const all = reading.isComparison ? reading.items : aspectsFor(reading).map(({ title }) => title);
  const each = Math.ceil(all.length / 3);
  const groups = [0, 1, 2].map((n) => all.slice(n * each, (n + 1) * each)).filter(({ length }) => length > 0);
  return groups.map((group) => toStrand(reading, group));
}

export function toStrand({ say }: Reading, titles: readonly string[]): Strand {
  const names = { titles: titles.join("; ") };
  return { title: shorten(say("strand", names), 200), note: shorten(say("note", names), 200), titles };
}

/** A note about each: of an aspect what has to be settled, of anything else what can be said about a heading. */
export function composeNote(reading: Reading, titles: readonly string[]): readonly string[] {
  const { say } = reading;
  return titles.flatMap((title, n) => {
    const aspect = aspectsOf[reading.language].find((each) => each.title === title);
    if (aspect === undefined) return composeHeadings(reading, [title], n);
    const done = say("task-aspect", { points: `${aspect.task}.`, done: aspect.done });
    return [section(title, bullets(aspect.points), done)];
  });
}
