// Writes the demo's texts from its tables: the main page, sections that a check or a message asks for, the answer to a question,
// notes and tasks. Sections never repeat each other, because repetition counts for nothing.

import type { Aspect } from "./aspects.ts";
import { labels } from "./demo-label.ts";
import { countWords, fill, listed, shorten } from "./phrase.ts";
import { families, isPlanned, type Reading } from "./read-objective.ts";
import { type Words, words } from "./words.ts";

export const wordsFor = ({ language }: Reading): Words => words[language];
export const aspectsFor = (reading: Reading): readonly Aspect[] => wordsFor(reading).aspects[reading.family];
/** What the other kinds of work have to say, for pages that have to be longer. */
const spareAspects = (reading: Reading): readonly Aspect[] =>
  families.filter((family) => family !== reading.family).flatMap((family) => wordsFor(reading).aspects[family]);

export const labelPage = ({ language }: Reading, text: string): string => `${text}\n\n${labels[language].page}`;
export const labelLine = ({ language }: Reading, text: string): string => `${text} ${labels[language].line}`;

export const documentTitle = (reading: Reading): string =>
  `${wordsFor(reading).titles[reading.family]}: ${reading.name}`;

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
export const section = (heading: string, ...parts: readonly string[]): string =>
  [`## ${heading}`, ...parts].join("\n\n");

const aspectSection = (reading: Reading, { title, text, points }: Aspect): string =>
  section(title, fill(text, { topic: reading.topic }), wordsFor(reading).settle, bullets(points));

/** Headings of the page that a check can rely on. */
export const promisedHeadings = (reading: Reading): readonly string[] => {
  const { headings } = wordsFor(reading);
  const parts = reading.isComparison ? reading.items : [];
  return [headings.goal, ...parts, ...aspectsFor(reading).map(({ title }) => title), headings.next].filter(
    (heading) => !heading.includes(","),
  );
};

export type PageWishes = {
  /** Beyond its own, word for word. */
  readonly headings: readonly string[];
  readonly words: number;
  /** What the user said. */
  readonly said: readonly string[];
  /** Where tasks cannot be made, they stand on the page. */
  readonly tasks: readonly NewTask[];
};

export function composePage(reading: Reading, wishes: PageWishes): string {
  const text = wordsFor(reading);
  const { topic } = reading;
  const own = aspectsFor(reading);
  const candidates = reading.isComparison ? reading.items : [];
  const parts = [
    section(text.headings.goal, fill(text.intro, { topic, count: String(own.length) }), `> ${reading.quote}`),
    ...candidates.map((name) => section(name, fill(text.candidate, { name }))),
    ...own.map((aspect) => aspectSection(reading, aspect)),
    ...composeHeadings(reading, wishes.headings),
    ...(wishes.tasks.length === 0
      ? []
      : [
          section(
            text.headings.tasks,
            bullets(wishes.tasks.map(({ title, description }) => `**${title}**: ${description}`)),
          ),
        ]),
    ...(wishes.said.length === 0
      ? []
      : [section(text.headings.added, ...wishes.said.map((said) => saidText(reading, said)))]),
    ...(reading.links.length === 0
      ? []
      : [section(text.headings.links, text.unopened, bullets(reading.links.map((link) => `<${link}>`)))]),
    section(text.headings.next, fill(text.next, { task: own[0]?.task ?? "" })),
  ];
  return labelPage(
    reading,
    [...parts, ...composeMore(reading, wishes.words - countWords(parts.join(" ")), 0)].join("\n\n"),
  );
}

export const composeHeadings = (reading: Reading, headings: readonly string[]): readonly string[] =>
  headings.map((heading, n) => {
    const ways = wordsFor(reading).about;
    return section(heading, fill(ways[n % ways.length] ?? "", { heading, topic: reading.topic }));
  });

export const saidText = (reading: Reading, said: string): string =>
  fill(wordsFor(reading).said, { words: said, topic: reading.topic });

/** Markup and repetition are not counted as words, so there is more of it than asked for. */
const slack = 1.25;

