// One side of an objective as a section of a page: a paragraph, questions, options, first steps, risks, a checklist.

import { facetsOf } from "./choose-facets.ts";
import type { Facet } from "./facets/facet.ts";
import { capital, fill, pick, rotate } from "./phrase.ts";
import type { Reading } from "./read-objective.ts";

export function sectionOf(facet: Facet, reading: Reading, n: number): string {
  const say = (text: string) => fill(text, { topic: n % 3 === 0 ? reading.topic : reading.short });
  const seed = reading.seed + n;
  const blocks = [
    `## ${facet.title}`,
    [say(pick(facet.leads, seed >>> 3)), ...circumstances(facet, reading)].join(" "),
    block(
      "Questions to answer",
      rotate(facet.questions, seed).map((question) => `- ${say(question)}`),
    ),
    block(
      "Options",
      facet.options.map(([name, weighed]) => `- **${say(name)}**: ${weighed}.`),
    ),
    block(
      "First steps",
      facet.steps.map((step, at) => `${at + 1}. ${say(step)}`),
    ),
    block(
      "What can go wrong",
      facet.risks.map(([risk, help]) => `- ${say(risk)}. What helps: ${help}.`),
    ),
    block(
      "Checklist",
      facet.checklist.map((line) => `- [ ] ${say(line)}`),
    ),
  ];
  return blocks.filter((part) => part !== "").join("\n\n");
}

const block = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `### ${heading}\n\n${lines.join("\n")}`;

/** What the objective says about people, place and time, each in the one section it matters to most. */
function circumstances({ title }: Facet, reading: Reading): readonly string[] {
  const { audience, place, time } = reading;
  const titles = facetsOf(reading).map((facet) => facet.title);
  const isHome = (words: RegExp) => (titles.find((each) => words.test(each.toLowerCase())) ?? titles[0]) === title;
  return [
    ...(audience !== null && isHome(/people|reader|who it is|where you want|question/)
      ? [`It is meant for ${audience}, so their view comes first here.`]
      : []),
    ...(place !== null && isHome(/venue|people|goal|question/)
      ? [`The place is named already (${place}), which settles some of it.`]
      : []),
    ...(time !== null && isHome(/dates|timeline|first version|practice|draft|making the change|question/)
      ? [`The objective says “${time}”: counted back from there, the first step belongs to this week.`]
      : []),
  ];
}

/** A message of the user, or a step somebody else wrote, as a section: their words, and what follows from them. */
export function answerSection(text: string, facet: Facet, reading: Reading): string {
  const quoted = `> ${text}`;
  const [, ...rest] = sectionOf(facet, reading, 1).split("\n\n");
  return [`## ${capital(facet.title)}`, quoted, ...rest].join("\n\n");
}
