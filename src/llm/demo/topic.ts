// From what an objective says to words that fit into the middle of an English sentence: "the launch of a repair café",
// "playing the piano", “…” for everything that cannot be turned into a noun safely.

import { listed, shorten } from "./phrase.ts";
import type { Family, Verb } from "./read-verbs.ts";

const topicMax = 80;
const topicWords = 13;

/** What some verbs make of their object. */
const nouns: readonly (readonly [RegExp, string])[] = [
  [/^document$/, "the documentation of"],
  [/^describe$/, "the description of"],
  [/^translate$/, "the translation of"],
  [/^outline$/, "the outline of"],
  [/^(?:edit|proofread|rewrite)$/, "the revision of"],
  [/^migrate$/, "the migration of"],
  [/^upgrade$/, "the upgrade of"],
  [/^move$/, "the move of"],
];

/** Subjects are rarely "the" something; things that are planned, mended or written nearly always are. */
const bareFamilies: readonly Family[] = ["research", "learn"];

/** What is compared, as a list. */
export const choiceOf = (parts: readonly string[]): string | null =>
  bounded(`the choice between ${listed(parts)}`, true);

export function topicOf({ family, verb, rest: whole }: Verb): string | null {
  const rest = verb === "explain" ? whole.replace(/ to (?:an?|my|our|the|your) .*$/i, "") : whole;
  const [, infinitive, after = ""] = /^(?:how )?to (\p{L}+)(.*)$/iu.exec(rest) ?? [];
  if (infinitive !== undefined) return bounded(`${gerund(infinitive)}${after}`);
  if (/^(?:whether|if|how|why|what|which|who|when|where)\b/i.test(rest)) return bounded(`the question ${rest}`);
  if (family === "write" && /^(?:about|on|to)\b/i.test(rest)) return bounded(`the text ${rest}`);
  if (!/^[\p{L}\p{N}“"'‘]/u.test(rest)) return null;
  const noun = nouns.find(([pattern]) => pattern.test(verb))?.[1];
  const thing = withArticle(rest.replace(/^between /i, ""), family);
  return bounded(noun === undefined ? thing : `${noun} ${thing}`);
}

const determined =
  /^(?:the|an?|this|that|these|those|my|our|your|his|her|its|their|some|any|all|each|every|both|no|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\b/i;

function withArticle(thing: string, family: Family): string {
  const head =
    /^[^\s,]+(?:\s+(?!(?:of|for|in|on|at|to|with|by|from|about|and|or|that|which|who|so|before|after|between|versus|vs)\b)[^\s,]+)*/i.exec(
      thing,
    )?.[0] ?? thing;
  const isPlural = /(?:[^su]s|men|people|children)$/i.test(head);
  const isName = /\p{Lu}|\d/u.test(head);
  return determined.test(thing) || isPlural || isName || bareFamilies.includes(family) ? thing : `the ${thing}`;
}

/** Short enough to be said often; what is cut is cut where a new thought begins. */
function bounded(topic: string, isList = false): string | null {
  let short = yours(
    topic
      .replace(isList ? /[;:].*$/ : /[,;:].*$/, "")
      .replace(/[.!?…\s]+$/, "")
      .trim(),
  );
  const isLong = () => short.length > topicMax || short.split(" ").length > topicWords;
  for (let cuts = 0; isLong() && cuts < 40; cuts++) {
    const cut = short.replace(
      /^(.{8,})\s(?:for|with|by|before|after|until|in|on|so that|so|that|which|who|using|and|because|from|to|at|where|including)\s.*$/i,
      "$1",
    );
    if (cut === short) break;
    short = cut;
  }
  if (isLong() || short.length < 2) return null;
  return isPlain.test(short) ? short : null;
}

/** Everything else is quoted: signs in the middle of our own sentence would look like ours. */
const isPlain = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ,'’&%+#.€£-]*$/u;

/** We speak to the person who wrote it. */
function yours(text: string): string {
  return text
    .replaceAll(/\bmyself\b/gi, "yourself")
    .replaceAll(/\bourselves\b/gi, "yourselves")
    .replaceAll(/\b(?:my|our)\b/gi, "your")
    .replaceAll(/\b(?:mine|ours)\b/gi, "yours")
    .replaceAll(/\b(?:I|we) (?:am|are)\b/g, "you are")
    .replaceAll(/\b(?:I'm|we're)\b/g, "you are")
    .replaceAll(/\b(?:I|we|me|us)\b/g, "you");
}

function gerund(verb: string): string {
  const word = verb.toLowerCase();
  if (/ie$/.test(word)) return `${word.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(word)) return `${word.slice(0, -1)}ing`;
  if (/^[^aeiou]*[aeiou][^aeiouwxy]$/.test(word)) return `${word}${word.at(-1)}ing`;
  return `${word}ing`;
}

/** For what cannot be said as a noun: its beginning, as a quotation. */
export const quotedTopic = (sentence: string): string =>
  sentence === ""
    ? "this objective"
    : `“${shorten(sentence.replaceAll(/["“”„«»]/g, "'"), 64).replace(/[.!。！]+$/u, "")}”`;

/** For titles: without quotation marks and article, with a capital. */
export function nameOf(topic: string): string {
  const bare = topic
    .replaceAll(/[“”]/g, "")
    .replace(/^(?:the question |(?:the|an?|your) )/i, "")
    .replace(/[.!。！．\s]+$/u, "")
    .trim();
  const name = shorten(bare === "" ? "Untitled" : bare, 60);
  return `${[...name][0]?.toUpperCase() ?? ""}${[...name].slice(1).join("")}`;
}

/** For what has been named before: "the launch" instead of "the launch of a repair café". */
export function shortOf(topic: string): string {
  if (topic.startsWith("the question ")) return "this question";
  if (topic.startsWith("“")) return topic.includes("?") || topic.includes("？") ? "this question" : "this objective";
  const [, article = "", head] =
    /^(the|an?|your|this) (.+?)(?= (?:of|for|in|on|at|to|with|by|from|about|that|which|who|before|after|between|using|and|or|against|without) |$)/iu.exec(
      topic,
    ) ?? [];
  if (head === undefined) return topic;
  return `${/^an?$/i.test(article) ? "the" : article} ${head}`;
}

const orders =
  /^(?:bitte )?(?:planen?|plant|organisieren?|bereite|schreiben?|schreib|verfasse|vergleichen?|recherchieren?|untersuche|lernen?|erkläre|reparieren?|verbessern?|erstellen?|entwickeln?|baue?n?|planifi(?:ez?|er)|organis(?:ez?|er)|prépar(?:ez?|er)|écri(?:vez|re|s)|rédig(?:ez?|er)|compar(?:ez?|er)|recherch(?:ez?|er)|planificar?|organizar?|escrib(?:e|ir)|comparar?|investigar?|preparar?|organizza|pianifica|scrivi|confronta)\s+(?:bitte )?/iu;

/** Without the order at its front, where it is one we know. */
export function withoutOrder(sentence: string): string {
  const bare = sentence
    .replace(orders, "")
    .replace(/^(?:eine?[nrms]?|d(?:er|ie|as|en|em)|une?|les?|la|el|los|las|un[oa]?|il)\s+/iu, "");
  return bare !== sentence && /\p{L}{3}/u.test(bare) && orders.test(sentence) ? bare : sentence;
}
