// Reads an objective by rules: its language, what it is about, what kind of work it is, and what shape the result should have. It
// looks at the text only; what an objective orders the reader to do is a topic like any other.

import { type Aspect, aspectsOf } from "./aspects.ts";
import { capital, plainWords, readTable, shorten } from "./phrase.ts";
import { type Language, type Say, speak } from "./words.ts";

type Family = "event" | "project" | "research" | "write" | "fix";

export type Reading = {
  readonly language: Language;
  readonly say: Say;
  /** For the middle of a sentence; the name is for titles. */
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

/** Words that tell; `^` in front: only where a sentence begins with them. */
const telling = readTable(String.raw`
german :: der|die|das|eine?[nrms]?|für|und|mit|wie|ich|wir|den|dem|im|zu|nach|bitte|von|auf|über|uns\p{L}*|was|plane|schreibe?|erstelle
english :: the|an?|of|for|to|and|in|with|how|what|my|our|on|is|we|please|that|about|from
polite :: ^(?:hi|hello|hey|hallo|please|bitte|kindly|(?:can|could|would) you|k[aö]nn\p{L}* du|(?:i|we)(?: would|'d)? (?:want|need|have|like)(?: you)? to|help (?:me|us)(?: to| with)?|hilf (?:mir|uns)|todo|goal|objective|ziel|aufgabe)[\s,:!]+
orders :: ^(?:plan(?: out)?|prepare|organi[sz]e|launch|arrange|set up|start|build|develop|create|make|design|write(?: up)?|draft|compose|document|describe|research|compare|evaluate|investigate|analy[sz]e|summari[sz]e|review|find(?: out)?|fix|repair|improve|reduce|solve|learn|list|collect|give me|plane?n?|organisieren?|bereite|erstellen?|schreibe?n?|verfasse|entwirf|vergleichen?|recherchieren?|untersuche|repariere|verbessere|senke|lerne|baue|sammle|liste)\s+
compare :: ^(?:compare|decide between|choose between|vergleichen?)
planning :: plan\p{L}*|launch|organi[sz]e|prepare|arrange|introduce|organisier\p{L}*|vorbereit\p{L}*
event :: event|launch|part(?:y|ies)|festival|conference|meet-?up|workshop|caf[eé]|wedding|concert|fair|market|exhibition|opening|fundraiser|tournament|camp|picnic|birthday|celebration|\p{L}*(?:fest|feier|hochzeit|konferenz|flohmarkt|treffen|eröffnung)
research :: ^(?:research|find|look into|investigate|compare|evaluate|analy[sz]e|choose|decide|recommend|summari[sz]e|recherchieren?|vergleichen?|untersuchen?|prüfen?|研究.*)
write :: ^(?:write|draft|document|compose|describe|translate|schreibe?n?|verfassen?|entwirf|beschreibe?n?)
fix :: ^(?:fix|repair|improve|debug|solve|reduce|speed up|clean|optimi[sz]e|cut|repariere?n?|verbessere?n?|behebe?n?|senken?)
question :: ^(?:what|which|whom?|when|where|why|how|is|are|does|do|can|should|will|was|welche[rsn]?|wer|wann|wo|warum|wieso|wie|ist|sind|kann|soll\p{L}*)
tasks :: tasks?|to-?dos?|check-?list|aufgaben\p{L}*|checkliste
pages :: documents?|pages?|reports?|papers?|articles?|e-?mails?|letters?|overview|dokument\p{L}*|seiten?|bericht\p{L}*|übersicht
counting :: (\d+|one|eine|two|zwei|three|drei|four|vier|five|fünf|six|sechs|seven|sieben|eight|acht|nine|neun|ten|zehn) (?:\p{L}+ ){0,2}?(?:tasks|to-?dos|aufgaben)
asking :: ask me|check with me|let me (?:choose|decide)|frage? mich|lass mich (?:wählen|entscheiden)
`);

function pattern(name: string): RegExp {
  const words = telling.get(name)?.[0] ?? "";
  const open = words.startsWith("^") ? "^" : "(?<!\\p{L})";
  return new RegExp(`${open}(?:${words.replace(/^\^/, "")})${words.endsWith("+") ? "" : "(?!\\p{L})"}`, "giu");
}

const count = (text: string, name: string): number => text.match(pattern(name))?.length ?? 0;
const has = (text: string, name: string): boolean => count(text, name) > 0;

export function readObjective(objective: string): Reading {
  const text = objective.toWellFormed().trim().slice(0, readMax).toWellFormed();
  const prose = text.replaceAll(/(```|~~~)[\s\S]*?(?:\1|$)/g, "\n");
  const language = count(prose, "german") > count(prose, "english") ? "de" : "en";
  // "Please, could you help me to" is three of them.
  const asked = [1, 2, 3].reduce((rest) => rest.replace(pattern("polite"), ""), firstSentence(prose));
  const subject = findSubject(asked, language);
  const items = findItems(prose, has(asked, "compare") ? subject : "");
  const isComparison = has(asked, "compare") && items.length > 1;
  const family = readFamily(asked);
  const shape = readShape(asked, prose);
  const isLarge = isPlanned(family) && has(asked, "planning") && plainWords(prose).split(" ").length >= 4;
  const topic = toTopic(partOf.exec(subject)?.[1] ?? subject, language);
  const name = toName(subject, language);
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
    isComparison,
    hasStrands: shape === "document" && (isComparison || isLarge),
    wantsAsking: has(prose, "asking"),
  };
}

/** What there is to say about its kind of work. */
export const familyAspects = ({ language, family }: Reading): readonly Aspect[] =>
  aspectsOf[language].filter((aspect) => aspect.family === family);

/** Work that ends in things to do. */
export const isPlanned = (family: Family): boolean => family === "event" || family === "project" || family === "fix";

/** Of the first line that says something. */
function firstSentence(prose: string): string {
  const lines = prose.split(/\r\n|\n|\r/).map(plainWords);
  const line = lines.find((each) => /[\p{L}\p{N}]{2}/u.test(each)) ?? "";
  return (/^.{3,}?(?:[.!?](?=\s|$)|[。！？])/u.exec(line)?.[0] ?? line).trim();
}

/** A part of something, as the tasks of an outcome name it: what it is a part of is the topic. */
const partOf = /^[“„][^“”]+[”“] (?:for|für) [“„]?(.+?)[”“]?$/;

/** What is left of a sentence without its order, said to the person who wrote it. */
function findSubject(asked: string, language: Language): string {
  const bare = asked.replace(pattern("orders"), "").replace(/^(?:me|us|mir|uns) /i, "");
  const cut = has(asked, "compare") ? bare : bare.replace(/(?<=.{8})[,;:] .*$/, "");
  const plain = cut.replace(/[.!?:。！？…\s]+$/u, "").trim();
  if (language === "de" || asked === bare) return plain;
  return plain.replaceAll(/\b(?:my|our)\b/gi, "your").replaceAll(/\b(?:me|us|I|we)\b/g, "you");
}

/** English with an article is said as it is; everything else is quoted, because signs of others would look like ours. */
function toTopic(subject: string, language: Language): string {
  if (!/[\p{L}\p{N}]/u.test(subject)) return language === "de" ? "dieses Vorhaben" : "this objective";
  const isPlain = /^(?:the|an?|this|these|your|all|two|three|four|five|\d+) [\p{L}\p{M}\p{N} ,'’&%+#.€£-]*$/iu.test(
    subject,
  );
  if (language === "en" && isPlain && subject.length <= most.topic)
    return subject.replace(/^\p{Lu}(?=\p{Ll}* )/u, (first) => first.toLowerCase());
  const words = shorten(subject.replaceAll(/["“”„«»]/g, "'"), most.topic);
  return language === "de" ? `„${words}“` : `“${words}”`;
}

function toName(subject: string, language: Language): string {
  const plain = subject.replaceAll(/["“”„«»]/g, "");
  const bare = plain.replace(/^(?:the|an?|your|der|die|das|eine?[nrms]?|unser\p{L}*) /iu, "");
  const untitled = language === "de" ? "Ohne Titel" : "Untitled";
  return capital(shorten(/[\p{L}\p{N}]/u.test(bare) ? bare : untitled, most.name));
}

function readFamily(asked: string): Family {
  const named = (["research", "write", "fix", "event"] as const).find((family) => has(asked, family));
  return named ?? (has(asked, "question") ? "research" : "project");
}

function readShape(asked: string, prose: string): Reading["shape"] {
  if (/[?？]$/.test(asked) && has(asked, "question") && prose.trim().length < 400) return "question";
  return has(asked, "tasks") && !has(asked, "pages") && !/^plane?n? /i.test(asked) ? "tasks" : "document";
}

const numbers = "one eine two zwei three drei four vier five fünf six sechs seven sieben eight acht nine neun ten zehn";
function readCount(prose: string): number | null {
  const [, word = ""] = pattern("counting").exec(prose) ?? [];
  const number = Number(word) || Math.floor(numbers.split(" ").indexOf(word.toLowerCase()) / 2) + 1;
  return number > 0 ? Math.min(number, most.tasks) : null;
}

/** Lines of a list, else what is compared. */
function findItems(prose: string, compared: string): readonly string[] {
  const bullets = prose.split("\n").filter((line) => /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/.test(line));
  const bare = compared.replace(/^(?:between|zwischen) /i, "").replace(/ (?:for|für|with|mit|as|als|in) .*$/iu, "");
  const parts = bare.split(/\s*[,;]\s*(?:and |or |und |oder )?|\s+(?:and|or|und|oder|vs\.?|versus)\s+/i);
  const found = bullets.length > 1 ? bullets : parts.length > 1 ? parts : [];
  const plain = found.map((each) => shorten(plainWords(each.replace(/\[[ xX]?\]/, "")), most.item));
  return [...new Set(plain.filter((each) => /[\p{L}\p{N}]/u.test(each)).map(capital))].slice(0, most.items);
}
