// Everything the demo model says besides its aspects, one phrase a line: its name, English, German. `{topic}` and its like are
// filled in.

import { assert } from "../../lib/assert.ts";
import { fill, readTable } from "./phrase.ts";

export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

const table = `
and :: and :: und
label-page :: _Drafted by the demo model: rules, no AI. Connect a real model for research._ :: _Entworfen vom Demo-Modell: Regeln, keine KI. Für Recherche ein echtes Modell verbinden._
label-line :: (Demo model: rules, no AI.) :: (Demo-Modell: Regeln, keine KI.)
title-event :: Plan: {name} :: Plan: {name}
title-project :: Plan: {name} :: Plan: {name}
title-research :: Findings: {name} :: Befunde: {name}
title-write :: Draft: {name} :: Entwurf: {name}
title-fix :: Improvement plan: {name} :: Verbesserungsplan: {name}
goal :: Goal :: Ziel
next :: Next step :: Nächster Schritt
added :: What you added :: Deine Hinweise
missing :: What was missing ({n}) :: Was noch fehlte ({n})
more :: More on the subject ({n}) :: Mehr dazu ({n})
intro :: This page is a working basis for {topic}: {count} aspects with what has to be settled for each, in the order in which they are best taken up. It was asked for in these words: :: Diese Seite ist eine Arbeitsgrundlage für {topic}: {count} Gesichtspunkte mit dem, was jeweils zu klären ist, in einer sinnvollen Reihenfolge. Gefragt war mit diesen Worten:
settle :: To settle: :: Zu klären:
begin :: Begin with “{task}” and put a date on it today. Strike out whatever does not fit your situation; a plan that is used is shorter than the one that was written. :: Mit „{task}“ beginnen und noch heute ein Datum dazuschreiben. Streichen, was zur eigenen Lage nicht passt; ein benutzter Plan ist kürzer als der geschriebene.
candidate :: Look at {candidate} with the same criteria as the others: what it costs over three years, who already uses it, what it makes easy, and what it rules out. Note the strongest argument for {candidate} and the strongest one against it. :: {candidate} nach denselben Kriterien ansehen wie die anderen: Kosten über drei Jahre, wer es schon nutzt, was damit leicht wird und was es ausschließt. Das stärkste Argument für und das stärkste gegen {candidate} notieren.
about-0 :: Under “{heading}” belongs what has to be known about it before work on {topic} begins: the present state, the person to ask, and the first date by which something should be decided. :: Unter „{heading}“ gehört, was vor der Arbeit an {topic} bekannt sein muss: der heutige Stand, die Person für Rückfragen und der erste Tag, an dem etwas entschieden sein soll.
about-1 :: For “{heading}”, collect what is certain on the left and what is assumed on the right. Every assumption gets a name and a day on which it will be checked. :: Zu „{heading}“ links sammeln, was sicher ist, und rechts, was nur vermutet wird. Jede Vermutung bekommt einen Namen und einen Tag zur Prüfung.
about-2 :: “{heading}” is easily forgotten until somebody needs it. Decide early who looks after it, how much of the budget it may use, and how others hear about changes. :: „{heading}“ wird leicht vergessen, bis jemand danach sucht. Früh festlegen, wer sich darum kümmert, wie viel Geld dafür da ist und wie andere von Änderungen erfahren.
about-3 :: Good answers on “{heading}” are short: one sentence about the aim, one about the limits, one about the next meeting where it will be on the agenda. :: Gute Antworten zu „{heading}“ sind kurz: ein Satz zum Zweck, einer zu den Grenzen, einer zum nächsten Treffen, bei dem es besprochen wird.
answer :: The demo model follows rules and looks nothing up, so it cannot know the answer to {topic}. What it can do is show the way to a dependable one. :: Das Demo-Modell folgt Regeln und schlägt nichts nach, deshalb kennt es die Antwort auf {topic} nicht. Es kann aber den Weg zu einer verlässlichen Antwort zeigen.
said :: You wrote “{words}”. It applies to {topic} as a whole and comes before anything above that contradicts it. :: Du hast geschrieben: „{words}“. Das gilt für {topic} insgesamt und geht allem vor, was oben dagegen spricht.
said-task :: Take up: {words} :: Berücksichtigen: {words}
task-aspect :: For {topic}: {points} Done when {done}. :: Für {topic}: {points} Fertig, wenn {done}.
task-item :: From your list for {topic}. Done when somebody else could see that it is finished. :: Aus deiner Liste für {topic}. Fertig, wenn auch andere sehen, dass es erledigt ist.
task-point :: Part of “{title}” for {topic}. Done when the answer is written down. :: Teil von „{title}“ für {topic}. Fertig, wenn die Antwort aufgeschrieben ist.
made-for :: Made for {topic}, because a check asks for it. :: Für {topic} angelegt, weil eine Prüfung danach fragt.
strand :: Look into: {titles} :: Untersuchen: {titles}
note :: Notes: {titles} :: Notizen: {titles}
instructions :: For {topic}, write down what has to be settled about each of these, in a note of its own, and report it: :: Für {topic} aufschreiben, was zu jedem dieser Punkte zu klären ist, in einer eigenen Notiz, und darüber berichten:
report :: Looked into {titles} for {topic}. {written} What has to be settled first: {points} :: Für {topic} untersucht: {titles}. {written} Zuerst zu klären: {points}
written :: The note is {id}. :: Die Notiz ist {id}.
unwritten :: Nothing could be written: {why} :: Es konnte nichts geschrieben werden: {why}
step-project :: Set up the project “{name}” :: Das Projekt „{name}“ anlegen
step-document :: Write “{title}” :: „{title}“ schreiben
step-tasks :: Make the tasks ({n}) :: Die Aufgaben anlegen ({n})
step-checks :: Make what your checks ask for :: Anlegen, wonach deine Prüfungen fragen
step-said :: Take up “{words}” :: „{words}“ berücksichtigen
step-mend :: Mend what was found in iteration {n} :: Nachbessern, was in Iteration {n} auffiel
deliver-document :: The page “{title}” :: Die Seite „{title}“
deliver-tasks :: {n} tasks :: {n} Aufgaben
planned :: Made a plan of {n} steps for {topic}; nothing is written before you approve it. :: Plan mit {n} Schritten für {topic}; vor deiner Zustimmung wird nichts geschrieben.
asked :: Has a question before it goes on with {topic}. :: Hat eine Frage, bevor es mit {topic} weitergeht.
staged :: Prepared {n} changes for {topic}; they wait for your approval. :: {n} Änderungen für {topic} vorbereitet; sie warten auf deine Zustimmung.
researched :: Looked into {titles} for {topic}; the page comes next. :: {titles} für {topic} untersucht; die Seite folgt.
finished :: Finished {topic}: {made}. :: {topic} ist fertig: {made}.
partly :: Worked on {topic}; {n} steps are open. :: An {topic} gearbeitet; {n} Schritte sind offen.
answered :: Answered the question, as far as rules can. :: Die Frage beantwortet, soweit Regeln es können.
dropped :: Left out: {title} :: Weggelassen: {title}
impossible :: Not possible with the demo model: {about} :: Mit dem Demo-Modell nicht möglich: {about}
how :: Taken up in “{title}” :: Berücksichtigt in „{title}“
unsure :: Written by rules: nothing was looked up, and your situation is not known. :: Nach Regeln geschrieben: nichts wurde nachgeschlagen, und eure Lage ist nicht bekannt.
ask-first :: You asked to be asked. What matters most to you about {topic}? :: Du wolltest gefragt werden. Was ist dir bei {topic} am wichtigsten?
ask-blocked :: It cannot get on with: {titles}. What it was told: {why} What should it do? :: Hier geht es nicht weiter: {titles}. Die Meldung war: {why} Was soll geschehen?
ask-rejected :: You turned down changes for {topic}. What should it do instead? :: Du hast Änderungen für {topic} abgelehnt. Was soll stattdessen geschehen?
ask-beyond :: The demo model (rules, no AI) cannot do what these checks ask for: {titles}. Connect a real model and resume, or say what it should do instead. :: Das Demo-Modell (Regeln, keine KI) kann nicht, was diese Prüfungen verlangen: {titles}. Ein echtes Modell verbinden und fortsetzen, oder sagen, was stattdessen geschehen soll.
ask-nowhere :: There is nothing it may write to for {topic}: no project, or no tool that is allowed. Where should it go on? :: Für {topic} gibt es nichts, wohin geschrieben werden darf: kein Projekt oder kein erlaubtes Werkzeug. Wo soll es weitergehen?
again :: Try again :: Noch einmal versuchen
leave :: Leave it out :: Weglassen
stop :: Stop here :: Hier aufhören
whole :: All on one page :: Alles auf einer Seite
known :: What the other tasks found and what was decided :: Was die anderen Aufgaben ergaben und was entschieden wurde
draft-task :: Draft “{title}” for {topic} :: Entwirf „{title}“ für {topic}
draft-name :: “{title}” :: „{title}“
draft-part :: Write the page about “{title}” for {topic}: what it is for, what belongs to it, and what is still to be settled. :: Die Seite über „{title}“ für {topic} schreiben: wozu es dient, was dazugehört und was noch zu klären ist.
draft-together :: Put {titles} together on one page, so that one can begin with it. :: {titles} auf einer Seite zusammenstellen, mit der man beginnen kann.
draft-accepted :: There is a page about it :: Es gibt eine Seite darüber
draft-done :: Done when {done} :: Fertig, wenn {done}
draft-each :: There is a page about each part :: Es gibt eine Seite über jeden Teil
draft-one :: “{whole}” brings the parts together :: „{whole}“ führt die Teile zusammen
draft-how :: How it is gone about :: Vorgehen
draft-basis :: “{title}” comes first; everything else builds on it. :: „{title}“ kommt zuerst; alles andere baut darauf auf.
draft-parts :: Then {titles}, each on a page of its own. :: Dann {titles}, jeweils auf einer eigenen Seite.
draft-last :: “{whole}” comes last and uses what the others found. :: „{whole}“ kommt zuletzt und nutzt, was die anderen ergaben.
draft-learnt :: Learnt from earlier outcomes :: Aus früheren Vorhaben gelernt
homr-done :: Pages: {pages}, words of output: {n}. Nothing was judged but what can be counted. :: Seiten: {pages}, Wörter: {n}. Beurteilt wurde nur, was sich zählen lässt.
homr-failed :: The attempt at task #{number} led to nothing :: Der Versuch an Aufgabe #{number} führte zu nichts
homr-basis :: “{title}” is there for the others to build on; it covers {sections} :: „{title}“ ist da, damit die anderen darauf aufbauen; es behandelt {sections}
homr-doubt :: Task #{number} leaves questions open that only you can answer :: Aufgabe #{number} lässt Fragen offen, die nur du beantworten kannst
homr-which :: Which of the open questions should the rest of the work settle first? :: Welche der offenen Fragen soll die weitere Arbeit zuerst klären?
homr-first :: The tasks that wait for it begin with this question :: Die wartenden Aufgaben beginnen mit dieser Frage
homr-first-then :: The other questions stay on the page as they are :: Die anderen Fragen bleiben so auf der Seite stehen
homr-drafted :: Go on as drafted :: Weiter wie entworfen
homr-drafted-means :: All questions stay open, in the order in which they were found :: Alle Fragen bleiben offen, in der Reihenfolge, in der sie auftauchten
homr-drafted-then :: You settle them yourself afterwards :: Du klärst sie danach selbst
homr-there :: Let the next task decide :: Die nächste Aufgabe entscheiden lassen
homr-there-means :: The next task takes the plainest reading and says so :: Die nächste Aufgabe wählt die einfachste Lesart und sagt es
homr-unknown :: What you want is nothing that rules can know :: Was du möchtest, können Regeln nicht wissen
homr-empty :: Nothing was written for task #{number}, “{title}” :: Zu Aufgabe #{number}, „{title}“, wurde nichts geschrieben
homr-nothing :: no page :: keine Seite
homr-placeholder :: The work on task #{number}, “{title}”, has placeholders :: Die Arbeit an Aufgabe #{number}, „{title}“, enthält Platzhalter
homr-reviewed :: Looked at the work on {n} tasks; findings: {findings}. :: Die Arbeit an {n} Aufgaben angesehen; Befunde: {findings}.
sum-asked :: You asked for {topic}. :: Gefragt war {topic}.
sum-ended :: The run ended as {status}; iterations: {n}. :: Der Lauf endete als {status}; Iterationen: {n}.
sum-made :: It made {things}. :: Angelegt wurden: {things}.
sum-nothing :: It made nothing. :: Angelegt wurde nichts.
sum-changed :: Things changed that were there already: {n}. :: Geändert wurde Vorhandenes: {n}.
sum-titles :: You can begin with {titles}. :: Ein guter Anfang: {titles}.
sum-green :: The platform ran {n} checks, and {green} of them passed. :: Die Plattform hat {n} Prüfungen ausgeführt, {green} davon sind bestanden.
sum-red :: What is missing: {about} ({seen}). :: Es fehlt: {about} ({seen}).
sum-why :: It ended there because: {why}. :: Der Grund für das Ende: {why}.
sum-rules :: This was told by the demo model, which follows rules and is no AI: it structures an objective and looks nothing up. :: Das erzählt das Demo-Modell: Es folgt Regeln, ist keine KI und schlägt nichts nach.
`;

const phrases = readTable(table);

export type Facts = Readonly<Record<string, string | number>>;
export type Say = (name: string, facts?: Facts) => string;

export function phraseOf(language: Language, name: string): string {
  const phrase = phrases.get(name)?.[languages.indexOf(language)];
  assert(phrase, `the demo model has the phrase ${name} in ${language}`);
  return phrase;
}

/** `known` are facts that every phrase may use. */
export const speak =
  (language: Language, known: Facts): Say =>
  (name, facts = {}) =>
    fill(phraseOf(language, name), { ...known, ...facts });
