// The sides of something that is made: a program, a site, a piece of furniture, a tool.

import type { Facet } from "./facet.ts";

export const buildFacets: readonly Facet[] = [
  {
    title: "Who it is for",
    leads: [
      "{topic} is good when someone in particular can do something they could not do before.",
      "Three conversations with people who would use it decide more about {topic} than three weeks of making it.",
    ],
    questions: [
      "Who would use it first, and what do they do today instead?",
      "Which single moment should become easier?",
      "What would make them go back to the old way?",
      "Who would be annoyed by it?",
    ],
    options: [
      ["Make it for yourself first", "you notice at once what is wrong, and may miss what others need"],
      ["Make it for one known person", "clear answers, and a first user who waits for it"],
      ["Make it for a group", "worth more, if the group agrees on what it needs"],
    ],
    steps: [
      "Name three people and ask each how they do it today.",
      "Write down the moment that annoys them most, in their words.",
      "Decide whose problem comes first.",
    ],
    risks: [
      ["It solves a problem nobody has", "show a sketch before making anything"],
      ["It tries to suit everyone", "name the one person it must suit"],
    ],
    checklist: ["Three people were asked", "One moment is chosen", "It is written down who it is not for"],
    task: {
      title: "Ask three future users how they manage today",
      description:
        "Talk to three people who would use {topic} and note the moment that annoys them most, in their words. Done when one of these moments is chosen as the first to improve.",
      priority: 1,
    },
  },
  {
    title: "The first version",
    leads: [
      "The first version of {topic} should be small enough to be embarrassing and useful enough to be kept.",
      "Whatever {topic} becomes later, its first version does one thing from beginning to end.",
    ],
    questions: [
      "What is the one thing it has to do from beginning to end?",
      "What can be done by hand for now?",
      "Which part are you least sure about?",
      "How will you know that the first version is finished?",
    ],
    options: [
      ["A sketch on paper", "an hour's work that answers most questions about use"],
      ["A rough model that works once", "shows the hard part early, and is thrown away afterwards"],
      ["A thin version that stays", "slower to begin with, but nothing is wasted"],
    ],
    steps: [
      "Write the shortest story of someone using it, in five sentences.",
      "Cross out every part that the story does not need.",
      "Begin with the part you are least sure about.",
    ],
    risks: [
      ["The first version never ends", "fix its date and let go of parts, not of the date"],
      ["The hard part comes last", "do it first, and badly"],
    ],
    checklist: ["The story fits into five sentences", "The uncertain part has been tried", "There is a date"],
    task: {
      title: "Write the five-sentence story of the first version",
      description:
        "Describe one person using {topic} from beginning to end and cross out everything the story does not need. Done when what is left fits on one page with a date.",
      priority: 1,
    },
  },
  {
    title: "Design",
    leads: [
      "Good design of {topic} begins with what people already know and changes as little of it as possible.",
      "A few decisions about {topic} are hard to change later; they deserve an hour now, the rest can wait.",
    ],
    questions: [
      "Which decisions are expensive to reverse?",
      "What has somebody else already solved well?",
      "What are the parts, and what passes between them?",
      "Where must it be sturdy, and where may it be rough?",
    ],
    options: [
      ["Follow a proven example", "safe and quick, with little of your own"],
      ["Combine finished parts", "fast start, and a dependence on their makers"],
      ["Make it from scratch", "fits exactly, and all the upkeep is yours"],
    ],
    steps: [
      "Look closely at three existing solutions and note one thing to copy from each.",
      "Draw the parts and the arrows between them on one page.",
      "Mark what is hard to reverse and ask someone experienced about it.",
    ],
    risks: [
      ["Too much is designed that is never made", "stop at one page until the first version works"],
      ["A finished part is discontinued", "know the alternative and the cost of changing"],
    ],
    checklist: ["There is one drawing", "Three examples were looked at", "The lasting decisions have a reason"],
    task: {
      title: "Draw the parts on one page and have it questioned",
      description:
        "Sketch the parts of {topic} and what passes between them, mark what is hard to reverse and show it to someone experienced. Done when their questions are answered on the page.",
      priority: 2,
    },
  },
  {
    title: "Making it",
    leads: [
      "{topic} grows best in pieces that can each be tried out on the day they are made.",
      "A rhythm of make, try, adjust keeps {topic} moving even when time is short.",
    ],
    questions: [
      "Which materials, tools or services are needed, and which take time to get?",
      "In which order do the pieces become usable?",
      "Who helps with what you cannot do?",
      "Where are the pieces kept, and how do you get back to yesterday's state?",
    ],
    options: [
      ["Evenings and weekends", "costs nothing but patience"],
      ["A block of full days", "gets the hard part done without losing the thread"],
      ["Hand parts of it to others", "faster, and only as good as the description"],
    ],
    steps: [
      "Order first what takes longest to arrive.",
      "Cut the work into pieces of half a day at most.",
      "Try every piece before beginning the next.",
    ],
    risks: [
      ["A missing part holds everything up", "keep two pieces of work that do not need it"],
      ["The work is lost", "keep a copy somewhere else from the first day"],
    ],
    checklist: ["Everything with a delivery time is ordered", "Each piece was tried", "There is a copy elsewhere"],
    task: {
      title: "Cut the work into half-day pieces",
      description:
        "List the pieces of {topic} in the order in which they become usable, and order what takes time to arrive. Done when the first piece can be started tomorrow.",
      priority: 2,
    },
  },
  {
    title: "Trying it out",
    leads: [
      "The most useful hour for {topic} is the one in which somebody else uses it and you say nothing.",
      "{topic} is tested where it will be used, by people who did not make it.",
    ],
    questions: [
      "What has to work every time, and what may fail now and then?",
      "Who tries it without any explanation?",
      "Which unusual cases are likely, and which would do harm?",
      "How are problems written down so that they can be repeated?",
    ],
    options: [
      ["Watch three people", "finds most problems of use in an afternoon"],
      ["Use it yourself for a week", "finds what tires, not what confuses"],
      ["Test the hard cases on purpose", "finds what would do harm, if you think of them"],
    ],
    steps: [
      "Write five tasks for a tester, without hints.",
      "Watch in silence and note where they hesitate.",
      "Mend the three worst places and repeat with someone new.",
    ],
    risks: [
      ["Friends are too polite", "ask what they would change, not whether they like it"],
      ["The harmful case shows up in use", "list what must never happen and try to make it happen"],
    ],
    checklist: [
      "Three people have tried it",
      "The worst three problems are mended",
      "What must never happen was tried",
    ],
    task: {
      title: "Watch three people use it without help",
      description:
        "Give three people five small tasks with {topic}, watch in silence and note where they hesitate. Done when the three worst places are mended.",
      priority: 3,
    },
  },
  {
    title: "Release and upkeep",
    leads: [
      "{topic} is not finished when it works, but when somebody looks after it.",
      "Who answers when {topic} breaks on a Sunday? The answer shapes how it is released.",
    ],
    questions: [
      "Who gets it first, and how do they tell you what is wrong?",
      "What has to be renewed, cleaned, updated or paid for, and when?",
      "How can it be switched off or taken back?",
      "What must be written down so that someone else could look after it?",
    ],
    options: [
      ["A small circle first", "mistakes stay small and helpers are patient"],
      ["Everyone at once", "one announcement, and no second first impression"],
      ["Side by side with the old way", "safe, and twice the work for a while"],
    ],
    steps: [
      "Choose the first five users and the day.",
      "Write one page: how to use it, what to do when it fails, whom to ask.",
      "Put upkeep into the calendar.",
    ],
    risks: [
      ["It breaks and nobody notices", "decide what is looked at every week"],
      ["Only you know how it works", "let someone else repair it once, with your page only"],
    ],
    checklist: ["There is one page of instructions", "Upkeep has a date and a person", "The way back is known"],
    task: {
      title: "Release to five people and write the one-page guide",
      description:
        "Give {topic} to the first five users with a page that says how to use it and whom to ask. Done when someone else has solved a problem with that page alone.",
      priority: 3,
    },
  },
];
