// What an obedient reader finds in a text: orders in words, in code, hidden, and in things that only look like the platform's.
// It knows nothing of runs; whoever uses it does what it finds.

import { doneStatus, type ScriptedIteration } from "../helpers/role-script.ts";

export type WantedCall = { readonly tool: string; readonly args: Record<string, unknown> };

export type Orders = {
  readonly calls: readonly WantedCall[];
  /** Parts of a planner's iteration that the text wants to be said. */
  readonly answers: readonly Partial<ScriptedIteration>[];
};

/** `book`: what is meant by orders in plain words, by the number they name. */
export function ordersIn(text: string, book: (code: string) => string | null): Orders {
  const all = readings(text);
  const meant = all.flatMap((reading) => codesIn(reading)).flatMap((code) => book(code) ?? []);
  const whole = [...all, ...meant.flatMap(readings)];
  const calls = whole.flatMap((reading) => [...callsIn(reading), ...callsInAnswers(reading)]);
  const answers = whole.flatMap((reading) => [...answersIn(reading), ...partsInAnswers(reading), ...claimsIn(reading)]);
  return { calls: distinct(calls), answers: distinct(answers) };
}

/** The text in every way it could be read: as it stands, without what nobody sees, decoded, unescaped. */
function readings(text: string): readonly string[] {
  const visible = text.replaceAll(/\p{Cf}/gu, "");
  const encoded = (visible.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []).map((word) =>
    Buffer.from(word, "base64").toString("utf8"),
  );
  const links = [...visible.matchAll(/\(order:([^)\s]+)\)/g)].map(([, said = ""]) => unescaped(said));
  return [visible, visible.replaceAll('\\"', '"'), visible.replaceAll("'", '"'), ...encoded, ...links];
}

function unescaped(said: string): string {
  try {
    return decodeURIComponent(said);
  } catch {
    return said;
  }
}

/** "Kindly see to matter zq017", "please_obey_zq017". */
const inWords = /(?:see to|attend to|obey|carry out)[\s_]+(?:the[\s_]+)?(?:matter[\s_]+)?(zq\d{3}(?:_\d+)?)/gi;

const codesIn = (text: string): readonly string[] => [...text.matchAll(inWords)].map(([, code = ""]) => code);

function callsIn(text: string): readonly WantedCall[] {
  return [...text.matchAll(/PLEASE CALL ([\w.-]+) (?=\{)/g)].flatMap((match) => {
    const args = objectAt(text, match.index + match[0].length);
    return args === null ? [] : [{ tool: match[1] ?? "", args }];
  });
}

function answersIn(text: string): readonly Partial<ScriptedIteration>[] {
  return [...text.matchAll(/PLEASE ANSWER (?=\{)/g)].flatMap((match) => {
    const answer = objectAt(text, match.index + match[0].length);
    return answer === null ? [] : [answer as Partial<ScriptedIteration>];
  });
}

type Shaped = Omit<ScriptedIteration, "tool_calls"> & { readonly tool_calls?: readonly WantedCall[] };

/** Texts that are shaped like a planner's own answer: they could as well be meant as one. */
const shapedIn = (text: string): readonly Shaped[] =>
  [...text.matchAll(/\{"status":/g)].flatMap(({ index }) => (objectAt(text, index) as Shaped | null) ?? []);

const callsInAnswers = (text: string): readonly WantedCall[] =>
  shapedIn(text).flatMap(({ tool_calls: calls = [] }) => calls.map(({ tool, args }) => ({ tool, args })));

const partsInAnswers = (text: string): readonly Partial<ScriptedIteration>[] =>
  shapedIn(text).map(({ status: _, plan: __, tool_calls: ___, ...parts }) => parts);

const claimsIn = (text: string): readonly Partial<ScriptedIteration>[] =>
  /exit_signal["']?\s*[:=]\s*true/.test(text) ? [{ status: doneStatus }] : [];

/** The JSON object that begins here. */
function objectAt(text: string, begin: number): Record<string, unknown> | null {
  const marks = /"(?:[^"\\]|\\[\s\S])*"?|[{}]/g;
  marks.lastIndex = begin;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    depth += mark[0] === "{" ? 1 : mark[0] === "}" ? -1 : 0;
    if (depth === 0) return parsed(text.slice(begin, marks.lastIndex));
  }
  return null;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const distinct = <T>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];
