// The sides of a question: finding out, comparing, choosing.

import type { Facet } from "./facet.ts";

export const researchFacets: readonly Facet[] = [
  {
    title: "The question",
    leads: [
      "Looking into {topic} pays off when it is clear which decision the answer is for.",
      "Most searches about {topic} end in too many tabs; one precise question prevents that.",
    ],
    questions: [
      "Which decision depends on the answer, and when is it made?",
      "What would you do if you had to decide today, without knowing more?",
      "Which answer would surprise you?",
      "How sure do you need to be?",
    ],
    options: [
      ["A quick look", "an hour, three sources, a tendency: enough when the decision can be reversed"],
      ["A careful comparison", "a day or two, with criteria and numbers, for decisions that last"],
      ["A small trial of your own", "slower, but it answers for your own case"],
    ],
    steps: [
      "Write the question so that it can be answered with yes, no or a number.",
      "Note what you believe now, to compare with later.",
      "Set a limit of time, after which you decide with what you have.",
    ],
    risks: [
      ["The question changes while you search", "note the new one and finish the old one first"],
      ["Searching instead of deciding", "the limit of time is in the calendar"],
    ],
    checklist: ["The question fits into one line", "The decision and its date are named", "Today's belief is noted"],
    task: {
      title: "Put the question into one line",
      description:
        "Say which decision about {topic} depends on the answer, by when, and what you would do today. Done when the question can be answered with yes, no or a number.",
      priority: 1,
    },
  },
  {
    title: "Criteria",
    leads: [
      "What counts when it comes to {topic} should be settled before the candidates are known, or the favourite writes the rules.",
      "Four or five criteria are enough for {topic}; more of them only hide the ones that decide.",
    ],
    questions: [
      "What must be fulfilled in any case?",
      "What is nice to have, and how much of the rest would you give for it?",
      "Which costs come later: upkeep, learning, getting out again?",
      "Who else has to live with the choice, and what matters to them?",
    ],
    options: [
      ["Musts first, then one deciding criterion", "quick and easy to explain"],
      ["A weighted table", "fair to many candidates, and the weights are a matter of opinion"],
      ["Comparing pairs", "good when the criteria are hard to measure"],
    ],
    steps: [
      "List the musts and strike every candidate that misses one.",
      "Give the remaining criteria weights that add up to a hundred.",
      "Ask someone affected whether the weights look right.",
    ],
    risks: [
      ["The table confirms what was wanted anyway", "fix the weights before filling it in"],
      ["Price is counted without the years after", "count the total over three years"],
    ],
    checklist: ["The musts are separate from the wishes", "Weights were fixed first", "Later costs are counted"],
    task: {
      title: "Fix musts and weights before comparing",
      description:
        "Write down what {topic} must fulfil and give the other criteria weights that add up to a hundred. Done when someone affected has agreed to them.",
      priority: 1,
    },
  },
  {
    title: "Candidates",
    leads: [
      "When it comes to {topic}, the field is usually wider than the first page of results, and narrower than it looks after the musts.",
      "A long list for {topic} takes an hour; a short list of three takes a reason for each one that is left out.",
    ],
    questions: [
      "What do people in the same situation use?",
      "Is doing nothing a candidate?",
      "Which candidate would an expert name that you have never heard of?",
      "What can be combined?",
    ],
    options: [
      ["Begin with what is known", "fast, and blind to newcomers"],
      ["Ask three people with experience", "brings what no search shows, coloured by their own case"],
      ["Search in lists and tests", "broad, but mind who paid for them"],
    ],
    steps: [
      "Collect ten names without judging them.",
      "Apply the musts and note why each name leaves the list.",
      "Keep three, among them the one that costs least effort.",
    ],
    risks: [
      ["The best candidate was never on the list", "ask one outsider before closing it"],
      ["Too many stay in", "three is the limit; the fourth goes or replaces one"],
    ],
    checklist: ["Ten names were collected", "Every exclusion has a reason", "Doing nothing was considered"],
    task: {
      title: "Collect ten candidates and keep three",
      description:
        "Gather ten answers or options for {topic}, apply the musts and note why seven of them leave the list. Done when three are left, each with a reason.",
      priority: 2,
    },
  },
  {
    title: "Sources",
    leads: [
      "On {topic} there will be sources that sell something, sources that repeat others, and a few that have looked.",
      "Two independent sources that agree about {topic} are worth more than twenty that quote each other.",
    ],
    questions: [
      "Who has looked for themselves, and who repeats?",
      "Who earns something from the answer?",
      "How old is the information, and what has changed since?",
      "Where would someone write who had a bad experience?",
    ],
    options: [
      ["Official and primary sources", "reliable and dry, and often silent about daily use"],
      ["Tests and studies", "numbers with a method that can be looked at"],
      ["Reports of users", "real life in single cases; read the three-star ones"],
    ],
    steps: [
      "Find one primary source for every claim that decides something.",
      "Write beside each source its date and who stands behind it.",
      "Look for the strongest argument against your favourite.",
    ],
    risks: [
      ["Everything goes back to one source", "follow the quotations to their beginning"],
      ["Old figures look new", "no figure without its year"],
    ],
    checklist: [
      "Each deciding claim has two independent sources",
      "Date and author are noted",
      "The best counter-argument is written down",
    ],
    task: {
      title: "Find two independent sources for each deciding claim",
      description:
        "Read primary sources about {topic}, noting date, author and interest for each. Done when no claim that decides something rests on a single source.",
      priority: 2,
    },
  },
  {
    title: "Comparison",
    leads: [
      "Side by side, the differences shrink to two or three that matter for {topic}.",
      "A comparison about {topic} is finished when it could be explained in a minute, without the table.",
    ],
    questions: [
      "Where do the candidates really differ, and where only in words?",
      "What would have to be different for the second one to win?",
      "Which number is uncertain, and does the result change with it?",
      "What does a small trial show that the table does not?",
    ],
    options: [
      ["A table on one page", "shows everything, decides nothing"],
      ["A trial with the best two", "takes a week, and removes most doubts"],
      ["A talk with someone who uses one of them", "an hour that replaces many pages"],
    ],
    steps: [
      "Fill in the table one criterion at a time, not one candidate at a time.",
      "Change the most uncertain number by half and see whether the winner stays.",
      "Try the best two in a situation of your own.",
    ],
    risks: [
      ["The table looks more exact than it is", "mark every guess as a guess"],
      ["The trial is nicer than daily use", "try the dull part, not the demonstration"],
    ],
    checklist: ["The table fits on one page", "Guesses are marked", "The winner survives a changed number"],
    task: {
      title: "Compare the last three on one page",
      description:
        "Put the three remaining candidates for {topic} into one table, mark guesses and test whether the winner survives a changed number. Done when it can be explained in a minute.",
      priority: 3,
    },
  },
  {
    title: "Conclusion",
    leads: [
      "The result about {topic} should say what to do, why, how sure it is, and what would change it.",
      "Someone who reads only three lines about {topic} should still know what to do.",
    ],
    questions: [
      "What is the recommendation in one sentence?",
      "How sure is it, and what does that rest on?",
      "What remains open, and who could answer it?",
      "When is it worth looking again?",
    ],
    options: [
      ["A clear recommendation", "helps most, if the doubts are named"],
      ["Two ways with conditions", "honest when it depends on something that only the reader knows"],
      ["Not yet", "a good answer when one named fact is missing"],
    ],
    steps: [
      "Write the three lines first, then the page below them.",
      "Let someone read it who disagrees.",
      "Note the sign that would make you look again.",
    ],
    risks: [
      ["The recommendation hides its doubts", "name the weakest link yourself"],
      ["Nobody acts on it", "end with the first step and a name"],
    ],
    checklist: [
      "The recommendation fits into one sentence",
      "Certainty and open points are named",
      "The first step has a name",
    ],
    task: {
      title: "Write the recommendation in three lines",
      description:
        "Say what to do about {topic}, why, and how sure you are; name the weakest link. Done when someone who disagrees has read it.",
      priority: 3,
    },
  },
];
