// The pages the planner writes itself: the brief at the beginning, the overview at the end, the list of tasks where none can
// be made, and what is added when a check asks for more.

import { facetsOf, tasksOf } from "./choose-facets.ts";
import { labelled } from "./demo-label.ts";
import type { FacetTask } from "./facets/facet.ts";
import { capital, count, fill, listed, pick } from "./phrase.ts";
import type { Reading } from "./read-objective.ts";
import type { Family } from "./read-verbs.ts";

export const briefTitle = ({ name }: Reading): string => `Brief: ${name}`;
export const overviewTitle = ({ name }: Reading): string => `Overview: ${name}`;
export const taskListTitle = ({ name }: Reading): string => `Task list: ${name}`;

export const overviewHeadings = [
  "Goal",
  "What was looked into",
  "Order of work",
  "Tasks",
  "Risks and open questions",
  "Next step",
] as const;

const kindOfWork: Readonly<Record<Family, string>> = {
  event: "an event to prepare",
  project: "an undertaking to plan",
  build: "something to build",
  research: "a question to answer",
  write: "a text to write",
  learn: "a subject to learn",
  fix: "a problem to solve",
};

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
const lower = (title: string): string => `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`;

export function briefPage(reading: Reading, promises: readonly string[]): string {
  const { topic, family, quote, isCut } = reading;
  return labelled(
    [
      "## What was asked",
      `> ${quote}`,
      ...(isCut ? ["The objective is longer than this; its beginning and its lists were read."] : []),
      "## How it was read",
      [`It was read as ${kindOfWork[family]}: ${topic}.`, ...known(reading)].join(" "),
      "## What will be looked into",
      bullets(facetsOf(reading).map((facet) => `**${facet.title}**: ${fill(facet.questions[0] ?? "", { topic })}`)),
      "## What done means",
      bullets(promises.map((promise) => `${capital(promise)}.`)),
      "## Not known yet",
      bullets(openPoints(reading)),
    ].join("\n\n"),
  );
}

function known({ audience, place, time, parts, isChoice }: Reading): readonly string[] {
  return [
    ...(audience === null ? [] : [`It is meant for ${audience}.`]),
    ...(place === null ? [] : [`The place is ${place}.`]),
    ...(time === null ? [] : [`The time that is named is “${time}”.`]),
    ...(parts.length === 0
      ? []
      : [`It names ${count(parts.length, isChoice ? "candidate" : "part")}: ${listed(parts)}.`]),
  ];
}

/** What the objective asks or leaves open, and what a model of rules cannot do about it. */
function openPoints(reading: Reading): readonly string[] {
  const { audience, time, place, family, questions, links, hasCode, isEnglish } = reading;
  const isPlanned = family === "event" || family === "project" || family === "build";
  return [
    ...questions.map((question) => `You asked: ${question}`),
    ...(time === null ? ["When does it have to be finished?"] : []),
    ...(audience === null ? ["Whom is it for?"] : []),
    ...(place === null && family === "event" ? ["Where should it take place?"] : []),
    ...(isPlanned ? ["How much may it cost, in money and in hours a week?"] : []),
    ...(links.length === 0
      ? []
      : [`The demo model opens no links; still to be read: ${listed(links.map((link) => `<${link}>`))}`]),
    ...(hasCode ? ["The objective contains code, which the demo model has neither read nor run."] : []),
    ...(isEnglish ? [] : ["The demo model writes English only; a real model answers in your language."]),
  ];
}

export type Overview = {
  readonly hasTasks: boolean;
  /** Titles of the pages with the research. */
  readonly notes: readonly string[];
  /** What the user said meanwhile. */
  readonly said: readonly string[];
};

