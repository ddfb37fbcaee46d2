// What the checks of a run ask for beyond what the demo makes anyway, read from their words: those the user gave, and those that
// are red.

import type { CheckLine } from "../../domain/planner/view.ts";

export type Wish = {
  readonly kind: "document" | "count" | "named" | "judged" | "beyond";
  readonly about: string;
  readonly isRed: boolean;
  /** Of a thing, its kind; of a document, part of its title, or its id, or nothing: all together. */
  readonly entity: string;
  readonly which: string;
  /** How many more things, or words. */
  readonly missing: number;
  readonly headings: readonly string[];
  readonly sources: number;
  /** The document is there, and lacks something. */
  readonly isThere: boolean;
  readonly findings: readonly string[];
};

const byUser = /^asked for by the user: /;
const numberIn = (text: string, pattern = /(\d+)/): number => Number(pattern.exec(text)?.[1] ?? 0);

export const readWishes = (checks: readonly CheckLine[]): readonly Wish[] =>
  checks
    .filter(({ isGreen, about }) => isGreen === false || (isGreen === null && byUser.test(about)))
    .filter(({ id }) => id !== "plan_complete")
    .map(readWish);

function readWish({ id, about, isGreen, seen }: CheckLine): Wish {
  const isRed = isGreen === false;
  const text = about.replace(byUser, "").replace(/ \(for [^()]*\)$/, "");
  const empty = { kind: "beyond", about: text, isRed, entity: "document", which: "", missing: 0 } as const;
  const base: Wish = { ...empty, headings: [], sources: 0, isThere: false, findings: [] };
  if (/^a judge agrees/.test(text) || id.startsWith("judge:"))
    return { ...base, kind: "judged", findings: isRed ? readFindings(seen) : [] };
  const [, least, kind = ""] = /at least (\d+) (\w+?)s? created or changed/.exec(text) ?? [];
  const missing = Number(least) - (isRed ? numberIn(seen) : 0);
  if (least !== undefined) return { ...base, kind: "count", entity: kind, missing: Math.max(0, missing) };
  const [, entity, which = ""] = /^there is an? (\w+) with “(.*)” in its title/.exec(text) ?? [];
  if (entity !== undefined) return { ...base, kind: "named", entity, which };
  return /^document |documents? (?:together|with)/.test(text) ? readDocument(base, seen) : base;
}

/** A judge that was not asked has found nothing. */
function readFindings(seen: string): readonly string[] {
  if (/not asked|nothing to judge|could not be asked/.test(seen)) return [];
  const findings = seen.replace(/^.*?\bmisses /, "").split(/;\s+|\n/);
  return findings.filter((each) => each.trim() !== "").slice(0, 10);
}

function readDocument(base: Wish, seen: string): Wish {
  const { about, isRed } = base;
  const which = /with “(.*?)” in its title/.exec(about)?.[1] ?? /^document ([0-9a-f-]{36})/.exec(about)?.[1] ?? "";
  const isThere = isRed && !/there is no|no such/.test(seen);
  const all = (/the headings (.*?)(?:, \d+ (?:words|sources)|$)/.exec(about)?.[1] ?? "").split(", ");
  // What was seen names the headings that are not there.
  const headings = all.filter((heading) => heading.trim() !== "" && (!isThere || seen.includes(heading)));
  const missing = Math.max(0, numberIn(about, /(\d+) words/) - (isThere ? numberIn(seen) : 0));
  return { ...base, kind: "document", which, headings, missing, sources: numberIn(about, /(\d+) sources/), isThere };
}
