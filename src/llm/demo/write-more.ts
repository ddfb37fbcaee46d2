// More about the same sides, for a check that asks for more words than the pages have: each round looks at them differently.

import { facetsOf } from "./choose-facets.ts";
import type { Facet } from "./facets/facet.ts";
import { countWords, fill, listed } from "./phrase.ts";
import type { Reading } from "./read-objective.ts";

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
const bare = (text: string): string => text.replace(/[.]$/, "");

type Lens = { readonly heading: string; readonly say: (facet: Facet) => string };

const lenses: readonly Lens[] = [
  {
    heading: "Decisions to take",
    say: ({ title, options, questions }) => {
      const choices = listed(options.map(([name]) => `“${lowerFirst(name)}”`));
      const reasons = options.map(([name, weighed]) => `For the way called “${lowerFirst(name)}”: ${weighed}.`);
      return options.length === 0
        ? `**${title}.** One question decides here: ${questions[0] ?? "what has to be true at the end?"} Until it is answered, the other points can wait.`
        : `**${title}.** The choice is between ${choices}. ${reasons.join(" ")} Whoever is responsible for {topic} should choose one, note the reason in a line, and look at it again after the first month.`;
    },
  },
  {
    heading: "The first two weeks",
    say: ({ title, steps, checklist }) =>
      `**${title}.** In the first week: ${listed(steps.slice(0, 2).map((step) => lowerFirst(bare(step))))}. In the second: ${lowerFirst(bare(steps[2] ?? "look at what the first week has shown"))}. This part of {topic} can be left alone as soon as ${lowerFirst(bare(checklist[0] ?? "somebody has looked at it"))}.`,
  },
  {
    heading: "Signs to watch",
    say: ({ title, risks }) =>
      `**${title}.** ${risks.map(([risk, help]) => `Watch for this: ${lowerFirst(risk)}. It is met best before it happens: ${help}.`).join(" ")} Whoever works on {topic} should be able to say in a minute how this stands.`,
  },
  {
    heading: "Questions for a conversation",
    say: ({ title, questions }) =>
      `**${title}.** Put these to someone who knows more about {topic}, and write the answers beside them: ${questions.join(" ")} An answer that begins with “it depends” is worth a second question: on what?`,
  },
];

export type More = { readonly text: string; readonly words: number };

/** At least so many words, where there is that much to say; `round` decides where it begins. */
export function moreAbout(reading: Reading, words: number, round: number): More {
  const parts: string[] = [];
  for (let n = 0; n < lenses.length; n++) {
    const { heading, say } = lenses[(round + n) % lenses.length] ?? lenses[0] ?? { heading: "", say: () => "" };
    const said = facetsOf(reading).map((facet) => fill(say(facet), { topic: reading.topic }));
    parts.push(`## ${heading}\n\n${said.join("\n\n")}`);
    if (countWords(parts.join("\n\n")) >= words) break;
  }
  const text = parts.join("\n\n");
  return { text, words: countWords(text) };
}
