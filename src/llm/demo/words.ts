// Everything the demo model says besides its aspects, by language. `{topic}` and its like are filled in.

import { type Aspects, aspectsDe, aspectsEn } from "./aspects.ts";
import type { Language } from "./read-objective.ts";

const english = {
  and: "and",
  aspects: aspectsEn,
  titles: { event: "Plan", project: "Plan", research: "Findings", write: "Draft", fix: "Improvement plan" },
  headings: { goal: "Goal", next: "Next step", added: "What you added", links: "Links you named", tasks: "Tasks" },
  intro:
    "This page is a working basis for {topic}: {count} aspects with what has to be settled for each, in the order in which they are best taken up. It was asked for in these words:",
  settle: "To settle:",
  next: "Begin with “{task}” and put a date on it today. Strike out whatever does not fit your situation; a plan that is used is shorter than the one that was written.",
  unopened: "The demo model opens no links. Still to be read:",
  candidate:
    "Look at {name} with the same criteria as the others: what it costs over three years, who already uses it, what it makes easy, and what it rules out. Note the strongest argument for {name} and the strongest one against it.",
  /** For headings that the user asked for; one after the other, so that no two sections say the same. */
  about: [
    "Under “{heading}” belongs what has to be known about it before work on {topic} begins: the present state, the person to ask, and the first date by which something should be decided.",
    "For “{heading}”, collect what is certain on the left and what is assumed on the right. Every assumption gets a name and a day on which it will be checked.",
    "“{heading}” is easily forgotten until somebody needs it. Decide early who looks after it, how much of the budget it may use, and how others hear about changes.",
    "Good answers on “{heading}” are short: one sentence about the aim, one about the limits, one about the next meeting where it will be on the agenda.",
  ],
  answer:
    "The demo model follows rules and looks nothing up, so it cannot know the answer to {topic}. What it can do is show the way to a dependable one.",
  said: "You wrote “{words}”. It applies to {topic} as a whole and comes before anything above that contradicts it.",
  saidTask: "Take up: {words}",
  missing: "What was missing",
  more: "More on the subject ({n})",
  taskDone: "{points} Done when {done}.",
  taskItem: "From your list for {topic}. Done when somebody else could see that it is finished.",
  taskPoint: "Part of “{title}” for {topic}. Done when the answer is written down.",
  madeFor: "Made for {topic}, because a check asks for it.",
  strand: "Look into: {titles}",
  note: "Notes: {titles}",
  instructions:
    "For {topic}, write down what has to be settled about each of these, in a note of its own, and report it:\n{lines}",
  report: "Looked into {titles} for {topic}. {written} What has to be settled first: {points}",
  written: "The note is {id}.",
  unwritten: "Nothing could be written: {why}",
  steps: {
    project: "Set up the project “{name}”",
    document: "Write “{title}”",
    tasks: "Make the tasks ({n})",
    checks: "Make what your checks ask for",
    said: "Take up “{words}”",
    mend: "Mend what was found in iteration {n}",
  },
  deliverables: { document: "The page “{title}”", tasks: "{n} tasks" },
  summaries: {
    planned: "Made a plan of {n} steps for {topic}; nothing is written before you approve it.",
    asked: "Has a question before it goes on with {topic}.",
    staged: "Prepared {n} changes for {topic}; they wait for your approval.",
    researched: "Looked into {titles} for {topic}; page and tasks come next.",
    done: "Finished {topic}: {made}.",
    partly: "Worked on {topic}; {n} steps are open.",
    answered: "Answered the question, as far as rules can.",
  },
  turnedDown: "You turned this down: {title}",
  beyond: "Not possible with the demo model: {about}",
  how: "Taken up in {title}",
  unsure: "Written by rules: nothing was looked up, and your situation is not known.",
  questions: {
    first: "You asked to be asked. What matters most to you about {topic}?",
    blocked: "It cannot get on with: {titles}. What it was told: {why} What should it do?",
    rejected: "You turned down {n} changes. What should it do instead?",
    beyond:
      "The demo model (rules, no AI) cannot do what these checks ask for: {titles}. Connect a real model and resume, or say what it should do instead.",
    nowhere:
      "There is nothing it may write to: no project can be written, or no tool for it is allowed. Where should it go on?",
  },
  options: { again: "Try again", leave: "Leave it out", stop: "Stop here" },
} as const;

type Shape<T> = T extends string
  ? string
  : T extends readonly string[]
    ? readonly string[]
    : { readonly [K in keyof T]: Shape<T[K]> };
export type Words = Omit<Shape<typeof english>, "aspects"> & { readonly aspects: Aspects };

