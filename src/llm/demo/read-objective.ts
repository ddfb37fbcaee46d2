// Reads an objective by rules: what kind of work, about what, for whom, where and when, which parts and questions it names.
// It looks at the text only; what an objective orders the reader to do is a topic like any other.

import { type Domain, domainsOf } from "./domains.ts";
import { count, plainWords, seedOf, shorten } from "./phrase.ts";
import { type Family, familyOf, readVerb, type Verb } from "./read-verbs.ts";
import { choiceOf, nameOf, quotedTopic, shortOf, topicOf, withoutOrder } from "./topic.ts";

export type Reading = {
  readonly seed: number;
  readonly family: Family;
  /** Fits into the middle of a sentence. */
  readonly topic: string;
  /** The same once it has been named. */
  readonly short: string;
  /** The same for titles. */
  readonly name: string;
  /** A line or two of what was asked, in its own words. */
  readonly quote: string;
  readonly isEnglish: boolean;
  readonly isCut: boolean;
  readonly audience: string | null;
  readonly place: string | null;
  readonly time: string | null;
  readonly parts: readonly string[];
  /** The parts are things to choose between. */
  readonly isChoice: boolean;
  readonly questions: readonly string[];
  readonly links: readonly string[];
  readonly hasCode: boolean;
  readonly domains: readonly Domain[];
};

/** What is further down is detail; patterns over more of it would take long and find no other topic. */
const readMax = 8_000;
/** Lists may be longer than prose; lines beyond this are not looked at. */
const linesMax = 400;
const most = { parts: 7, questions: 5, links: 8, quote: 500 } as const;

export function readObjective(objective: string): Reading {
  const whole = objective.toWellFormed().trim();
  const text = whole.slice(0, readMax).toWellFormed();
  const prose = withoutCode(text);
  const isEnglish = looksEnglish(prose);
  const sentence = firstSentence(prose);
  const time = isEnglish ? timeOf(prose) : null;
  const verb = isEnglish ? verbOf(sentence, time) : null;
  const parts = partsOf(whole, sentence, verb);
  const topic = topicFrom(sentence, verb, parts, isEnglish);
  const questions = questionsOf(prose);
  return {
    seed: seedOf(whole),
    family: verb?.family ?? familyOf(sentence, isEnglish),
    topic,
    short: shortOf(topic),
    name: nameOf(topic),
    quote: shorten(plainWords(onOneLine(prose)) || sentence, most.quote),
    isEnglish,
    isCut: plainWords(prose).length > most.quote || whole.length > readMax,
    audience: isEnglish ? audienceOf(prose) : null,
    place: isEnglish ? placeOf(sentence) : null,
    time,
    parts,
    isChoice: verb !== null && isChoice(verb) && parts.length > 1,
    questions: questions.length === 1 && plainWords(prose).length < 200 ? [] : questions,
    links: linksOf(text),
    hasCode: prose !== text,
    domains: domainsOf(prose),
  };
}

function topicFrom(sentence: string, verb: Verb | null, parts: readonly string[], isEnglish: boolean): string {
  if (!/[\p{L}\p{N}]/u.test(sentence)) return "this objective";
  if (/^(?:todos?|to do|tasks)\b/i.test(sentence) && parts.length > 1)
    return `the ${count(parts.length, "point")} on your list`;
  const compared = verb !== null && isChoice(verb) && parts.length > 1 ? choiceOf(parts) : null;
  const said = isEnglish
    ? sentence.replace(/^(?:todo|goal|task|objective|please)\b[\s,:]*/i, "")
    : withoutOrder(sentence);
  return compared ?? (verb && topicOf(verb)) ?? quotedTopic(said || sentence);
}

const isChoice = ({ verb }: Verb): boolean => /^(?:compare|(?:decide|choose) between)$/.test(verb);

/** Lines of a list, told one after the other. */
const onOneLine = (prose: string): string =>
  prose
    .replaceAll(/[ \t]*\n[ \t]*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]?\]\s*)?/g, "; ")
    .replaceAll(/([:.,;])\s*; /g, "$1 ");

