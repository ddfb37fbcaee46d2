// The summary's part of the demo model: the facts of a run told in five to ten sentences. It says nothing that is not among
// them.

import { capital, count, listed, shorten } from "./phrase.ts";
import { readObjective } from "./read-objective.ts";

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

export function summariseByRules(facts: ReportFacts): string {
  const { topic } = readObjective(facts.objective);
  const sentences = [
    `You asked for help with ${topic}.`,
    `The run ended as ${facts.status} after ${count(facts.iterations, "iteration")}.`,
    madeSentence(facts.created),
    ...titlesSentences(facts.created),
    ...(facts.updated.length === 0
      ? []
      : [
          `It changed ${count(facts.updated.length, "thing")} that ${facts.updated.length === 1 ? "was" : "were"} there already.`,
        ]),
    proofSentence(facts.proofs),
    ...redSentence(facts.proofs),
    nextSentence(facts),
    "This was told by the demo model, which follows rules and is no AI: it structures an objective and looks nothing up.",
  ];
  return sentences.slice(0, 10).join(" ");
}

function madeSentence(created: readonly Thing[]): string {
  if (created.length === 0) return "It made nothing.";
  const counts = new Map<string, number>();
  for (const { type } of created) counts.set(type, (counts.get(type) ?? 0) + 1);
  return `It made ${listed([...counts].map(([type, many]) => count(many, type)))}.`;
}

function titlesSentences(created: readonly Thing[]): readonly string[] {
  const named = (type: string) =>
    created.filter((thing) => thing.type === type).map(({ title }) => `“${shorten(title, 80)}”`);
  const tasks = named("task");
  const pages = named("document");
  return [
    ...(pages.length === 0 ? [] : [`Among the pages ${pages.length === 1 ? "is" : "are"} ${listed(pages.slice(-3))}.`]),
    ...(tasks.length === 0 ? [] : [`The tasks begin with ${listed(tasks.slice(0, 3))}.`]),
  ];
}

function proofSentence(proofs: ReportFacts["proofs"]): string {
  if (proofs.length === 0) return "No check was run.";
  const green = proofs.filter(({ isGreen }) => isGreen).length;
  const all = green === proofs.length ? "all of them are green" : `${count(green, "of them is", "of them are")} green`;
  return `The platform ran ${count(proofs.length, "check")}, and ${proofs.length === 1 ? (green === 1 ? "it is green" : "it is red") : all}.`;
}

function redSentence(proofs: ReportFacts["proofs"]): readonly string[] {
  const red = proofs.filter(({ isGreen }) => !isGreen);
  const [first] = red;
  if (!first) return [];
  return [
    `What is missing: ${shorten(first.about, 160)} (${shorten(first.seen, 160)})${red.length > 1 ? `, and ${count(red.length - 1, "more check")}` : ""}.`,
  ];
}

function nextSentence({ status, why, created }: ReportFacts): string {
  const overview = created.find(({ type, title }) => type === "document" && title.startsWith("Overview:"));
  if (status === "completed" && overview) return `A good place to begin is the page “${shorten(overview.title, 80)}”.`;
  if (status === "completed") return "Everything it made can be opened from this report.";
  return why
    ? `It ended there because: ${capital(shorten(why, 200)).replace(/[.]$/, "")}.`
    : "It can be resumed from where it is.";
}