export function overviewPage(reading: Reading, { hasTasks, notes, said }: Overview): string {
  const { short, quote, seed } = reading;
  const tasks = tasksOf(reading);
  const where = hasTasks ? "in the project" : `on the page “${taskListTitle(reading)}”`;
  return labelled(
    [
      "## Goal",
      `> ${quote}`,
      [goalSentence(reading), ...known(reading)].join(" "),
      "## What was looked into",
      lookedInto(reading, notes),
      bullets(facetsOf(reading).map((facet) => facetLine(facet.title, facet.checklist, seed))),
      "## Order of work",
      orderOfWork(tasks),
      "## Tasks",
      `${capital(count(tasks.length, "task"))} ${tasks.length === 1 ? "is" : "are"} ${where}, the most urgent first:`,
      tasks.map(({ title, priority }, n) => `${n + 1}. ${title} (priority ${priority})`).join("\n"),
      "## Risks and open questions",
      bullets(risksOf(reading)),
      "Still open, and better answered by you than guessed:",
      bullets(openPoints(reading).slice(0, 7)),
      ...(said.length === 0 ? [] : ["## What you added", bullets(said)]),
      "## Next step",
      nextStep(tasks, short, seed),
    ].join("\n\n"),
  );
}

function goalSentence(reading: Reading): string {
  const { topic, seed } = reading;
  const ways: readonly [string, string, string] = [
    `This page pulls together what the run has prepared for ${topic}.`,
    `Here is in short what has been prepared for ${topic}, and where to begin.`,
    `What follows is a working basis for ${topic}: enough to start, and easy to change.`,
  ];
  const rests = `It rests on ${count(facetsOf(reading).length, "aspect")} and ends in ${count(tasksOf(reading).length, "task")}.`;
  return `${pick(ways, seed >>> 5)} ${rests}`;
}

function lookedInto(reading: Reading, notes: readonly string[]): string {
  const sides = count(facetsOf(reading).length, "aspect");
  if (notes.length === 0) return `${capital(sides)} of it were looked into; the pages are in the run's workspace.`;
  const pages = listed(notes.map((title) => `“${title}”`));
  return `${capital(sides)} of it were looked into. The details are on the pages ${pages} in the run's workspace.`;
}

const facetLine = (title: string, checklist: readonly string[], seed: number): string =>
  `**${title}**: ready when ${lower(pick([checklist[0] ?? "", ...checklist.slice(1)], seed >>> 2)).replace(/[.]$/, "")}.`;

function orderOfWork(tasks: readonly FacetTask[]): string {
  const titles = tasks.map(({ title }) => lower(title));
  const third = Math.max(1, Math.ceil(titles.length / 3));
  const stages = [
    ["First", titles.slice(0, third), "Everything else waits for this"],
    ["Then", titles.slice(third, 2 * third), "These can go on side by side where there are hands enough"],
    ["Last", titles.slice(2 * third), "Easier once the rest is settled"],
  ] as const;
  return stages
    .filter(([, stage]) => stage.length > 0)
    .map(([name, stage, why], n) => `${n + 1}. **${name}**: ${stage.join("; ")}. ${why}.`)
    .join("\n");
}

function risksOf(reading: Reading): readonly string[] {
  const risks = facetsOf(reading).flatMap(({ risks: [first] }) => (first ? [first] : []));
  return risks.slice(0, 4).map(([risk, help]) => `${risk}. What helps: ${help}.`);
}

function nextStep(tasks: readonly FacetTask[], topic: string, seed: number): string {
  const [first] = tasks;
  const begin = first ? `“${first.title}”` : "the first task";
  const ways: readonly [string, string] = [
    `Begin with ${begin}, and put a date on it today. When it is done, read this page again and strike what no longer fits ${topic}.`,
    `Open the task ${begin} and do its first half-hour now. Then answer the open questions above: each answer makes the plan for ${topic} shorter.`,
  ];
  return pick(ways, seed >>> 7);
}

/** In place of tasks, where the run may make none. */
export function taskListPage(reading: Reading): string {
  const tasks = tasksOf(reading);
  const topic = reading.topic;
  return labelled(
    [
      "## Tasks",
      `This run may not make tasks, so they stand here, for ${topic}.`,
      ...tasks.map(
        (task) => `### ${task.title}\n\n${fill(task.description, { topic: reading.short })} Priority ${task.priority}.`,
      ),
    ].join("\n\n"),
  );
}
