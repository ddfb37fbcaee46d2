// The sides of a text that is to be written.

import type { Facet } from "./facet.ts";

export const writeFacets: readonly Facet[] = [
  {
    title: "Readers and purpose",
    leads: [
      "{topic} is written for someone; what that person does after reading decides what belongs in it.",
      "Picture one reader of {topic} by name: every sentence can then be asked whether it helps that person.",
    ],
    questions: [
      "Who reads it, when, and what do they know already?",
      "What should they think, know or do afterwards?",
      "What do they fear or doubt before they begin?",
      "How much time do they have?",
    ],
    options: [
      ["Write for the newcomer", "clear for everyone, a little slow for experts"],
      ["Write for the expert", "short and exact, and closed to others"],
      ["Two layers", "a summary for all and details behind it: more work, often worth it"],
    ],
    steps: [
      "Describe one reader in three sentences.",
      "Finish the sentence “After reading, they will …”.",
      "Ask that reader, or someone like them, which question they would have.",
    ],
    risks: [
      ["It is written for the writer", "read it aloud to someone from the audience"],
      ["Two purposes in one text", "decide which one comes first, or write two texts"],
    ],
    checklist: ["One reader is described", "The purpose fits into a sentence", "The reader's first question is known"],
    task: {
      title: "Describe the reader and what they do afterwards",
      description:
        "Write three sentences about one reader of {topic} and one about what they do afterwards. Done when someone from the audience recognises themselves.",
      priority: 1,
    },
  },
  {
    title: "Message",
    leads: [
      "If only one sentence of {topic} were remembered, which one should it be?",
      "{topic} holds together when every part of it serves the same message.",
    ],
    questions: [
      "What is the one sentence that must stay?",
      "Which three points carry it?",
      "What would a sceptical reader object?",
      "What is left unsaid on purpose?",
    ],
    options: [
      ["The message first", "kind to hurried readers"],
      ["The question first", "draws readers in, and must keep its promise"],
      ["A story first", "is remembered, if it is short and true"],
    ],
    steps: [
      "Write the message ten times in ten minutes and choose one.",
      "Put three supporting points below it, each with an example.",
      "Answer the strongest objection in two sentences.",
    ],
    risks: [
      ["Everything seems important", "what does not serve the message goes to an appendix"],
      ["The message is true and dull", "say what changes if it is ignored"],
    ],
    checklist: [
      "The message is one sentence",
      "Three points carry it, each with an example",
      "The strongest objection is answered",
    ],
    task: {
      title: "Find the one sentence and its three supports",
      description:
        "Write the message of {topic} in one sentence, with three points and an example for each. Done when someone can repeat it after hearing it once.",
      priority: 1,
    },
  },
  {
    title: "Material",
    leads: [
      "Before {topic} is written, its material is collected: facts, examples, voices, numbers.",
      "A drawer full of examples makes {topic} easier to write and better to read.",
    ],
    questions: [
      "Which facts are needed, and where do they come from?",
      "Whose voice or experience is missing?",
      "Which example would make the difficult part plain?",
      "What may be quoted, and how is it credited?",
    ],
    options: [
      ["Your own experience", "vivid and at hand, and one case only"],
      ["Conversations", "bring words that no document has"],
      ["Written sources", "can be checked, and have to be named"],
    ],
    steps: [
      "Make a list of what the text claims and mark what is not yet backed.",
      "Talk to one person for each gap.",
      "Keep every source beside the sentence it supports.",
    ],
    risks: [
      ["A number that nobody can find again", "note the source at once"],
      ["Collecting instead of writing", "stop when every point has one good example"],
    ],
    checklist: ["Every claim has something behind it", "Every point has an example", "Sources and rights are noted"],
    task: {
      title: "Collect facts and one example for each point",
      description:
        "List what {topic} claims, back each claim with a source and find one plain example for each point. Done when no gap is left in the list.",
      priority: 2,
    },
  },
  {
    title: "Structure",
    leads: [
      "The structure of {topic} is right when its headings alone tell the story.",
      "An outline of {topic} on one page shows what is missing sooner than ten pages of text.",
    ],
    questions: [
      "What does the reader need first in order to follow the rest?",
      "Which part could be left out without a gap?",
      "Where will the reader get lost or tired?",
      "What stands in the first and in the last paragraph?",
    ],
    options: [
      ["Most important first", "for readers with little time"],
      ["Step by step", "for instructions and arguments"],
      ["Question and answer", "for readers who look something up"],
    ],
    steps: [
      "Write the headings as full statements.",
      "Give each part a length, and the first part the shortest.",
      "Let someone tell you the story from the headings alone.",
    ],
    risks: [
      ["The interesting part comes on page five", "move it to the front and see what breaks"],
      ["Parts overlap", "each point has one home, and elsewhere a pointer"],
    ],
    checklist: ["The headings tell the story", "Each part has a planned length", "Beginning and end are drafted"],
    task: {
      title: "Outline the text in headings that are statements",
      description:
        "Put {topic} on one page as headings that tell the story, with a length for each part. Done when someone can retell it from the headings.",
      priority: 2,
    },
  },
  {
    title: "Draft",
    leads: [
      "The first draft of {topic} has one duty: to exist.",
      "{topic} is drafted fastest in short sittings, each with a part to finish and no looking back.",
    ],
    questions: [
      "When and where do you write best, and how long at a stretch?",
      "Which part is easiest, so that you can begin with it?",
      "Which tone fits: you or one, short or flowing, warm or plain?",
      "What will you do when you are stuck?",
    ],
    options: [
      ["Straight through", "keeps the tone even, and hides the gaps"],
      ["Part by part", "fits into small slots, and needs smoothing at the seams"],
      ["Speak it first", "quick and natural, with more to tidy"],
    ],
    steps: [
      "Set aside three sittings and name the part for each.",
      "Write without mending; put brackets where something is missing.",
      "Stop in the middle of a sentence you know how to finish.",
    ],
    risks: [
      ["The first page is polished for ever", "no corrections before the last line stands"],
      ["The sittings are moved again and again", "tell someone when you will send the draft"],
    ],
    checklist: ["Sittings are in the calendar", "A complete rough draft exists", "Gaps are marked with brackets"],
    task: {
      title: "Write the rough draft in three sittings",
      description:
        "Draft {topic} from beginning to end without mending, with brackets where something is missing. Done when the last line stands.",
      priority: 3,
    },
  },
  {
    title: "Revision and delivery",
    leads: [
      "{topic} gets better three times: by cutting, by reading aloud, and by someone else's pencil.",
      "Between the draft of {topic} and the finished text lie a night's sleep and one honest reader.",
    ],
    questions: [
      "What can be cut by a tenth without loss?",
      "Who reads it before it goes out, and what are they asked to look for?",
      "In which form does it reach its readers: page, print, post, talk?",
      "What must be checked: names, numbers, links, rights?",
    ],
    options: [
      ["One critical reader", "deep and quick"],
      ["Three readers from the audience", "shows where they stumble"],
      ["A professional edit", "clean language for money"],
    ],
    steps: [
      "Leave it for a night, then cut a tenth.",
      "Read it aloud and mark every place where you take a breath in the wrong spot.",
      "Check names, numbers and links last, with fresh eyes.",
    ],
    risks: [
      ["Too many opinions at the end", "ask each reader one question only"],
      ["A wrong name in the final version", "someone else checks every name"],
    ],
    checklist: ["It is a tenth shorter", "Someone from the audience has read it", "Names, numbers and links are right"],
    task: {
      title: "Cut a tenth and get one honest reader",
      description:
        "Shorten {topic}, read it aloud and give it to one reader with one question. Done when their remarks are worked in and names, numbers and links are checked.",
      priority: 3,
    },
  },
];
