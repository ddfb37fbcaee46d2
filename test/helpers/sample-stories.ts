// What the sample runs are about, told round by round: the plan, what is looked up and written down, and what comes of it.

import type { SampleState } from "./sample-lab.ts";
import { coloursQuestion, hallPage, millPage, missingPage, workshopsPage } from "./sample-texts.ts";

export type Note = { readonly title: string; readonly text: string };

export type Round = {
  /** Which step of the plan is at work; those before it are done. */
  readonly step: number;
  readonly summary: string;
  readonly remaining: readonly string[];
  /** Each is looked up by an executor. */
  readonly notes?: readonly Note[];
  readonly tasks?: readonly string[];
  readonly page?: { readonly title: string; readonly content: string };
  readonly question?: typeof coloursQuestion;
};

export type Story = {
  readonly steps: readonly string[];
  readonly deliverable: string;
  readonly check: { readonly title_like: string; readonly headings: string[]; readonly words_at_least: number };
  readonly rounds: readonly Round[];
  readonly ending: string;
  /** The model never answers in the round after this one. */
  readonly stuckAfter?: number;
};

const hall: Story = {
  steps: ["Collect halls near the tram line", "Compare rent, equipment and dates", "Write the recommendation"],
  deliverable: "A page that recommends a hall",
  check: { title_like: "hall", headings: ["Recommendation", "Comparison"], words_at_least: 90 },
  rounds: [
    {
      step: 0,
      summary: "Found two halls near the tram line that are free on Saturdays.",
      remaining: ["compare rent and equipment", "write the recommendation"],
      notes: [
        {
          title: "River Street Hall",
          text: "Seats forty, 60 € a Saturday. Power for twenty places, kitchen included.",
        },
        { title: "Parish hall", text: "Seats twenty-five, no rent. Free on the first and third Saturday of a month." },
      ],
    },
    {
      step: 1,
      summary: "Compared both halls and looked up what insurance and permits the café needs.",
      remaining: ["write the recommendation"],
      notes: [
        {
          title: "Insurance and permits",
          text: "A repair café needs liability insurance, about 90 € a year, and no permit.",
        },
      ],
      tasks: ["Ask the parish for dates in spring"],
    },
    {
      step: 2,
      summary: "Wrote the page with the comparison and the recommendation.",
      remaining: ["check the page against the objective"],
      page: { title: "A hall for the repair café", content: hallPage },
      tasks: ["Visit the parish hall with the tool group"],
    },
  ],
  ending:
    "The parish hall fits the café best: it costs nothing, has power for twenty places and is free on two Saturdays a month. River Street Hall is the alternative at 60 € a day. Two tasks remain for you: ask the parish for dates, and visit the hall.",
};

const mill: Story = {
  steps: ["Look up the small hall in the mill", "Write the page with its prices"],
  deliverable: "A page about the small hall",
  check: { title_like: "hall", headings: ["Prices"], words_at_least: 40 },
  rounds: [
    {
      step: 0,
      summary: "Looked up the small hall and its prices.",
      remaining: ["write the page"],
      notes: [{ title: "Prices of the mill", text: "The small hall costs 45 € for an evening and 80 € for a day." }],
    },
    {
      step: 1,
      summary: "Wrote the page about the small hall.",
      remaining: ["check the page"],
      page: { title: "The small hall in the mill", content: millPage },
    },
  ],
  ending: "The small hall in the mill seats thirty and costs 80 € a day. The kitchen is included, and cleaning is not.",
};

const workshops: Story = {
  steps: ["List the workshops in each town", "Look up opening hours", "Write the list"],
  deliverable: "A list of workshops with opening hours",
  check: { title_like: "workshops", headings: ["North", "South"], words_at_least: 200 },
  rounds: [
    {
      step: 0,
      summary: "Found eleven workshops in the north of the county.",
      remaining: ["the south of the county", "opening hours"],
      notes: [
        { title: "Workshops in the north", text: "Eleven workshops in four towns, seven of them with a website." },
      ],
    },
    {
      step: 1,
      summary: "Wrote down the workshops of the north with their opening hours.",
      remaining: ["the south of the county"],
      page: { title: "Bicycle workshops in the county", content: workshopsPage },
    },
    {
      step: 1,
      summary: "Two workshops have no website, so their opening hours need a call.",
      remaining: ["the south of the county"],
      tasks: ["Call Spoke & Chain about its opening hours", "Call the workshop at the ferry"],
    },
  ],
  ending:
    "The list has the workshops in the north of the county with their opening hours. Two of them have no website and need a call. The south is still missing.",
};

const colours: Story = {
  steps: ["Choose the colours", "Order samples"],
  deliverable: "A page with the chosen colours",
  check: { title_like: "colours", headings: ["Meeting rooms"], words_at_least: 50 },
  rounds: [
    {
      step: 0,
      summary: "Compared paints that suit the carpet, and needs a choice.",
      remaining: ["order samples"],
      question: coloursQuestion,
    },
  ],
  ending: "",
};

