// The summary's part of the demo model: the facts of a run told in five to ten sentences, in the language of its objective. It
// says nothing that is not among them.

import { z } from "zod";
import { listed, shorten } from "./phrase.ts";
import { readObjective } from "./read-objective.ts";

const thing = z.looseObject({ type: z.string(), title: z.string() });
const proof = z.looseObject({ about: z.string(), isGreen: z.boolean(), seen: z.string() });
const text = z.string();
const lists = { created: z.array(thing), updated: z.array(thing), proofs: z.array(proof) };
export const reportFacts = z.looseObject({
  objective: text,
  status: text,
  why: text,
  iterations: z.number(),
  ...lists,
});
export type ReportFacts = z.output<typeof reportFacts>;

export function summariseByRules(facts: ReportFacts): string {
  const { objective, status, why, created, updated, proofs, iterations } = facts;
  const { say } = readObjective(objective);
  const many = (type: string) => created.filter((each) => each.type === type).length;
  const types = [...new Set(created.map(({ type }) => type))];
  const things = types.map((type) => `${many(type)} ${type}${many(type) === 1 ? "" : "s"}`);
  const first = created.filter(({ type }) => type !== "project").slice(0, 3);
  const titles = first.map(({ title }) => `“${shorten(title, 80)}”`);
  const red = proofs.find(({ isGreen }) => !isGreen);
  const green = proofs.filter(({ isGreen }) => isGreen).length;
  return [
    say("sum-asked"),
    say("sum-ended", { status, n: iterations }),
    created.length === 0 ? say("sum-nothing") : say("sum-made", { things: listed(things, say("and")) }),
    ...(titles.length === 0 ? [] : [say("sum-titles", { titles: listed(titles, say("and")) })]),
    ...(updated.length === 0 ? [] : [say("sum-changed", { n: updated.length })]),
    say("sum-green", { n: proofs.length, green }),
    ...(red ? [say("sum-red", { about: shorten(red.about, 160), seen: shorten(red.seen, 160) })] : []),
    ...(status === "completed" || why === "" ? [] : [say("sum-why", { why: shorten(why, 200).replace(/[.]$/, "") })]),
    say("sum-rules"),
  ].join(" ");
}
