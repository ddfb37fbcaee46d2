// What is particular to some fields: found by the words of an objective, and worth a question, a warning and a task that no
// general list would have.

import type { FacetTask } from "./facets/facet.ts";

export type Domain = {
  readonly about: string;
  readonly question: string;
  readonly risk: readonly [string, string];
  readonly check: string;
  readonly task: FacetTask;
};

type Found = Domain & { readonly pattern: RegExp };

/** More would drown what the objective itself says. */
const domainsMax = 3;

export const domainsOf = (prose: string): readonly Domain[] =>
  known.filter(({ pattern }) => pattern.test(prose)).slice(0, domainsMax);

const known: readonly Found[] = [
  {
    pattern: /\brepair|\bmend(?:ing)?\b|\breparatur|维修|修理/i,
    about: "repairing things",
    question: "Which kinds of devices are taken on, and which are sent away (microwaves, gas, anything under recall)?",
    risk: [
      "Something mended goes home unsafe",
      "mains-powered devices leave only after someone qualified has tested them",
    ],
    check: "House rules say that repairs are made together with the owner and without a guarantee",
    task: {
      title: "Find two people who can test electrical devices",
      description:
        "Mains-powered things may leave only after a safety test. Find two people who are qualified, and agree on who brings the tester. Done when both have confirmed a date.",
      priority: 2,
    },
  },
  {
    pattern: /\b(?:caf[eé]|food|cook|restaurant|cake|dinner|lunch|meal|catering|essen|küche|bakery)/i,
    about: "food and drink",
    question: "What is offered to eat and drink, who prepares it, and who needs something without meat, milk or nuts?",
    risk: ["Allergies and hygiene are forgotten", "label what is in everything, and keep cold things cold"],
    check: "Ingredients are labelled and hands can be washed near the food",
    task: {
      title: "Settle food, drink and labels",
      description:
        "Decide what is offered, who prepares it and how allergens are labelled; ask whether it has to be notified. Done when shopping list and rota exist.",
      priority: 3,
    },
  },
  {
    pattern: /\b(?:child(?:ren)?|kids?|school|pupil|toddler|baby|kindergarten|kinder|schule)\b|儿童|孩子/i,
    about: "children",
    question: "Who is responsible for the children at which time, and what do their parents have to agree to?",
    risk: [
      "Adults are alone with other people's children",
      "always two adults, and a checked background where the law asks for it",
    ],
    check: "Consent of the parents for photos, trips and first aid is there in writing",
    task: {
      title: "Write the parents' consent and the supervision rota",
      description:
        "Put photo, allergy and contact questions on one form, and two adults on every shift. Done when the form has been read by one parent.",
      priority: 2,
    },
  },
  {
    pattern: /\b(?:garden|plants?|tree|lawn|compost|vegetables?|beds?|garten)\b|花园/i,
    about: "gardening",
    question: "How much sun, water and soil is there, and what does the season allow now?",
    risk: ["Enthusiasm in spring, drought in July", "the watering rota is fixed before anything is planted"],
    check: "The season's calendar says what is sown, planted and cut when",
    task: {
      title: "Draw the site with sun, water and soil",
      description:
        "Note where the sun is in the morning and in the evening, where water comes from and what the soil is like. Done when the sketch hangs where everyone sees it.",
      priority: 2,
    },
  },
  {
    pattern: /\b(?:trip|travel|holiday|vacation|journey|tour|hike|flight|hotel|reise|urlaub|voyage|viaje)\b|旅行/i,
    about: "travelling",
    question: "Which documents, bookings and deadlines cannot be made up for on the way?",
    risk: ["A connection fails and everything after it", "plan one free half-day for every three days"],
    check: "Documents, insurance and emergency numbers are on paper as well",
    task: {
      title: "Check documents, bookings and insurance",
      description:
        "List passports, tickets, reservations and insurance with their dates and numbers. Done when a copy is with someone who stays at home.",
      priority: 2,
    },
  },
  {
    pattern:
      /\b(?:software|app|api|code|program|database|server|website|web ?site|typescript|javascript|python|sql|postgres\w*|mysql|deploy\w*|refactor|bug|backend|frontend|cloud|kubernetes|linux)\b|软件|数据库|网站/i,
    about: "software",
    question: "Where does it run, who can log in, and how do you get back to the version before?",
    risk: [
      "A change works here and fails where it counts",
      "try it on a copy with real data, and keep the way back open",
    ],
    check: "There is a backup that was restored once, and a test that fails without the change",
    task: {
      title: "Set up a copy to try things on",
      description:
        "Make an environment that looks like the real one, with a backup that has been restored once. Done when a change can be tried and taken back there.",
      priority: 2,
    },
  },
  {
    pattern:
      /\b(?:health|medical|medicine|diet|fitness|therapy|illness|doctor|pain|sleep|gesundheit|marathon|exercise)\b|健康/i,
    about: "health",
    question: "What has a doctor or another professional said about it?",
    risk: [
      "Advice from the internet replaces an examination",
      "ask a professional before changing medicine or pushing limits",
    ],
    check: "It is clear at which sign you stop and ask for help",
    task: {
      title: "Talk to a professional before beginning",
      description:
        "Put the three most important questions to a doctor or another professional. Done when the answers are written down.",
      priority: 1,
    },
  },
  {
    pattern: /\b(?:legal|law|contract|tax(?:es)?|gdpr|licen[cs]e|court|visa|steuer|recht|vertrag)\b|法律|税/i,
    about: "law and taxes",
    question: "Which rules apply where you live, and who is entitled to tell you?",
    risk: ["A deadline passes unnoticed", "put every official date into the calendar with two weeks' warning"],
    check: "What matters was confirmed by someone entitled to advise",
    task: {
      title: "Have the legal side confirmed",
      description:
        "Collect the open legal or tax questions on one page and put them to someone entitled to answer. Done when each has an answer with a date.",
      priority: 2,
    },
  },
  {
    pattern:
      /\b(?:money|budget|sav(?:e|ing)s?|invest\w*|loan|mortgage|pension|fund(?:ing|raiser)?|price|cost|cheap\w*|finance|geld)\b|预算/i,
    about: "money",
    question: "What happens to the plan if it costs half as much again?",
    risk: ["Small running costs are overlooked", "write down what it costs per year, not per month"],
    check: "Somebody other than you has looked at the numbers",
    task: {
      title: "Put all costs of one year into one table",
      description:
        "List one-off and running costs for a whole year, with the source of each number. Done when someone else has checked the sum.",
      priority: 2,
    },
  },
  {
    pattern: /\b(?:website|newsletter|blog|podcast|social media|instagram|youtube|video|online|marketing|brand|seo)\b/i,
    about: "publishing online",
    question: "Who keeps it up to date after the first month?",
    risk: ["It goes quiet after the third issue", "prepare three pieces before the first is published"],
    check: "Imprint, privacy and picture rights are settled",
    task: {
      title: "Prepare the first three pieces",
      description:
        "Finish three pieces before the first one goes out, and decide who writes the fourth. Done when all three could be published tomorrow.",
      priority: 3,
    },
  },
  {
    pattern:
      /\b(?:house|flat|apartment|home|room|roof|kitchen|bathroom|insulat\w*|renovat\w*|heating|wohnung|haus)\b|房子/i,
    about: "house and home",
    question: "What needs the landlord's, the neighbours' or the authority's consent?",
    risk: ["Something surprising is behind the wall", "keep a fifth of the money and time in reserve"],
    check: "Water, power and gas can be switched off, and everyone knows where",
    task: {
      title: "Get two quotes and the consents",
      description:
        "Ask two trades for written quotes, and whoever has a say for their consent. Done when both are in the folder.",
      priority: 2,
    },
  },
  {
    pattern: /\b(?:music|concert|band|choir|song|guitar|piano|orchestra|konzert|musik)\b|音乐/i,
    about: "music",
    question: "What does the room do to the sound, and when do the neighbours want it quiet?",
    risk: ["The sound check eats up the afternoon", "one hour, one list, one person who decides"],
    check: "Instruments, cables and performing rights are settled",
    task: {
      title: "Settle sound, instruments and rights",
      description:
        "List who brings which instrument and cable, and ask about performing rights. Done when the list has a name on every line.",
      priority: 3,
    },
  },
  {
    pattern:
      /\b(?:language|spanish|french|german|english|italian|chinese|japanese|vocabulary|grammar|sprache)\b|语|外语/i,
    about: "languages",
    question: "With whom can you speak for ten minutes a week from the second week on?",
    risk: ["Much is understood and nothing is said", "speak from the first week, with mistakes"],
    check: "A hundred most useful words for your own situation are on cards",
    task: {
      title: "Find someone to speak with for ten minutes a week",
      description:
        "Ask a native speaker or a fellow learner for a short weekly talk. Done when the first talk has taken place.",
      priority: 2,
    },
  },
  {
    pattern:
      /\b(?:neighbou?r\w*|community|village|street|local|club|association|volunteers?|nachbar\w*|verein)\b|社区|邻里/i,
    about: "neighbourhoods",
    question: "Who in the area already does something similar and would rather be asked than surprised?",
    risk: ["It is seen as somebody's private hobby", "let three neighbours decide something real"],
    check: "Local groups, the council and those next door know about it",
    task: {
      title: "Ask three local groups to join in",
      description:
        "Talk to three groups that already know the area, and ask each for one concrete thing. Done when one has agreed.",
      priority: 3,
    },
  },
  {
    pattern: /\b(?:energy|solar|climate|electric\w*|heat pump|carbon|recycl\w*|waste|sustainab\w*|strom)\b|能源/i,
    about: "energy and resources",
    question: "What is used today, in numbers from the last twelve months?",
    risk: ["The saving is eaten up by more use", "look at the meter every month, not at the promise"],
    check: "Today's consumption is known month by month",
    task: {
      title: "Write down twelve months of consumption",
      description: "Take the numbers from bills or meters, month by month. Done when the table has twelve lines.",
      priority: 2,
    },
  },
];