const german: Words = {
  and: "und",
  aspects: aspectsDe,
  titles: { event: "Plan", project: "Plan", research: "Befunde", write: "Entwurf", fix: "Verbesserungsplan" },
  headings: {
    goal: "Ziel",
    next: "Nächster Schritt",
    added: "Deine Hinweise",
    links: "Deine Links",
    tasks: "Aufgaben",
  },
  intro:
    "Diese Seite ist eine Arbeitsgrundlage für {topic}: {count} Gesichtspunkte mit dem, was jeweils zu klären ist, in einer sinnvollen Reihenfolge. Gefragt war mit diesen Worten:",
  settle: "Zu klären:",
  next: "Mit „{task}“ beginnen und noch heute ein Datum dazuschreiben. Streichen, was zur eigenen Lage nicht passt; ein benutzter Plan ist kürzer als der geschriebene.",
  unopened: "Das Demo-Modell öffnet keine Links. Noch zu lesen:",
  candidate:
    "{name} nach denselben Kriterien ansehen wie die anderen: Kosten über drei Jahre, wer es schon nutzt, was damit leicht wird und was es ausschließt. Das stärkste Argument für und das stärkste gegen {name} notieren.",
  about: [
    "Unter „{heading}“ gehört, was vor der Arbeit an {topic} bekannt sein muss: der heutige Stand, die Person für Rückfragen und der erste Tag, an dem etwas entschieden sein soll.",
    "Zu „{heading}“ links sammeln, was sicher ist, und rechts, was nur vermutet wird. Jede Vermutung bekommt einen Namen und einen Tag zur Prüfung.",
    "„{heading}“ wird leicht vergessen, bis jemand danach sucht. Früh festlegen, wer sich darum kümmert, wie viel Geld dafür da ist und wie andere von Änderungen erfahren.",
    "Gute Antworten zu „{heading}“ sind kurz: ein Satz zum Zweck, einer zu den Grenzen, einer zum nächsten Treffen, bei dem es besprochen wird.",
  ],
  answer:
    "Das Demo-Modell folgt Regeln und schlägt nichts nach, deshalb kennt es die Antwort auf {topic} nicht. Es kann aber den Weg zu einer verlässlichen Antwort zeigen.",
  said: "Du hast geschrieben: „{words}“. Das gilt für {topic} insgesamt und geht allem vor, was oben dagegen spricht.",
  saidTask: "Berücksichtigen: {words}",
  missing: "Was noch fehlte",
  more: "Mehr dazu ({n})",
  taskDone: "{points} Fertig, wenn {done}.",
  taskItem: "Aus deiner Liste für {topic}. Fertig, wenn auch andere sehen, dass es erledigt ist.",
  taskPoint: "Teil von „{title}“ für {topic}. Fertig, wenn die Antwort aufgeschrieben ist.",
  madeFor: "Für {topic} angelegt, weil eine Prüfung danach fragt.",
  strand: "Untersuchen: {titles}",
  note: "Notizen: {titles}",
  instructions:
    "Für {topic} aufschreiben, was zu jedem dieser Punkte zu klären ist, in einer eigenen Notiz, und darüber berichten:\n{lines}",
  report: "Für {topic} untersucht: {titles}. {written} Zuerst zu klären: {points}",
  written: "Die Notiz ist {id}.",
  unwritten: "Es konnte nichts geschrieben werden: {why}",
  steps: {
    project: "Das Projekt „{name}“ anlegen",
    document: "„{title}“ schreiben",
    tasks: "Die Aufgaben anlegen ({n})",
    checks: "Anlegen, wonach deine Prüfungen fragen",
    said: "„{words}“ berücksichtigen",
    mend: "Nachbessern, was in Iteration {n} auffiel",
  },
  deliverables: { document: "Die Seite „{title}“", tasks: "{n} Aufgaben" },
  summaries: {
    planned: "Plan mit {n} Schritten für {topic}; vor deiner Zustimmung wird nichts geschrieben.",
    asked: "Hat eine Frage, bevor es mit {topic} weitergeht.",
    staged: "{n} Änderungen für {topic} vorbereitet; sie warten auf deine Zustimmung.",
    researched: "{titles} für {topic} untersucht; Seite und Aufgaben folgen.",
    done: "{topic} ist fertig: {made}.",
    partly: "An {topic} gearbeitet; {n} Schritte sind offen.",
    answered: "Die Frage beantwortet, soweit Regeln es können.",
  },
  turnedDown: "Von dir abgelehnt: {title}",
  beyond: "Mit dem Demo-Modell nicht möglich: {about}",
  how: "Berücksichtigt in {title}",
  unsure: "Nach Regeln geschrieben: nichts wurde nachgeschlagen, und eure Lage ist nicht bekannt.",
  questions: {
    first: "Du wolltest gefragt werden. Was ist dir bei {topic} am wichtigsten?",
    blocked: "Hier geht es nicht weiter: {titles}. Die Meldung war: {why} Was soll geschehen?",
    rejected: "Du hast {n} Änderungen abgelehnt. Was soll stattdessen geschehen?",
    beyond:
      "Das Demo-Modell (Regeln, keine KI) kann nicht, was diese Prüfungen verlangen: {titles}. Ein echtes Modell verbinden und fortsetzen, oder sagen, was stattdessen geschehen soll.",
    nowhere:
      "Es gibt nichts, wohin geschrieben werden darf: kein Projekt oder kein erlaubtes Werkzeug. Wo soll es weitergehen?",
  },
  options: { again: "Noch einmal versuchen", leave: "Weglassen", stop: "Hier aufhören" },
};

export const words: Readonly<Record<Language, Words>> = { en: english, de: german };
