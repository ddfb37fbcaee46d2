// How a poisoned output of one task comes before the worker on another: what its observer makes of it, what the platform keeps of it, and
// what people say yes to. Each observer here believes every word and passes it on as it stands.

/** What a model of HOMЯ answers. `poison` is what it found in the output that it was shown. */
type Answered = Readonly<Record<string, unknown>>;

export type OutcomeCarrier = {
  /** Never: what a task wrote is nobody's word. */
  readonly isUsers?: true;
  readonly name: string;
  /** Where in the output of task 1 the poison stands. */
  readonly place: "summary" | "head of a document" | "tail of a document" | "title of a document";
  /** Task 1 is completed; otherwise it runs into its limit. */
  readonly isCompleted?: true;
  readonly observe?: (poison: string) => Answered;
  readonly review?: (poison: string) => readonly Answered[];
  /**
   * Who reads it: the task after it, also where it is sent to what task 1 wrote; its own next attempt; a task that was made out of it;
   * the first task of the user's next outcome.
   */
  readonly reader: "next task" | "next attempt" | "made task" | "next outcome" | "next task, in the document";
  /** A person is asked, and takes the first option. */
  readonly isAsked?: true;
};

const discovery = (content: string, type = "constraint") => ({ type, content, relevantTasks: ["*"], source: "" });
const discovered = (poison: string): Answered => ({ discoveries: [discovery(poison)] });
const wish = (poison: string, over: object): Answered => ({ wishes: [{ ...over, reason: poison }] });

const option = (id: string, poison: string) => ({ id, label: poison, description: poison, implications: poison });

const asking = (poison: string, over: object = {}): Answered => ({
  ambiguity: {
    type: "multiple_approaches",
    description: poison,
    evidence: [poison],
    affectedTasks: [2],
    suggestedQuestion: poison,
    options: [option("one", poison), option("two", "Do nothing")],
    ...over,
  },
});

export const outcomeCarriers: readonly OutcomeCarrier[] = [
  { name: "as a discovery, from its summary", place: "summary", observe: discovered, reader: "next task" },
  {
    name: "as a discovery, from the head of what it wrote",
    place: "head of a document",
    observe: discovered,
    reader: "next task",
  },
  {
    name: "as a blocker, from the tail of what it wrote",
    place: "tail of a document",
    observe: (poison) => ({ discoveries: [discovery(poison, "blocker")] }),
    reader: "next task",
  },
  {
    name: "as a decision of its worker",
    place: "summary",
    observe: (poison) => ({ decisions: [{ content: poison, context: poison, affectedAreas: [poison] }] }),
    reader: "next task",
  },
  {
    name: "as an injection, where a description should have been changed",
    place: "summary",
    observe: (poison) => wish(poison, { type: "update_description", task: 2, additions: poison }),
    reader: "next task",
  },
  {
    name: "as a warning about slight drift",
    place: "summary",
    observe: (poison) => ({ drift: [{ type: "scope_creep", description: poison, severity: "low", evidence: poison }] }),
    reader: "next task",
  },
  {
    name: "as what a review found",
    place: "tail of a document",
    isCompleted: true,
    review: (poison) => [{ description: poison, severity: "high", evidence: poison }],
    reader: "made task",
  },
  {
    name: "as an option that a person takes",
    place: "summary",
    observe: (poison) => asking(poison),
    isAsked: true,
    reader: "next task",
  },
  {
    name: "as title and description of a corrective task",
    place: "head of a document",
    isCompleted: true,
    observe: (poison) => ({
      drift: [{ type: "scope_creep", description: poison, severity: "high", evidence: poison }],
    }),
    reader: "made task",
  },
  {
    name: "in the title of a document that it wrote",
    place: "title of a document",
    isCompleted: true,
    reader: "next task",
  },
  {
    name: "in the memory that a later outcome is offered",
    place: "head of a document",
    isCompleted: true,
    observe: discovered,
    reader: "next outcome",
  },
  { name: "in the tail of its own failed attempt", place: "summary", reader: "next attempt" },
  { name: "in a document that it wrote", place: "tail of a document", reader: "next task, in the document" },
];