/** As many sections as bring so many words; `from` says which come first. */
export function composeMore(reading: Reading, missing: number, from: number): readonly string[] {
  const spare = spareAspects(reading);
  const parts: string[] = [];
  for (let n = 0; n < spare.length && countWords(parts.join(" ")) < missing * slack; n++) {
    const aspect = spare[(from + n) % spare.length];
    if (aspect) parts.push(aspectSection(reading, aspect));
  }
  return missing > 0 ? parts : [];
}

/** What the tables can say at most, with room for what does not count. */
export const wordsMax = (reading: Reading): number =>
  Math.floor(
    countWords(
      [...aspectsFor(reading), ...spareAspects(reading)]
        .map((each) => `${each.text} ${each.points.join(" ")}`)
        .join(" "),
    ) * 0.8,
  );

export function composeAnswer(reading: Reading, said: readonly string[]): string {
  const text = wordsFor(reading);
  const parts = [
    section(shorten(reading.quote, 100), fill(text.answer, { topic: reading.topic })),
    ...text.aspects.research.map((aspect) => aspectSection(reading, aspect)),
    ...(said.length === 0 ? [] : [section(text.headings.added, ...said.map((each) => saidText(reading, each)))]),
  ];
  return labelPage(reading, parts.join("\n\n"));
}

export type NewTask = { readonly title: string; readonly description: string; readonly priority: number };

const usualTasks = 5;

/** The lines of a list are the tasks; else one for each aspect, then for what has to be settled. */
export function composeTasks(reading: Reading, wanted: number | null): readonly NewTask[] {
  const text = wordsFor(reading);
  const { topic } = reading;
  const fromItems = (reading.isComparison ? [] : reading.items).map((title) => ({
    title,
    description: fill(text.taskItem, { topic }),
  }));
  const fromAspects = aspectsFor(reading).map(({ task, points, done }) => ({
    title: task,
    description: fill(text.taskDone, { points: points.slice(0, 2).join(" "), done }),
  }));
  const fromPoints = [...aspectsFor(reading), ...spareAspects(reading)].flatMap(({ title, points }) =>
    points.map((point) => ({ title: point, description: fill(text.taskPoint, { title, topic }) })),
  );
  const count = wanted ?? (fromItems.length > 0 ? fromItems.length : Math.max(usualTasks, fromAspects.length));
  return [...fromItems, ...fromAspects, ...fromPoints].slice(0, count).map(({ title, description }, n) => ({
    title,
    description: labelLine(reading, description),
    priority: Math.min(5, 1 + Math.floor(n / 2)),
  }));
}

/** Whether tasks are part of what is delivered. */
export const hasTasks = (reading: Reading): boolean =>
  reading.shape === "tasks" ||
  (reading.shape === "document" && (isPlanned(reading.family) || reading.tasksWanted !== null));

/** What one executor looks into: titles of aspects, or candidates. */
export function findStrands(reading: Reading): readonly (readonly string[])[] {
  if (!reading.hasStrands) return [];
  const titles = reading.isComparison ? reading.items : aspectsFor(reading).map(({ title }) => title);
  const each = Math.ceil(titles.length / 3);
  return [0, 1, 2].map((n) => titles.slice(n * each, (n + 1) * each)).filter((strand) => strand.length > 0);
}

export const strandTitle = (reading: Reading, strand: readonly string[]): string =>
  shorten(fill(wordsFor(reading).strand, { titles: listed(strand, wordsFor(reading).and) }), 200);
export const noteTitle = (reading: Reading, strand: readonly string[]): string =>
  shorten(fill(wordsFor(reading).note, { titles: listed(strand, wordsFor(reading).and) }), 200);

/** A note about each of these: of an aspect, what has to be settled; of anything else, what can be said about a heading. */
export function composeNote(reading: Reading, titles: readonly string[]): string {
  const text = wordsFor(reading);
  const known = [...aspectsFor(reading), ...spareAspects(reading)];
  const parts = titles.map((title, n) => {
    const aspect = known.find((each) => each.title === title);
    if (aspect)
      return section(
        title,
        bullets(aspect.points),
        fill(text.taskDone, { points: `${aspect.task}.`, done: aspect.done }),
      );
    const isCandidate = reading.isComparison && reading.items.includes(title);
    return isCandidate
      ? section(title, fill(text.candidate, { name: title }))
      : (composeHeadings(reading, Array(n + 1).fill(title)).at(-1) ?? "");
  });
  return labelPage(reading, parts.join("\n\n"));
}
