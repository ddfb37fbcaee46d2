// Four objectives of different shape, the documents they need, and what is written for each, turn by turn. A run and a bare loop are asked
// for the same; how each gets there is in token-policy.ts.

import type { LabToolCall } from "../test/lab/lab-protocol.ts";
import { callTool } from "../test/lab/script.ts";

export type Errand = {
  readonly name: string;
  readonly objective: string;
  /** All of them have to be read. */
  readonly documents: readonly { readonly title: string; readonly content: string }[];
  /** What a run is measured by. */
  readonly check: object;
  /** Each turn's calls; `idOf` gives the id of a document by its title. */
  readonly writing: readonly ((idOf: (title: string) => string) => readonly LabToolCall[])[];
  readonly summary: string;
};

const subjects = ["glazing", "ventilation", "irrigation", "shading", "soil", "lighting", "storage", "paths"];
const words =
  "warm bed glass winter light water pipe wood member price year garden north frost seed plan wall meeting school offer pump tank floor child spring month cost neighbour roof tool path salad evening budget open small quiet early second common heavy bench stone cable autumn visit letter summer board key morning team list door sun barrel rope paint hour table trade shelf cloth hedge apple bee guest song house yard metal clay brick hose lamp shed".split(
    " ",
  );

/** Prose that repeats no four words in a row: the order of the words is drawn from the subject. */
function prose(about: string, sentences: number): string {
  let seed = [...about].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  const draw = () => {
    seed = (seed * 75 + 74) % 65_537;
    return words[seed % words.length] ?? "";
  };
  return Array.from({ length: sentences }, () => `The ${Array.from({ length: 17 }, draw).join(" ")}.`).join(" ");
}

const smallEdit: Errand = {
  name: "small edit",
  objective: "Add the new opening hours (Saturday 9 to 13) to the page about the greenhouse.",
  documents: [
    {
      title: "The greenhouse",
      content: `# The greenhouse\n\n${prose("the house", 12)}\n\n## Opening hours\n\nWednesday 15 to 18\n`,
    },
  ],
  check: { kind: "document_has", title_like: "greenhouse", headings: ["Opening hours"] },
  writing: [
    (idOf) => [
      callTool("edit_document", {
        id: idOf("The greenhouse"),
        edits: [
          {
            under_heading: "Opening hours",
            insert: "Saturday 9 to 13, from the first weekend of the month on, also on holidays.",
          },
        ],
      }),
    ],
  ],
  summary:
    "The page about the greenhouse now says that it is open on Saturdays from 9 to 13, beside the hours that stood there.",
};

const strands = ["Heat pump", "Propane", "District heat"];

const research: Errand = {
  name: "research with three strands",
  objective:
    "Compare the three ways to heat the greenhouse by the notes we have, and write a paper with a recommendation.",
  documents: strands.flatMap((title) => [
    { title: `${title}: offer`, content: `# ${title}, offer\n\n${prose(`the offer for ${title}`, 24)}` },
    { title: `${title}: experience`, content: `# ${title}, experience\n\n${prose(`experience with ${title}`, 24)}` },
  ]),
  check: { kind: "document_has", title_like: "Heating", headings: strands, words_at_least: 250 },
  writing: [
    () => [
      callTool("create_document", {
        title: "Heating the greenhouse",
        content: strands.map((title) => `## ${title}\n\n${prose(`${title} in the paper`, 9)}`).join("\n\n"),
      }),
    ],
    (idOf) => [
      callTool("append_document", {
        id: idOf("Heating the greenhouse"),
        text: `## Recommendation\n\n${prose("the recommendation", 6)}`,
      }),
    ],
  ],
  summary: "The paper compares the three ways and recommends one.",
};

const tasks = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) =>
    callTool("create_task", {
      title: `Point ${from + n + 1}: ${subjects[(from + n) % subjects.length]} in bed ${from + n + 3}`,
      description: `It takes ${from + n + 2} afternoons.`,
      priority: 3,
    }),
  );

const manyWrites: Errand = {
  name: "many small writes",
  objective: "Turn the notes of the meeting into tasks, one for each point.",
  documents: [{ title: "Notes of the meeting", content: `# Notes\n\n${prose("the meeting", 18)}` }],
  check: { kind: "entity_count", entity: "task", at_least: 18 },
  writing: [() => tasks(0, 12), () => tasks(12, 18)],
  summary: "There is a task for each of the 18 points.",
};

const handbook = "Handbook for new members";
const chapters = ["Beginnings", "Building", "Planting", "Harvest", "Winter"];

const longDocument: Errand = {
  name: "long document",
  objective: "Write a handbook for new members in five chapters of about a page each.",
  documents: [{ title: "What members ask", content: `# Questions\n\n${prose("questions of members", 20)}` }],
  check: { kind: "document_has", title_like: "Handbook", headings: chapters, words_at_least: 1_000 },
  writing: [
    () => [
      callTool("create_document", {
        title: handbook,
        content: `## ${chapters[0]}\n\n${prose(`chapter ${chapters[0]}`, 16)}`,
      }),
    ],
    ...chapters.slice(1).map((chapter) => (idOf: (title: string) => string) => [
      callTool("append_document", {
        id: idOf(handbook),
        text: `## ${chapter}\n\n${prose(`chapter ${chapter}`, 16)}`,
      }),
    ]),
  ],
  summary: "The handbook has five chapters.",
};

export const errands: readonly Errand[] = [smallEdit, research, manyWrites, longDocument];

/** For the size of an executor's first call; a bare loop has no such thing. */
export const delegated: Errand = {
  ...research,
  name: "research by executors",
  documents: [],
  writing: [
    () => [
      callTool("delegate", {
        tasks: strands.map((title) => ({
          title: `Read about ${title}`,
          instructions: `Read the offer and the experience with ${title}, and compare cost, effort and risk.`,
          output: "Ten lines with figures",
        })),
      }),
    ],
    () => [
      callTool("create_document", {
        title: "Heating the greenhouse",
        content: strands.map((title) => `## ${title}\n\n${prose(`${title} in the paper`, 9)}`).join("\n\n"),
      }),
    ],
  ],
};
