// Reads an objective by rules: its language, what it is about, what kind of work it is, and what shape the result should have. It
// looks at the text only; what an objective orders the reader to do is a topic like any other.

import { capital, plainWords, shorten } from "./phrase.ts";
import { type Language, type Say, speak } from "./words.ts";

export const families = ["event", "project", "research", "write", "fix"] as const;
export type Family = (typeof families)[number];

export type Reading = {
  readonly language: Language;
  /** Its phrases know the topic, for the middle of a sentence, and the name, for titles. */
  readonly say: Say;
  readonly topic: string;
  readonly name: string;
  /** What was asked, in its own words, on a line. */
  readonly quote: string;
  readonly family: Family;
  /** `question`: an answer is wanted; `tasks`: only tasks; `document`: a page, with tasks where something is planned. */
  readonly shape: "question" | "tasks" | "document";
  /** Tasks that are asked for; null where no number is named. */
  readonly tasksWanted: number | null;
  /** Lines of its list, or what it wants compared. */
  readonly items: readonly string[];
  readonly isComparison: boolean;
  /** Large enough for executors. */
  readonly hasStrands: boolean;
  readonly wantsAsking: boolean;
};

/** What is further down is detail; patterns over more of it would take long and find no other topic. */
const readMax = 8_000;
const most = { topic: 80, name: 60, quote: 400, items: 20, item: 120, tasks: 30 } as const;

