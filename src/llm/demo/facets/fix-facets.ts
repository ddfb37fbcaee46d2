// The sides of something that is to be mended or made better.

import type { Facet } from "./facet.ts";

export const fixFacets: readonly Facet[] = [
  {
    title: "What is wrong",
    leads: [
      "A good description of the trouble with {topic} is half of the repair: what happens, what should happen, since when.",
      "With {topic}, the first report usually names a symptom; what is wrong lies one question further.",
    ],
    questions: [
      "What exactly happens, and what was expected instead?",
      "Since when, and what changed at about that time?",
      "Does it happen always, sometimes, or only for some people?",
      "What does it cost per week if nothing is done?",
    ],
    options: [
      ["Reproduce it yourself", "the surest way to know when it is gone"],
      ["Ask those who see it", "brings cases you cannot produce, in their words"],
      ["Measure for a week", "shows how often and when, and takes a week"],
    ],
    steps: [
      "Write it down in three lines: seen, expected, since when.",
      "Find the smallest way to make it happen.",
      "Note everything that changed shortly before.",
    ],
    risks: [
      ["The wrong problem is solved", "let those who suffer from it confirm the three lines"],
      ["It cannot be reproduced", "record the circumstances every time it occurs"],
    ],
    checklist: [
      "It is written down what is seen, what was expected and since when",
      "There is a way to make it happen",
      "Recent changes are listed",
    ],
    task: {
      title: "Describe the problem in three lines and reproduce it",
      description:
        "Write what happens with {topic}, what was expected and since when, and find the smallest way to make it happen. Done when someone affected confirms the description.",
      priority: 1,
    },
  },
  {
    title: "Measuring",
    leads: [
      "Whether {topic} gets better can only be seen against a number from before.",
      "One honest measurement of {topic} before the first change saves every argument afterwards.",
    ],
    questions: [
      "Which number shows the problem best?",
      "What is it today, and how much does it vary by itself?",
      "Which value would be good enough?",
      "What must not get worse meanwhile?",
    ],
    options: [
      ["Count by hand for a few days", "starts at once, good enough for most things"],
      ["Use numbers that exist already", "no effort, if they measure the right thing"],
      ["Set up a measurement", "exact and lasting, worth it when the problem returns"],
    ],
    steps: [
      "Measure three times under the same circumstances.",
      "Write down the value that would be good enough.",
      "Choose one number that must not get worse.",
    ],
    risks: [
      ["Chance looks like progress", "measure three times, before and after"],
      ["Something else gets worse unseen", "watch the second number, too"],
    ],
    checklist: ["The value before is known", "“Good enough” is a number", "A second number is watched"],
    task: {
      title: "Measure before the first change",
      description:
        "Find one number that shows {topic}, measure it three times and write down which value would be good enough. Done when both numbers are on the project page.",
      priority: 1,
    },
  },
  {
    title: "Causes",
    leads: [
      "The trouble with {topic} has a trigger, a cause, and a reason why nobody noticed earlier.",
      "Asking “why” five times about {topic} usually ends somewhere unexpected.",
    ],
    questions: [
      "What has to be true for it to happen at all?",
      "Which three causes are possible, and what would each of them look like from outside?",
      "Which single test rules most of them out?",
      "Why was it not noticed or prevented?",
    ],
    options: [
      ["Halve the search each time", "quick and sure when parts can be switched off"],
      ["Compare a good case with a bad one", "shows the difference without much knowledge"],
      ["Ask someone who has had it", "ten minutes that may save a day"],
    ],
    steps: [
      "List three possible causes before looking for proof of any.",
      "Choose the test that rules out the most.",
      "Change one thing at a time and write down what happened.",
    ],
    risks: [
      ["The first plausible cause is believed", "ask what would prove it wrong"],
      ["Several changes at once", "undo all but one"],
    ],
    checklist: [
      "Three causes were considered",
      "The cause was shown, not guessed",
      "It is known why it went unnoticed",
    ],
    task: {
      title: "Rule out causes one test at a time",
      description:
        "List three possible causes of the trouble with {topic} and the test that separates them, then change one thing at a time. Done when switching the cause on and off switches the problem on and off.",
      priority: 2,
    },
  },
  {
    title: "Possible remedies",
    leads: [
      "For {topic} there is nearly always a quick remedy, a proper one, and the choice to live with it.",
      "The best remedy for {topic} is the smallest change that removes the cause.",
    ],
    questions: [
      "What stops the harm today, even if it is not pretty?",
      "What removes the cause?",
      "What does each remedy cost, and what may it break?",
      "Can it be undone if it does not help?",
    ],
    options: [
      ["A quick relief", "buys time, and tends to stay for years"],
      ["Removing the cause", "lasts, and takes longer"],
      ["Replacing the whole", "tempting, rarely cheaper, sometimes right"],
    ],
    steps: [
      "Write down three remedies with effort, effect and side effects.",
      "Apply the quick relief if somebody suffers now.",
      "Prepare the way back before making the real change.",
    ],
    risks: [
      ["The remedy breaks something else", "try it on a part or a copy first"],
      ["The quick relief becomes permanent", "give it an end date"],
    ],
    checklist: ["Three remedies were compared", "The way back is prepared", "A quick relief has an end date"],
    task: {
      title: "Choose a remedy and prepare the way back",
      description:
        "Compare a quick, a proper and a radical remedy for {topic} by effort, effect and side effects. Done when one is chosen and can be undone.",
      priority: 2,
    },
  },
  {
    title: "Making the change",
    leads: [
      "The change to {topic} is made in small steps, each of which could be the last one for today.",
      "Whoever depends on {topic} should know when it is being worked on and how to reach you.",
    ],
    questions: [
      "When does a failed attempt do the least harm?",
      "Who has to know beforehand?",
      "After which step can you stop and still be better off?",
      "What is the sign to turn back?",
    ],
    options: [
      ["A little at a time", "safe, with patience"],
      ["In one go at a quiet hour", "short and clean, if the way back has been rehearsed"],
      ["For a few people first", "shows side effects while they are small"],
    ],
    steps: [
      "Tell those affected when and for how long.",
      "Make the smallest useful change and measure.",
      "Go on, or turn back at the agreed sign.",
    ],
    risks: [
      ["Half-way is worse than before", "choose steps that each leave things working"],
      ["Nobody is there when it fails", "never right before going home"],
    ],
    checklist: ["Those affected were told", "It was measured after every step", "The sign to turn back is agreed"],
    task: {
      title: "Make the smallest useful change and measure",
      description:
        "Announce the change to {topic}, make its first step at a quiet hour and compare with the number from before. Done when the number has moved, or the step is undone.",
      priority: 2,
    },
  },
  {
    title: "Keeping it that way",
    leads: [
      "The trouble with {topic} is over when it would be noticed if it came back.",
      "Once {topic} is in order, one hour goes to the question of how it could come to this.",
    ],
    questions: [
      "How would you notice that it is back, before others do?",
      "What made it possible, and where else is the same thing true?",
      "What should be written down for the next person?",
      "When do you look again?",
    ],
    options: [
      ["A reminder to check", "costs a minute a month"],
      ["An automatic alarm", "reliable, if somebody reads it"],
      ["A change of habit", "removes the cause for good, and needs everyone"],
    ],
    steps: [
      "Measure again after a week and after a month.",
      "Look for the same cause in two other places.",
      "Write half a page: problem, cause, remedy, first sign.",
    ],
    risks: [
      ["It returns unnoticed", "the first sign is watched by someone"],
      ["The knowledge is lost", "half a page where the next person will look"],
    ],
    checklist: ["It was measured again after a week", "Two other places were checked", "Half a page is written"],
    task: {
      title: "Watch for its return and write half a page",
      description:
        "Decide how a return of the trouble with {topic} would be noticed, measure again after a week and write down problem, cause and remedy. Done when someone else has read it.",
      priority: 4,
    },
  },
];
