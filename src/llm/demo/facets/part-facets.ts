// The side of an objective that it names itself, as a line of a list or one of several things to compare; and what is
// particular to its field. Their words come from the objective, the frame from here.

import type { Domain } from "../domains.ts";
import { rotate } from "../phrase.ts";
import type { Facet } from "./facet.ts";

const questions: readonly string[] = [
  "What would a good result for “{part}” look like, in one sentence?",
  "What is already known about “{part}”, and who could tell you more?",
  "What has to be settled before “{part}” can begin?",
  "How much time and money may “{part}” take?",
  "Who would notice first if “{part}” went wrong?",
  "Which of the other parts waits for “{part}”?",
  "What would be lost if “{part}” were left out?",
  "By what would a stranger recognise that “{part}” is finished?",
];

const options: readonly (readonly [string, string])[] = [
  ["Begin with it", "brings certainty early, if the others can wait"],
  ["Do a small version first", "shows what it is worth before much is spent"],
  ["Give it to someone who knows it", "saves time, and needs a clear description"],
  ["Do it together with another part", "spares double work where the same people are involved"],
  ["Leave it for the second round", "keeps the first round small, if nothing depends on it"],
];

const steps: readonly string[] = [
  "Write down what is known about “{part}” and what is only assumed.",
  "Ask one person who has done something like “{part}” before.",
  "Decide on the smallest result that would count.",
  "Name one person and one date for “{part}”.",
  "Look for one example that was done well, and note why.",
];

const risks: readonly (readonly [string, string])[] = [
  ["It turns out larger than it sounds in a list", "cut it in two and do the first half"],
  ["Everyone believes that someone else does it", "one name, said aloud"],
  ["It waits for something nobody has asked for", "send the question today"],
  ["It is finished and does not fit the rest", "show a first version to whoever does the neighbouring part"],
];

const checklist: readonly string[] = [
  "It has one owner and one date",
  "What it depends on is written down",
  "“Finished” is described so that it can be seen",
  "Somebody other than the owner has looked at it",
];

const leads: readonly (readonly [string, string])[] = [
  [
    "Your objective names “{part}” by itself, so for {topic} it gets a section of its own.",
    "“{part}” is one of the things you listed; it decides part of {topic}.",
  ],
  [
    "Among the points you listed for {topic}, “{part}” deserves its own look.",
    "What you wrote about {topic} mentions “{part}”, and a few things about it can be settled now.",
  ],
];

export function partFacet(part: string, n: number): Facet {
  const named = (text: string) => text.replaceAll("{part}", part);
  const [first, second] = leads[n % leads.length] ?? ["", ""];
  return {
    title: `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`,
    leads: [named(first), named(second)],
    questions: rotate(questions, n * 3, 4).map(named),
    options: rotate(options, n * 2, 3),
    steps: rotate(steps, n * 2, 3).map(named),
    risks: rotate(risks, n, 2),
    checklist: rotate(checklist, n, 3),
    task: {
      title: `Settle ${part.slice(0, 60)}`,
      description: named(
        "Say what a good result for “{part}” is, name an owner and a date, and do the first step. Done when someone else can see where it stands.",
      ),
      priority: n < 2 ? 2 : 3,
    },
  };
}

const weighing: readonly (readonly [string, string])[] = [
  [
    "“{part}” is one of the candidates you named; what speaks for it and against it belongs beside the others, in the same order.",
    "Before “{part}” is compared with the rest, it is looked at by itself: what it promises, and what it asks in return.",
  ],
  [
    "What is said about “{part}” comes from people who chose it and from people who left it; both are worth asking.",
    "“{part}” deserves the same questions as its rivals, asked by someone who is not in love with it.",
  ],
];

const weighed: readonly string[] = [
  "What is {part} best at, in the words of someone who uses it every day?",
  "Where does {part} fall short, and does that matter here?",
  "What does {part} cost over three years, with learning and upkeep?",
  "Who in a situation like yours has chosen {part}, and would do so again?",
  "How do you get away from {part} again, if it was the wrong choice?",
  "What does {part} need that is not there yet?",
];

const tried: readonly string[] = [
  "Write down one thing that only {part} can do, and one that it cannot.",
  "Ask somebody who has left {part} for their reason.",
  "Try {part} for an hour on a small case of your own.",
  "Find the price of {part} for your size, not the one in the advertisement.",
];

/** One of several things to choose between: it is weighed, not done. */
export function candidateFacet(part: string, n: number): Facet {
  const named = (text: string) => text.replaceAll("{part}", part);
  const [first, second] = weighing[n % weighing.length] ?? ["", ""];
  const checks = [
    "{part} was tried on a case of your own",
    "The price of {part} is known over three years",
    "Someone who uses {part} was asked",
  ];
  return {
    title: part,
    leads: [named(first), named(second)],
    questions: rotate(weighed, n * 2, 4).map(named),
    options: [
      [named("Choose {part}"), "if it fulfils every must and wins on the criterion that counts most"],
      [named("Keep {part} as the fallback"), "if another one wins narrowly and the way back is cheap"],
      [named("Strike {part} from the list"), "as soon as it misses a single must"],
    ],
    steps: rotate(tried, n, 3).map(named),
    risks: rotate<readonly [string, string]>(
      [
        ["The first impression decides", named("try the dull, everyday part of {part} as well")],
        ["A missing feature shows only in use", "list your five most frequent actions and do each once"],
        [named("The choice of {part} binds you longer than planned"), "find out how to leave before you arrive"],
      ],
      n,
      2,
    ),
    checklist: rotate(checks, n).map(named),
    task: {
      title: named("Try {part} on a small case of your own"),
      description: named(
        "Spend an hour with {part} on something real, and note one thing it does best and one that is missing. Done when both stand in the comparison.",
      ),
      priority: 2,
    },
  };
}

const particularTitle = "Special points";

/** One section for all fields that were found: what no general list would have. */
export function particularFacet(domains: readonly Domain[]): Facet | null {
  const [first] = domains;
  if (!first) return null;
  const fields = domains.map(({ about }) => about).join(", ");
  return {
    title: particularTitle,
    leads: [
      `Part of what belongs to {topic} has customs of its own (${fields}); the points below come from there.`,
      `{topic} shares a few questions with everything that has to do with ${domains.map(({ about }) => about).join(" or ")}.`,
    ],
    questions: domains.map(({ question }) => question),
    options: [],
    steps: domains.map(({ task }) => `${task.title}.`),
    risks: domains.map(({ risk }) => risk),
    checklist: domains.map(({ check }) => check),
    task: first.task,
  };
}