export function readObjective(objective: string): Reading {
  const text = objective.toWellFormed().trim().slice(0, readMax).toWellFormed();
  const prose = text.replaceAll(/(```|~~~)[\s\S]*?(?:\1|$)/g, "\n");
  const language = readLanguage(prose);
  const sentence = firstSentence(prose);
  const subject = findSubject(sentence, language);
  const isComparison = comparing.test(sentence);
  const items = findItems(prose, isComparison ? subject : "");
  const family = readFamily(sentence);
  const shape = readShape(sentence, prose);
  const topic = toTopic(subject, language);
  const name = toName(subject, language);
  const isLong = plainWords(prose).split(" ").length >= 4;
  return {
    language,
    say: speak(language, { topic, name }),
    topic,
    name,
    quote: shorten(plainWords(prose), most.quote),
    family,
    shape,
    tasksWanted: readCount(prose),
    items,
    isComparison: isComparison && items.length > 1,
    hasStrands:
      shape === "document" &&
      ((isComparison && items.length > 1) || (isPlanned(family) && planning.test(sentence) && isLong)),
    wantsAsking: asking.test(prose),
  };
}

/** Work that ends in things to do. */
export const isPlanned = (family: Family): boolean => family === "event" || family === "project" || family === "fix";

const germanWords =
  /(?<!\p{L})(?:der|die|das|eine?[nrms]?|für|und|mit|wie|ich|wir|den|dem|im|zu|nach|bitte|von|auf|über|uns\p{L}*|was|plane|schreibe?|erstelle)(?!\p{L})/giu;
const englishWords =
  /(?<!\p{L})(?:the|an?|of|for|to|and|in|with|how|what|my|our|on|is|we|please|that|about|from)(?!\p{L})/giu;

function readLanguage(prose: string): Language {
  const sample = prose.slice(0, 2_000);
  const german = (sample.match(germanWords)?.length ?? 0) + (sample.match(/[äöüß]/gi)?.length ?? 0) / 2;
  return german > (sample.match(englishWords)?.length ?? 0) ? "de" : "en";
}

/** Of the first line that says something. */
function firstSentence(prose: string): string {
  const lines = prose.split(/\r\n|\n|\r/).map(plainWords);
  const line = lines.find((each) => /[\p{L}\p{N}]{2}/u.test(each)) ?? "";
  const [, sentence] = /^(.{3,}?(?:[.!?](?=\s|$)|[。！？]))/u.exec(line) ?? [];
  return (sentence ?? line).trim();
}

const politeness =
  /^(?:(?:hi|hello|hey|hallo|please|bitte|kindly|can you|could you|would you|kannst du|könntest du|i want(?: you)? to|i(?: would|'d) like(?: you)? to|i need(?: you)? to|we (?:want|need|have) to|help (?:me|us)(?: to| with)?|hilf (?:mir|uns)(?: dabei)?|todo|goal|task|objective|ziel|aufgabe)(?!\p{L})[\s,:!]*)+/iu;
const orders =
  /^(?:plan(?: out)?|prepare|organi[sz]e|launch|arrange|set up|start|build|develop|create|make|design|write(?: up)?|draft|compose|document|describe|research|compare|evaluate|investigate|analy[sz]e|summari[sz]e|review|find(?: out)?|fix|repair|improve|reduce|solve|learn|list|collect|give me|plane?n?|organisieren?|bereite|erstellen?|schreibe?n?|verfasse|entwirf|vergleichen?|recherchieren?|untersuche|repariere|verbessere|senke|lerne|baue|sammle|liste)(?!\p{L})\s+/iu;

/** What is left of the first sentence without courtesy and order. */
function findSubject(sentence: string, language: Language): string {
  const asked = sentence.replace(politeness, "");
  const bare = asked.replace(orders, "").replace(/^(?:me|us|mir|uns) /i, "");
  const cut = comparing.test(sentence) ? bare : bare.replace(/(?<=.{8})[,;:] .*$/, "");
  const plain = cut.replace(/[.!?。！？…\s]+$/u, "").trim();
  return language === "en" && asked !== bare ? addressReader(plain) : plain;
}

/** The demo speaks to the person who wrote it. */
const addressReader = (text: string): string =>
  text.replaceAll(/\b(?:my|our)\b/gi, "your").replaceAll(/\b(?:me|us|I|we)\b/g, "you");

const determined = /^(?:the|an?|this|these|your|all|two|three|four|five|\d+) /i;

/** English with an article is said as it is; everything else is quoted, because signs of others would look like ours. */
function toTopic(subject: string, language: Language): string {
  if (!/[\p{L}\p{N}]/u.test(subject)) return language === "de" ? "dieses Vorhaben" : "this objective";
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ,'’&%+#.€£-]*$/u.test(subject) && subject.length <= most.topic;
  if (language === "en" && isPlain && determined.test(subject))
    return subject.replace(/^\p{Lu}(?=\p{Ll}* )/u, (first) => first.toLowerCase());
  const words = shorten(subject.replaceAll(/["“”„«»]/g, "'"), most.topic);
  return language === "de" ? `„${words}“` : `“${words}”`;
}

function toName(subject: string, language: Language): string {
  const bare = subject
    .replaceAll(/["“”„«»]/g, "")
    .replace(/^(?:the|an?|your|der|die|das|eine?[nrms]?|unser\p{L}*) /iu, "");
  const untitled = language === "de" ? "Ohne Titel" : "Untitled";
  return capital(shorten(/[\p{L}\p{N}]/u.test(bare) ? bare : untitled, most.name));
}

const comparing = /^(?:\p{L}+ ){0,3}(?:compare|versus|vs\.?|decide between|choose between|vergleichen?)(?!\p{L})/iu;
const planning =
  /(?<!\p{L})(?:plan\p{L}*|launch|organi[sz]e|prepare|arrange|introduce|organisier\p{L}*|vorbereit\p{L}*)(?!\p{L})/iu;
const gathering =
  /(?<!\p{L})(?:event|launch|part(?:y|ies)|festival|conference|meet-?up|workshop|caf[eé]|wedding|concert|fair|market|exhibition|opening|fundraiser|tournament|camp|picnic|birthday|celebration)(?!\p{L})|(?:fest|feier|hochzeit|konferenz|flohmarkt|treffen|eröffnung)(?!\p{L})/iu;
const kinds: readonly (readonly [Family, RegExp])[] = [
  [
    "research",
    /^(?:\p{L}+ ){0,3}(?:research|find out|look into|investigate|compare|evaluate|analy[sz]e|choose|decide|recommend|find|summari[sz]e|recherchier|vergleich|untersuch|prüf)|研究|比较/iu,
  ],
  ["write", /^(?:\p{L}+ ){0,3}(?:write|draft|document|compose|describe|translate|schreib|verfass|entwirf|beschreib)/iu],
  [
    "fix",
    /^(?:\p{L}+ ){0,3}(?:fix|repair|improve|debug|solve|reduce|speed up|clean|optimi[sz]e|cut|reparier|verbesser|beheb|senk)/iu,
  ],
];
const questioning =
  /^(?:what|which|who|whom|when|where|why|how|is|are|does|do|can|should|will|was|welche[rsn]?|wer|wann|wo|warum|wieso|wie|ist|sind|kann|soll\p{L}*)(?!\p{L})/iu;

function readFamily(sentence: string): Family {
  const named = kinds.find(([, pattern]) => pattern.test(sentence))?.[0];
  if (named !== undefined) return named;
  if (gathering.test(sentence)) return "event";
  return questioning.test(sentence.replace(politeness, "")) ? "research" : "project";
}

const tasking = /(?<!\p{L})(?:tasks?|to-?dos?|task list|check-?list|aufgaben|aufgabenliste|checkliste)(?!\p{L})/iu;
const paging =
  /(?<!\p{L})(?:documents?|pages?|reports?|papers?|articles?|e-?mails?|letters?|overview|dokument\p{L}*|seiten?|bericht\p{L}*|übersicht)(?!\p{L})/iu;

function readShape(sentence: string, prose: string): Reading["shape"] {
  const bare = sentence.replace(politeness, "");
  if (/[?？]$/.test(sentence) && questioning.test(bare) && prose.trim().length < 400) return "question";
  const isTasks = tasking.test(sentence) && !paging.test(sentence) && !/^plane?n?\b/i.test(bare);
  return isTasks ? "tasks" : "document";
}

const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const germanNumbers = ["null", "eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"];

function readCount(prose: string): number | null {
  const [, word = ""] = /(\d{1,3}|\p{L}+) (?:\p{L}+ ){0,2}?(?:tasks|to-?dos|aufgaben)(?!\p{L})/iu.exec(prose) ?? [];
  const lower = word.toLowerCase();
  const number = /^\d+$/.test(word) ? Number(word) : Math.max(numbers.indexOf(lower), germanNumbers.indexOf(lower));
  return number > 0 ? Math.min(number, most.tasks) : null;
}

const asking =
  /(?<!\p{L})(?:ask me|check with me|let me (?:choose|decide)|frage? mich|lass mich (?:wählen|entscheiden))(?!\p{L})/iu;

/** Lines of a list, else what is compared. */
function findItems(prose: string, compared: string): readonly string[] {
  const bullets = prose.split("\n").filter((line) => /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/.test(line));
  const parts = compared
    .replace(/^(?:between|zwischen) /i, "")
    .replace(/ (?:for|für|with|mit|as|als|in) .*$/iu, "")
    .split(/\s*[,;]\s*(?:and |or |und |oder )?|\s+(?:and|or|und|oder|vs\.?|versus)\s+/i);
  const found = bullets.length > 1 ? bullets : parts.length > 1 ? parts : [];
  const plain = found.map((each) => shorten(plainWords(each.replace(/\[[ xX]?\]/, "")), most.item));
  return [...new Set(plain.filter((each) => /[\p{L}\p{N}]/u.test(each)).map(capital))].slice(0, most.items);
}
