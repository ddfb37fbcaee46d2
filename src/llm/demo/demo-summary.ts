// The summary's part of the demo model: the facts of a run told in five to ten sentences. It says nothing that is not among them.

import { z } from "zod";
import { readObjective } from "./read-objective.ts";
import { listed, shorten } from "./text.ts";

const text = z.string();
export const reportFacts = z.looseObject({
  objective: text,
  status: text,
  why: text,
  iterations: z.number(),
  created: z.array(z.looseObject({ type: text })),
  proofs: z.array(z.looseObject({ about: text, isGreen: z.boolean(), seen: text })),
});

export function summariseByRules(facts: z.output<typeof reportFacts>): string {
  const { objective, status, why, created, proofs, iterations } = facts;
  const many = (type: string) => created.filter((each) => each.type === type).length;
  const types = [...new Set(created.map(({ type }) => type))];
  const things = types.map((type) => `${many(type)} ${type}${many(type) === 1 ? "" : "s"}`);
  const red = proofs.find(({ isGreen }) => !isGreen);
  const green = proofs.filter(({ isGreen }) => isGreen).length;
  return [
    `You asked for ${readObjective(objective).topic}.`,
    `The run ended as ${status}; iterations: ${iterations}.`,
    `It made ${listed(things) || "nothing"}.`,
    `The platform ran ${proofs.length} checks, and ${green} of them passed.`,
    ...(red ? [`What is missing: ${shorten(red.about, 160)} (${shorten(red.seen, 160)}).`] : []),
    ...(status === "completed" || why === "" ? [] : [`The reason: ${shorten(why, 200).replace(/[.]$/, "")}.`]),
    "This was told by the demo model, which follows rules and is no AI: it structures an objective and looks nothing up.",
  ].join(" ");
}
