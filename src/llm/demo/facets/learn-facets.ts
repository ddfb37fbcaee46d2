// The sides of learning something, or of teaching it.

import type { Facet } from "./facet.ts";

export const learnFacets: readonly Facet[] = [
  {
    title: "Where you want to get",
    leads: [
      "Learning {topic} goes faster with a picture of the day on which it will be used.",
      "A wish is no goal yet: for {topic}, a goal is something you will do on a certain day.",
    ],
    questions: [
      "What do you want to be able to do, in which situation, and by when?",
      "What would be a good sign after two weeks?",
      "What can you already do that helps?",
      "How good is good enough?",
    ],
    options: [
      ["One real project", "everything learned is needed, and gaps stay where the project has none"],
      ["An exam or certificate", "a clear end and a fixed order, sometimes beside what you need"],
      ["A daily habit", "little pressure, lasting effect, slow to show"],
    ],
    steps: [
      "Describe the situation in which you will use it, in five sentences.",
      "Derive three skills from it that you can show to someone.",
      "Try them today, badly, and keep the result.",
    ],
    risks: [
      ["The goal is too large to feel progress", "set one that can be reached in two weeks"],
      ["You learn what is taught and not what you need", "check each lesson against the situation"],
    ],
    checklist: ["The situation is described", "Three skills can be shown", "Today's attempt is kept"],
    task: {
      title: "Describe the day on which you will use it",
      description:
        "Write five sentences about the situation in which you want to use {topic}, and derive three skills that can be shown. Done when a first attempt is kept for comparison.",
      priority: 1,
    },
  },
  {
    title: "Ground to cover",
    leads: [
      "A map of {topic} keeps you from walking in circles: the basics, what builds on them, what can wait.",
      "About a fifth of {topic} carries most of daily use, and the map shows which fifth.",
    ],
    questions: [
      "Which basics does everything else rest on?",
      "In which order do good courses go about it?",
      "Which parts are famous and rarely needed?",
      "Where do most beginners get stuck?",
    ],
    options: [
      ["Follow a course", "a proven order, at someone else's pace"],
      ["Start from problems", "lively, and it leaves gaps that have to be filled"],
      ["Learn from a person", "fits you exactly, and depends on their time"],
    ],
    steps: [
      "Compare the contents of three books or courses and mark what all of them have.",
      "Draw the map: basics, next, later.",
      "Cross out what your situation does not need.",
    ],
    risks: [
      ["The basics are skipped out of impatience", "test yourself on them before going on"],
      ["The map becomes the work", "one page, one hour"],
    ],
    checklist: ["The common core is marked", "The order is written down", "What can wait is crossed out"],
    task: {
      title: "Draw a one-page map of the ground",
      description:
        "Compare three courses or books on {topic}, mark what all of them teach, and put it in order. Done when the page shows basics, next and later.",
      priority: 1,
    },
  },
  {
    title: "Material and teachers",
    leads: [
      "One good source for {topic} and one person to ask are enough to begin with.",
      "The best material for {topic} is the one you still open in the third week.",
    ],
    questions: [
      "Do you learn best by reading, watching, doing or talking?",
      "Which source do people recommend who have got where you want to go?",
      "Who could answer a question once a week?",
      "What may it cost?",
    ],
    options: [
      ["A book with exercises", "thorough and quiet, and it answers no questions"],
      ["An online course", "structured, and easily left unfinished"],
      ["A group or a teacher", "keeps you going, at fixed times"],
    ],
    steps: [
      "Try three sources for half an hour each and keep one.",
      "Find one person or group for questions.",
      "Put everything else on a list for later.",
    ],
    risks: [
      ["Collecting sources instead of learning", "no second one before the first is half done"],
      ["The level does not fit", "change after the first week, not after the first hour"],
    ],
    checklist: ["One main source is chosen", "One person can be asked", "The rest is on a list for later"],
    task: {
      title: "Try three sources and keep one",
      description:
        "Spend half an hour with each of three sources on {topic} and keep the one you would open again. Done when one person or group for questions is found, too.",
      priority: 2,
    },
  },
  {
    title: "Practice",
    leads: [
      "{topic} is learned by doing it slightly above the level at which it is comfortable.",
      "Short and often beats long and seldom: {topic} needs a place in the week.",
    ],
    questions: [
      "When in the day is there half an hour that is really free?",
      "What does an exercise look like that is just too hard?",
      "How do you notice mistakes by yourself?",
      "What is repeated, and after how long?",
    ],
    options: [
      ["Half an hour every day", "the best effect for the time"],
      ["Two long sessions a week", "deeper work, and more is forgotten between"],
      ["A little every time it comes up", "no effort to plan, and slow"],
    ],
    steps: [
      "Put five sessions a week into the calendar, each with a topic.",
      "Begin every session with what was learned the day before yesterday.",
      "End it with a note: what was hard, what comes next.",
    ],
    risks: [
      ["A week is missed and it stops", "the rule is: never twice in a row"],
      ["Only the pleasant parts are practised", "every third session is for the hardest part"],
    ],
    checklist: ["Sessions are in the calendar", "Every session repeats something", "Notes are kept in one place"],
    task: {
      title: "Put five practice sessions a week into the calendar",
      description:
        "Choose times and topics for the first two weeks of {topic}, with repetition built in. Done when the first session has taken place.",
      priority: 2,
    },
  },
  {
    title: "Feedback",
    leads: [
      "Without feedback, practice of {topic} makes mistakes permanent.",
      "Somebody or something has to tell you how {topic} is going, at least once a week.",
    ],
    questions: [
      "Who can judge what you do, kindly and exactly?",
      "What can be measured without anyone's help?",
      "How do you compare yourself with the first attempt?",
      "What will you change when it stalls?",
    ],
    options: [
      ["A teacher or experienced friend", "exact, and limited in time"],
      ["A partner at the same level", "motivating, and you learn by explaining"],
      ["Tests and recordings", "always available, honest, a little lonely"],
    ],
    steps: [
      "Agree on one date a week with someone who listens or looks.",
      "Record or keep one piece of work every week.",
      "Every two weeks, compare it with the first.",
    ],
    risks: [
      ["Only praise", "ask for the one thing to change next"],
      ["A plateau discourages", "change the exercise, not the goal"],
    ],
    checklist: [
      "There is a weekly date for feedback",
      "Work samples are kept",
      "Every two weeks there is a comparison",
    ],
    task: {
      title: "Arrange weekly feedback",
      description:
        "Find someone who looks at your work on {topic} once a week, and keep one sample each time. Done when the first sample has been discussed.",
      priority: 3,
    },
  },
  {
    title: "Using and keeping it",
    leads: [
      "{topic} stays when it is used, and it is used when it has a place in ordinary life.",
      "The first real use of {topic} should come early, before you feel ready.",
    ],
    questions: [
      "Where can you use it for real within the next three weeks?",
      "Whom could you teach a part of it?",
      "What will you do when the course or book is finished?",
      "How much is needed to keep it?",
    ],
    options: [
      ["A small public result", "a good reason to finish, and a little nerve-racking"],
      ["Teach it to someone", "the quickest way to find your gaps"],
      ["Use it at work or at home", "no extra time, if the occasion is there"],
    ],
    steps: [
      "Fix a date and an occasion for the first real use.",
      "Explain one part to someone who knows nothing about it.",
      "Decide how little is enough to keep it afterwards.",
    ],
    risks: [
      ["Waiting until it is perfect", "the date comes first"],
      ["It fades after the goal", "one fixed hour a month"],
    ],
    checklist: ["The first use has a date", "One part was explained to someone", "The habit for afterwards is set"],
    task: {
      title: "Fix the date of the first real use",
      description:
        "Choose an occasion within three weeks at which {topic} is used for real. Done when someone else knows the date.",
      priority: 3,
    },
  },
];
