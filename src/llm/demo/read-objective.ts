// Reads an objective by rules: what it is about, and what kind of work it is. It looks at the text only; what an objective orders the
// reader to do is a topic like any other.

import { type Aspect, aspects } from "./aspects.ts";
import { capital, plainWords, shorten } from "./text.ts";

export type Reading = {
  readonly name: string;
  /** For the middle of a sentence. */
  readonly topic: string;
  /** What was asked, in its own words, on a line. */
  readonly quote: string;
  readonly family: "event" | "research" | "write" | "project";
  readonly isQuestion: boolean;
  /** False: there is no word that one could work on. */
  readonly isWorkable: boolean;
};

/** What is further down is detail; patterns over more of it would take long and find no other topic. */
const readMax = 8_000;
const most = { topic: 80, name: 60, quote: 400 } as const;

/** Before the matter itself: politeness, and the order. */
const polite =
  /^(?:hi|hello|hey|please|(?:can|could|would) you|(?:i|we)(?: would|'d)? (?:want|need|like)(?: you)? to|help (?:me|us)(?: to| with)?)[\s,:!]+/i;
const order =
  /^(?:plan(?: out)?|prepare|organi[sz]e|set up|start|build|develop|create|make|design|write(?: up)?|draft|document|describe|research|compare|evaluate|investigate|summari[sz]e|find(?: out)?|fix|repair|improve|reduce|learn|list|collect)\s+(?:(?:me|us) )?/i;

const families = {
  research:
    /^(?:research|find|look into|investigate|compare|evaluate|analy[sz]e|choose|decide|recommend|summari[sz]e)\b/i,
  write: /^(?:write|draft|document|compose|describe|translate)\b/i,
  event:
    /\b(?:event|launch|part(?:y|ies)|festival|conference|meet-?up|workshop|caf[eé]|wedding|concert|fair|market|exhibition|opening|birthday)(?!\p{L})/iu,
  project: /^/,
} as const;
const question = /^(?:what|which|who|whom|when|where|why|how|is|are|does|do|can|should|will)\b.*[?？]$/i;

export function readObjective(objective: string): Reading {
  const text = objective.toWellFormed().trim().slice(0, readMax).toWellFormed();
  const prose = text.replaceAll(/(```|~~~)[\s\S]*?(?:\1|$)/g, "\n");
  // "Please, could you help me to" is three of them.
  const asked = [1, 2, 3].reduce((rest) => rest.replace(polite, ""), `${firstSentence(prose)} `).trim();
  const isQuestion = question.test(asked);
  const found = (["research", "write", "event", "project"] as const).find((each) => families[each].test(asked));
  const subject = findSubject(asked);
  const [, part, whole = subject] = partOf.exec(asked) ?? [];
  const isNamed = /[\p{L}\p{N}]/u.test(subject);
  const named = (part === undefined ? subject : `${part} for ${whole}`).replace(/^(?:the|an?|your) /i, "");
  return {
    name: isNamed ? capital(shorten(named, most.name)) : "Untitled",
    topic: isNamed ? `“${shorten(whole, most.topic)}”` : "this objective",
    quote: shorten(plainWords(prose), most.quote),
    family: isQuestion ? "research" : (found ?? "project"),
    isQuestion,
    isWorkable: /[\p{L}\p{M}]{3}|\p{Lo}{2}/u.test(subject),
  };
}

/** What there is to say: the aspects that the objective names, else those of its kind of work. */
export function aspectsFor({ quote, family }: Reading): readonly Aspect[] {
  const named = aspects.filter(({ title }) => quote.includes(`“${title}”`));
  return named.length > 0 ? named : aspects.filter((aspect) => aspect.family === family);
}

/** Of the first line that says something. */
function firstSentence(prose: string): string {
  const lines = prose.split(/\r\n|\n|\r/).map(plainWords);
  const line = lines.find((each) => /[\p{L}\p{N}]{2}/u.test(each)) ?? "";
  return (/^.{3,}?(?:[.!?](?=\s|$)|[。！？])/u.exec(line)?.[0] ?? line).trim();
}

/** A part of something, as the tasks of an outcome name it: what it is a part of is the topic. */
const partOf = /^Draft “([^“”]+)” for “(.+?)”/;

/** What is left of a sentence without its order, said to the person who wrote it. */
function findSubject(asked: string): string {
  const bare = `${asked} `.replace(order, "").replace(/(?<=.{8})[,;:] .*$/, "");
  const plain = bare.replace(/[.!?:。！？…\s]+$/u, "").replaceAll(/["“”„«»]/g, "'");
  return plain.replaceAll(/\b(?:my|our)\b/gi, "your").replaceAll(/\b(?:me|us|I|we)\b/g, "you");
}
