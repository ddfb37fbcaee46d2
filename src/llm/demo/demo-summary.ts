// The summary's part of the demo model: the facts of a run told in five to ten sentences, in the language of its objective. It
// says nothing that is not among them.

import { fill, listed, shorten } from "./phrase.ts";
import { type Language, readObjective } from "./read-objective.ts";

type Thing = { readonly type: string; readonly title: string };

export type ReportFacts = {
  readonly objective: string;
  readonly status: string;
  readonly why?: string | undefined;
  readonly created: readonly Thing[];
  readonly updated: readonly Thing[];
  readonly proofs: readonly { readonly about: string; readonly isGreen: boolean; readonly seen: string }[];
  readonly iterations: number;
};

const phrases = {
  en: {
    asked: "You asked for {topic}.",
    ended: "The run ended as {status} after {n} iteration(s).",
    made: "It made {things}.",
    nothing: "It made nothing.",
    changed: "It changed {n} thing(s) that were there already.",
    titles: "You can begin with {titles}.",
    green: "The platform ran {n} checks, and {green} of them passed.",
    red: "What is missing: {about} ({seen}).",
    why: "It ended there because: {why}.",
    rules:
      "This was told by the demo model, which follows rules and is no AI: it structures an objective and looks nothing up.",
    and: "and",
  },
  de: {
    asked: "Gefragt war {topic}.",
    ended: "Der Lauf endete als {status} nach {n} Iteration(en).",
    made: "Angelegt wurden: {things}.",
    nothing: "Angelegt wurde nichts.",
    changed: "{n} vorhandene Dinge wurden geändert.",
    titles: "Ein guter Anfang: {titles}.",
    green: "Die Plattform hat {n} Prüfungen ausgeführt, {green} davon sind bestanden.",
    red: "Es fehlt: {about} ({seen}).",
    why: "Der Grund für das Ende: {why}.",
    rules:
      "Das erzählt das Demo-Modell (demo model: rules, no AI): Es folgt Regeln, ist keine KI und schlägt nichts nach.",
    and: "und",
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>;

export function summariseByRules({
  objective,
  status,
  why,
  created,
  updated,
  proofs,
  iterations,
}: ReportFacts): string {
  const { topic, language } = readObjective(objective);
  const say = phrases[language];
  const counts = new Map<string, number>();
  for (const { type } of created) counts.set(type, (counts.get(type) ?? 0) + 1);
  const things = [...counts].map(([type, many]) => `${many} ${type}${many === 1 ? "" : "s"}`);
  const first = created.filter(({ type }) => type !== "project").slice(0, 3);
  const green = proofs.filter(({ isGreen }) => isGreen).length;
  const red = proofs.find(({ isGreen }) => !isGreen);
  const isDone = status === "completed";
  return [
    fill(say.asked, { topic }),
    fill(say.ended, { status, n: String(iterations) }),
    things.length === 0 ? say.nothing : fill(say.made, { things: listed(things, say.and) }),
    ...(first.length === 0
      ? []
      : [
          fill(say.titles, {
            titles: listed(
              first.map(({ title }) => `“${shorten(title, 80)}”`),
              say.and,
            ),
          }),
        ]),
    ...(updated.length === 0 ? [] : [fill(say.changed, { n: String(updated.length) })]),
    fill(say.green, { n: String(proofs.length), green: String(green) }),
    ...(red ? [fill(say.red, { about: shorten(red.about, 160), seen: shorten(red.seen, 160) })] : []),
    ...(isDone || !why ? [] : [fill(say.why, { why: shorten(why, 200).replace(/[.]$/, "") })]),
    say.rules,
  ].join(" ");
}
