// What the checks of a run ask for beyond what the demo makes anyway, read from their words: those the user gave, and those that
// are red.

import type { CheckLine } from "../../domain/planner/view.ts";

export type Wish = { readonly about: string; readonly isRed: boolean } & (
  | {
      readonly kind: "document";
      /** Part of a title, or an id; empty: the documents together. */
      readonly which: string;
      readonly headings: readonly string[];
      readonly words: number;
      readonly sources: number;
      readonly isThere: boolean;
    }
  /** `missing`: how many more of them. */
  | { readonly kind: "count"; readonly entity: string; readonly missing: number }
  | { readonly kind: "named"; readonly entity: string; readonly title: string }
  | { readonly kind: "judged"; readonly findings: readonly string[] }
  | { readonly kind: "beyond" }
);

const byUser = /^asked for by the user: /;

export const readWishes = (checks: readonly CheckLine[]): readonly Wish[] =>
  checks
    .filter(({ isGreen, about }) => isGreen === false || (isGreen === null && byUser.test(about)))
    .flatMap((check) => readWish(check));

function readWish({ id, about, isGreen, seen }: CheckLine): readonly Wish[] {
  const isRed = isGreen === false;
  const text = about.replace(byUser, "").replace(/ \(for [^()]*\)$/, "");
  const base = { about: text, isRed };
  if (id === "plan_complete" || /^every step of the plan/.test(text)) return [];
  if (/^a judge agrees/.test(text) || id.startsWith("judge:")) return readJudged(base, seen);
  const [, least = "", kind = "task"] = /at least (\d+) of kind (\w+)/.exec(text) ?? [];
  const known = isRed ? Number(/\d+/.exec(seen)?.[0] ?? 0) : 0;
  if (least !== "") return [{ ...base, kind: "count", entity: kind, missing: Math.max(0, Number(least) - known) }];
  const [, entity, title = ""] = /^an? (\w+) called like "(.*)" is there/.exec(text) ?? [];
  if (entity !== undefined) return [{ ...base, kind: "named", entity, title }];
  if (/^document |documents? (?:together|called)/.test(text)) return [readDocument(base, text, seen)];
  return [{ ...base, kind: "beyond" }];
}

type Base = { readonly about: string; readonly isRed: boolean };

function readJudged(base: Base, seen: string): readonly Wish[] {
  // A judge that was not asked has found nothing.
  if (!base.isRed || /not asked|nothing to judge|could not be asked/.test(seen)) return [];
  const findings = seen.replace(/^.*?\bmisses /, "").split(/;\s+|\n/);
  return [
    {
      ...base,
      kind: "judged",
      findings: findings
        .map((each) => each.trim())
        .filter((each) => each !== "")
        .slice(0, 10),
    },
  ];
}

function readDocument(base: Base, text: string, seen: string): Wish {
  const which = /called like "(.*?)" ha/.exec(text)?.[1] ?? /^document ([0-9a-f-]{36})/.exec(text)?.[1] ?? "";
  const [, all = ""] = /the headings (.*?)(?:, \d+ (?:words|sources)|$)/.exec(text) ?? [];
  const isThere = base.isRed && !/there is no|no such/.test(seen);
  const words = Number(/(\d+) words/.exec(text)?.[1] ?? 0);
  return {
    ...base,
    kind: "document",
    which,
    // What was seen names the headings that are not there.
    headings: all.split(", ").filter((heading) => heading.trim() !== "" && (!isThere || seen.includes(heading))),
    words: isThere ? Math.max(0, words - Number(/\d+/.exec(seen)?.[0] ?? 0)) : words,
    sources: Number(/(\d+) sources/.exec(text)?.[1] ?? 0),
    isThere,
  };
}