const newsletter: Story = {
  steps: ["Collect news from the four working groups", "Write three articles", "Put the dates into a calendar"],
  deliverable: "The spring newsletter",
  check: { title_like: "newsletter", headings: ["Calendar"], words_at_least: 600 },
  rounds: [{ step: -1, summary: "Planned the newsletter.", remaining: ["everything"] }],
  ending: "",
};

const tidy: Story = {
  steps: ["Compare the tasks with the plan of the move", "Add what is missing"],
  deliverable: "A page that lists what was missing",
  check: { title_like: "missing", headings: ["Added"], words_at_least: 40 },
  rounds: [
    {
      step: 1,
      summary: "Found two gaps in the tasks of the move.",
      remaining: ["add what is missing"],
      page: { title: "What was missing for the move", content: missingPage },
      tasks: ["Hand back the keys of the old office"],
    },
  ],
  ending: "",
};

const coffee: Story = {
  steps: ["Collect machines for forty people", "Compare price and upkeep"],
  deliverable: "A comparison of coffee machines",
  check: { title_like: "coffee", headings: ["Comparison"], words_at_least: 150 },
  rounds: [
    {
      step: 0,
      summary: "Found three machines that serve forty people.",
      remaining: ["compare price and upkeep"],
      notes: [{ title: "Three coffee machines", text: "All three make forty cups an hour; two need a water line." }],
      tasks: ["Ask whether the kitchen has a water line"],
    },
  ],
  ending: "",
  stuckAfter: 1,
};

const towns: Story = {
  steps: ["Read how five towns run their cafés", "Compare them", "Write down what we can learn"],
  deliverable: "A page with what other towns do",
  check: { title_like: "towns", headings: ["What we can learn"], words_at_least: 300 },
  rounds: [
    {
      step: 0,
      summary: "Read about Delft and Ghent: both open every second Saturday.",
      remaining: ["three more towns", "compare them"],
      notes: [
        {
          title: "Delft",
          text: "Twelve volunteers, every second Saturday, in the library. Visitors sign in at a desk.",
        },
        { title: "Ghent", text: "Thirty volunteers in two shifts. Spare parts are paid for by the visitor." },
      ],
    },
    {
      step: 0,
      summary: "Read about Aarhus and Graz, which lend tools as well.",
      remaining: ["one more town", "compare them"],
      notes: [
        { title: "Aarhus", text: "Part of a tool library; repairs are booked online, a week ahead." },
        { title: "Graz", text: "Run by the town, with one paid coordinator and a budget for tools." },
      ],
      tasks: ["Ask Graz what its coordinator costs"],
    },
    {
      step: 1,
      summary: "Compared the five towns by opening days, volunteers and money.",
      remaining: ["write the page"],
      notes: [{ title: "Comparison of five towns", text: "Four of five book repairs ahead; all ask for donations." }],
      tasks: ["Ask Delft for its sign-in sheet"],
    },
    {
      step: 2,
      summary: "",
      remaining: [],
      notes: [{ title: "What visitors say", text: "Waiting is what visitors like least; booking ahead helps." }],
    },
  ],
  ending: "",
  stuckAfter: 4,
};

const handbook: Story = {
  steps: ["Collect what new volunteers ask", "Write the chapters", "Add the checklists"],
  deliverable: "The handbook",
  check: { title_like: "handbook", headings: ["First day"], words_at_least: 500 },
  rounds: [
    {
      step: 0,
      summary: "Collected the questions that new volunteers ask most.",
      remaining: ["write the chapters"],
      notes: [
        { title: "Questions of new volunteers", text: "Where are the tools, who decides, what is too dangerous." },
      ],
    },
    {
      step: 1,
      summary: "Outlined five chapters.",
      remaining: ["write the chapters", "add the checklists"],
      notes: [{ title: "Outline", text: "First day, tools, safety, talking with visitors, closing." }],
    },
    {
      step: 1,
      summary: "Drafted the chapters about tools and safety.",
      remaining: ["three chapters", "the checklists"],
      notes: [
        { title: "Draft: tools and safety", text: "Every tool has a place and a card that says who may use it." },
      ],
      tasks: ["Have the safety chapter read by an electrician"],
    },
    {
      step: 1,
      summary: "",
      remaining: [],
      notes: [{ title: "Draft: talking with visitors", text: "Say what will happen before you open a device." }],
    },
  ],
  ending: "",
  stuckAfter: 4,
};

/** The others never answer. */
export const stories: Readonly<Partial<Record<SampleState, Story>>> = {
  completed: hall,
  undone: mill,
  stopped: workshops,
  question: colours,
  plan: newsletter,
  writes: tidy,
  canceled: coffee,
  running: towns,
  runningToo: handbook,
};