/** Fences, and lines that look like nothing but code. */
const withoutCode = (text: string): string =>
  text
    .replaceAll(/(```|~~~)[\s\S]*?(?:\1|$)/g, "\n")
    .replaceAll(/^(?: {4}|\t)\S.*$/gm, "")
    .replaceAll(/^.*(?:[;{}]\s*|=>.*|\)\s*:)$/gm, "");

/** Of the first line that says something; a list is not a sentence. */
function firstSentence(prose: string): string {
  const lines = prose.split(/\r\n|\n|\r/).slice(0, linesMax);
  const isList = (line: string) => /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line);
  const said = (line: string) => /[\p{L}\p{N}]{2}/u.test(plainWords(line));
  const line = lines.find((each) => said(each) && !isList(each)) ?? lines.find(said) ?? "";
  const plain = plainWords(line).replace(
    /^(?:hi|hello|hey|good (?:morning|evening)|hallo|bonjour|hola)\b[\s,!.]*(?=\S)/i,
    "",
  );
  const [, sentence] = /^(.{3,}?(?:[.!?](?=\s|$)|[。！？]))/u.exec(plain) ?? [];
  return (sentence ?? plain).trim();
}

const politeness =
  /^(?:hi|hello|hey|please|kindly|can you|could you|would you|will you|i want(?: you)? to|i would like(?: you)? to|i'd like(?: you)? to|i need(?: you)? to|i have to|we want to|we need to|we would like to|we'd like to|we have to|help (?:me|us)(?: to| with)?|let's|let us|try to|your task is to|the goal is to|goal:|objective:|task:|todo:|how (?:do|can|could|should|would) (?:i|we|you|one)|how to|what is the best way to|what's the best way to)(?![\p{L}])[\s,:]*/iu;

/** Without the time at its end, which is told separately. */
function verbOf(sentence: string, time: string | null): Verb | null {
  const said = sentence.replace(/[.!?]+$/, "");
  let bare = time !== null && said.endsWith(` ${time}`) ? said.slice(0, -time.length - 1) : sentence;
  // "Please, could you help me to" is four of them; nobody is more polite than eight.
  for (let n = 0; n < 8; n++) bare = bare.replace(politeness, "");
  bare = bare.replace(/^(?:read|open|visit|look at|use|take)\b.{0,400}?\b(?:and )?then /i, "");
  const [, thing] = /^what(?:'s| is| are) (.+?)\??$/i.exec(bare) ?? [];
  if (thing !== undefined) return { family: "research", verb: "find out", rest: thing };
  if (/^(?:why|who|when|where|which|whether|is|are|does|do|will|should)\b/i.test(bare))
    return { family: "research", verb: "find out", rest: "" };
  const found = readVerb(bare);
  return found && { ...found, rest: found.rest.replace(/^(?:me|us) (?=an? |the |some )/i, "") };
}

const common: Readonly<Record<string, RegExp>> = {
  en: /(?<!\p{L})(?:the|an?|of|for|to|and|in|with|how|what|my|our|on|is|we|please|that|about|from|all)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:der|die|das|eine?[nrms]?|für|und|mit|wie|ich|wir|den|dem|im|zu|nach|bitte|von|auf|über)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:le|la|les|une?|des|pour|et|avec|comment|du|sur|dans|notre|mon|au)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:el|los|las|una?|para|y|con|cómo|del|por|en|mi|nuestro|de)(?!\p{L})/giu,
  it: /(?<!\p{L})(?:il|gli|per|con|come|della|nel|di|un[oa']?|e|mio)(?!\p{L})/giu,
};

function looksEnglish(prose: string): boolean {
  const sample = plainWords(prose.slice(0, 2_000));
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin / letters < 0.7) return false;
  const count = (language: string) => sample.match(common[language] ?? /$^/g)?.length ?? 0;
  const [english, ...others] = ["en", "de", "fr", "es", "it"].map(count);
  return others.every((other) => other <= (english ?? 0));
}

const people =
  "beginners|children|kids|pupils|students|people|teams?|users|customers|clients|parents|families|family|neighbou?rs|members|volunteers|staff|friends|colleagues|seniors|teenagers|teens|residents|readers|developers|managers|guests|teachers|engineers|adults|newcomers|employees|visitors|owners|designers|patients|players|daughter|son|mother|father|grandmother|grandfather|wife|husband|partner|boss";

function audienceOf(prose: string): string | null {
  const found = new RegExp(`\\bfor ((?:[\\p{L}\\d'’-]+ ){0,4}(?:${people}))\\b`, "iu").exec(prose)?.[1];
  return found === undefined ? null : found.replaceAll(/\b(?:my|our)\b/gi, "your");
}

const months = "January|February|March|April|May|June|July|August|September|October|November|December";
const times = `(?:${months})(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? 20\\d\\d)?|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|spring|summer|autumn|winter|Christmas|Easter|week(?:end)?|month|quarter|year|tomorrow|20\\d\\d(?:-\\d\\d(?:-\\d\\d)?)?`;

function timeOf(prose: string): string | null {
  const fixed = new RegExp(
    `\\b((?:by|before|until|in|on|this|next|during) (?:the )?(?:end of |beginning of |early |late |next |this )?(?:the )?(?:${times}))(?![\\w-])`,
  ).exec(prose)?.[1];
  const span =
    /\b((?:in|within|over) (?:the next )?(?:\d+|two|three|four|five|six|eight|ten|twelve|a) (?:days?|weeks?|months?|years?))\b/i;
  return fixed ?? span.exec(prose)?.[1] ?? null;
}

function placeOf(sentence: string): string | null {
  const found = /\b(?:in|near|around) ((?:the )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,3})/u.exec(sentence)?.[1];
  return found === undefined || new RegExp(`^(?:the )?(?:${times})`).test(found) ? null : found;
}

/** Lines of a list; else what follows a colon, or what is to be compared, where it is a list. */
function partsOf(whole: string, sentence: string, verb: Verb | null): readonly string[] {
  const lines = withoutCode(whole.slice(0, 100_000))
    .split(/\r\n|\n|\r/)
    .slice(0, linesMax);
  const bullets = lines.filter((line) => /^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z]\))\s+\S/.test(line));
  const inline = /:\s*(.+)$/.exec(sentence)?.[1] ?? (verb && isChoice(verb) ? verb.rest : "");
  const split = inline
    .replace(/^between /i, "")
    .split(/\s*(?:,|;|、|，|\bvs\.?\b|\bversus\b)\s*(?:and |or |und |et |y )?|\s+(?:and|or|und|oder|et|ou|y|o)\s+/);
  const found =
    bullets.length >= 2
      ? bullets
      : split.length >= 2
        ? split.map((part) => part.replace(/ (?:for|in terms of|with regard to) .*$/i, ""))
        : [];
  const cleaned = found
    .slice(0, 60)
    .map(asPart)
    .filter((part) => /\p{L}{2}/u.test(part) && part.length <= 60);
  const unique = [...new Map(cleaned.map((part) => [part.toLowerCase(), part])).values()];
  return unique.length >= 2 ? unique.slice(0, most.parts) : [];
}

/** A heading, so without commas and with nothing at its ends. */
function asPart(line: string): string {
  const bare = plainWords(line.replace(/^\s*(?:\[[ xX]\]|[a-z]\))\s*/, "")).replace(/^(?:\[[ xX]?\]|x) /, "");
  const short = shorten(bare.replace(/\s*[–—:(].*$/, "").replace(/[,;].*$/, ""), 58);
  return short.replace(/[.?!…\s]+$/, "").replace(/^(?:the|an?) /i, "");
}

function questionsOf(prose: string): readonly string[] {
  const lines = prose.split("\n").slice(0, linesMax).map(plainWords);
  const found = lines.flatMap((line) => line.match(/[^.!?。！？]{4,200}[?？]/gu) ?? []);
  return found.slice(0, most.questions).map((question) => question.trim().replace(/^[-–,;:\s]+/, ""));
}

const linksOf = (text: string): readonly string[] =>
  [...new Set((text.match(/https?:\/\/[^\s)>\]"'`]+/g) ?? []).map((url) => url.replace(/[.,;:!?]+$/, "")))].slice(
    0,
    most.links,
  );
