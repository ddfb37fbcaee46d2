// The sides of an undertaking of any sort: for plans that are no event, and for objectives that fit nothing else.

import type { Facet } from "./facet.ts";

export const projectFacets: readonly Facet[] = [
  {
    title: "Goal and scope",
    leads: [
      "The first thing to settle about {topic} is what will be different when it is done.",
      "Half of the work on {topic} is deciding what does not belong to it.",
    ],
    questions: [
      "What will be true at the end that is not true today?",
      "For whom does it matter, and what would they miss if it never happened?",
      "What is deliberately left out?",
      "Which smaller result would still be worth having?",
    ],
    options: [
      ["A small first version", "something real early on, and a chance to learn before much is spent"],
      ["The whole thing at once", "one effort and one change, but mistakes show late"],
      ["In stages with a decision after each", "keeps the choice to stop, and takes longer overall"],
    ],
    steps: [
      "Write the result in two sentences that a stranger understands.",
      "List five things that are not part of it.",
      "Show both to the person who cares most and change what they stumble over.",
    ],
    risks: [
      ["The goal grows while the work goes on", "every addition names what is dropped for it"],
      ["Everyone means something else by it", "agree on one example of “done”"],
    ],
    checklist: [
      "The result fits into two sentences",
      "What is out of scope is written down",
      "Someone other than you has agreed to it",
    ],
    task: {
      title: "Write the goal in two sentences and five exclusions",
      description:
        "Say what {topic} changes, for whom, and what is left out. Done when the person who cares most has read it and agreed.",
      priority: 1,
    },
  },
  {
    title: "People involved",
    leads: [
      "Some people work on {topic}, some decide about it, and some only have to live with it; all three groups need a thought.",
      "Whoever is forgotten at the start of {topic} turns up in the middle of it.",
    ],
    questions: [
      "Who decides, who does the work, and who has to be asked?",
      "Who could stop it, and what would they need to hear?",
      "Which knowledge is missing, and who has it?",
      "How much time does each person really have?",
    ],
    options: [
      ["Do it alone", "fast and simple, but without a second pair of eyes"],
      ["A pair", "someone to talk to, with little to coordinate"],
      ["A small team with clear parts", "gets further, and needs a fixed time to meet"],
    ],
    steps: [
      "Draw up three short lists: decides, does, is affected.",
      "Talk to one person from each list before the plan is fixed.",
      "Agree how often you speak and where decisions are kept.",
    ],
    risks: [
      ["The one who decides has no time", "agree now who decides in their place"],
      ["Those affected hear of it last", "tell them what is planned before it is settled"],
    ],
    checklist: [
      "There is exactly one person who decides",
      "Everyone who does something has said yes",
      "Those affected know where to ask",
    ],
    task: {
      title: "List who decides, who does and who is affected",
      description:
        "Make the three lists for {topic} and talk to one person from each. Done when every part of the work has a name beside it.",
      priority: 2,
    },
  },
  {
    title: "Timeline",
    leads: [
      "A timeline for {topic} is best built backwards from the day on which it has to be finished.",
      "What delays {topic} is rarely the work; it is the waiting between two pieces of it.",
    ],
    questions: [
      "Is there a day that cannot move, and what hangs on it?",
      "Which parts wait for somebody else, and how long do they usually take?",
      "What could happen at the same time?",
      "Where is the first point at which you would notice being late?",
    ],
    options: [
      ["Backwards from a fixed day", "honest about what still fits, at the price of cutting early"],
      ["Forwards in short stretches", "flexible, but the end stays vague"],
      ["Three milestones and nothing finer", "easy to keep in mind, enough for a small undertaking"],
    ],
    steps: [
      "Mark the end, the half-way point and the first visible result.",
      "Put everything that needs someone else's answer at the front.",
      "Leave one week in five free.",
    ],
    risks: [
      ["A waiting time nobody counted", "ask each outside party for a date in writing"],
      ["The last stretch takes twice as long", "plan to be finished at four fifths of the time"],
    ],
    checklist: [
      "Every milestone has a date and an owner",
      "Outside deadlines are in the calendar",
      "There is slack before the end",
    ],
    task: {
      title: "Set three milestones, counted back from the end",
      description:
        "Give {topic} a first visible result, a half-way point and an end, each with a date. Done when everyone involved has them in the calendar.",
      priority: 2,
    },
  },
  {
    title: "Money and means",
    leads: [
      "The work on {topic} costs money, time and attention, and the last two run out first.",
      "A rough number for {topic} today is worth more than an exact one in a month.",
    ],
    questions: [
      "What does it cost once, and what does it cost every month afterwards?",
      "What is already there and can be used?",
      "Who pays, and who has to approve it?",
      "At which sum would you stop?",
    ],
    options: [
      ["Use what is there", "cheap and quick, with compromises"],
      ["Buy or hire", "saves time, needs approval"],
      ["Share with others", "halves the cost and adds arrangements"],
    ],
    steps: [
      "Estimate each part three times: cheap, likely, expensive.",
      "Mark the two lines that decide the sum and get real offers for them.",
      "Set the sum at which you think again.",
    ],
    risks: [
      ["Running costs are forgotten", "write down the first year, not only the start"],
      ["Everything hangs on one source", "know what you would do with half"],
    ],
    checklist: [
      "There is a cheap, a likely and an expensive estimate",
      "The two largest lines rest on offers",
      "It is clear who approves what",
    ],
    task: {
      title: "Estimate cost and effort in three versions",
      description:
        "Make a cheap, a likely and an expensive estimate of {topic}, with real offers for the two largest lines. Done when whoever pays has seen it.",
      priority: 3,
    },
  },
  {
    title: "Risks",
    leads: [
      "Imagine that {topic} has failed a year from now: the reasons that come to mind first are the risks to work on.",
      "Three risks of {topic} that someone watches are worth more than thirty in a table.",
    ],
    questions: [
      "What would make the whole thing pointless?",
      "What do you take for granted that nobody has checked?",
      "Which problem would be noticed too late?",
      "What can be tried out cheaply before much depends on it?",
    ],
    options: [
      ["Avoid it", "change the plan so that it cannot happen"],
      ["Make it smaller", "try early, test small, keep a way back"],
      ["Accept it", "fine, if somebody has said so aloud"],
    ],
    steps: [
      "Tell the story of the failure in ten lines and underline the causes.",
      "Choose the three that are likely and would hurt.",
      "For each, note the first sign and who looks out for it.",
    ],
    risks: [
      ["The list is written once and never read again", "look at it at every milestone"],
      ["The largest assumption stays unchecked", "test it first, even clumsily"],
    ],
    checklist: [
      "The three main risks have an owner",
      "Each has a first sign that can be seen",
      "The largest assumption has been tested",
    ],
    task: {
      title: "Name the three main risks and their first signs",
      description:
        "Write how {topic} could fail, choose the three risks that matter and give each an owner and a first sign. Done when the largest assumption has been tested once.",
      priority: 3,
    },
  },
  {
    title: "Telling people and measuring",
    leads: [
      "Those who wait for {topic} want to hear three things: where it stands, what comes next, what they should do.",
      "How well {topic} went can only be told if somebody measured before it began.",
    ],
    questions: [
      "Which one or two numbers would show that it works?",
      "What are these numbers today?",
      "Who needs to hear what, and how often?",
      "When do you look back and decide what comes next?",
    ],
    options: [
      ["A short note every week", "keeps trust with little effort"],
      ["A report at each milestone", "calm, but silent in between"],
      ["A page that is always up to date", "nobody has to ask, if somebody keeps it so"],
    ],
    steps: [
      "Write down today's numbers before anything changes.",
      "Choose one channel and one rhythm, and keep to them.",
      "Put the date of the review into the calendar now.",
    ],
    risks: [
      ["Success is claimed and cannot be shown", "measure first"],
      ["Too many updates that nobody reads", "three sentences, always in the same order"],
    ],
    checklist: [
      "The starting numbers are written down",
      "Everyone knows where to look for news",
      "The review has a date",
    ],
    task: {
      title: "Record the starting numbers and set a review",
      description:
        "Choose one or two numbers that show whether {topic} works, write down their value today and set the date of the review. Done when both are on the project page.",
      priority: 4,
    },
  },
];
