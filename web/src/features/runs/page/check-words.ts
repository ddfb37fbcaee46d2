// A check as a sentence: what the platform looks for, and who asked for it. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";

export type RunCheck = Run["completion_criteria"][number];

export const givenByWords: Readonly<Record<RunCheck["given_by"], string>> = {
  user: "From you",
  planner: "From the planner",
  platform: "Built-in",
};

type Target = RunCheck["target"];

export function checkWords({ kind, target }: Pick<RunCheck, "kind" | "target">): string {
  const tell = sentences[kind];
  return tell ? tell(target) : `${kind.replaceAll("_", " ")}: ${JSON.stringify(target)}`;
}

const sentences: Readonly<Record<string, (target: Target) => string>> = {
  plan_complete: () => "Every step of the plan is done and shows what it made",
  entity_exists: (target) => `There is a ${text(target.entity)} with “${text(target.title_like)}” in its title`,
  entity_count: (target) =>
    `There are at least ${text(target.at_least)} ${plural(text(target.entity), target.at_least)}`,
  entity_state: (target) => `The thing ${text(target.entity_id)} is “${text(target.state)}”`,
  document_has: documentWords,
  link_exists: (target) => `A link “${text(target.rel)}” joins ${text(target.src_id)} and ${text(target.dst_id)}`,
  file_exists: (target) =>
    target.path === "." ? "A file was made or changed" : `There is a file ${text(target.path)}`,
  command_succeeds: (target) => `The command “${[text(target.program), ...texts(target.args)].join(" ")}” succeeds`,
  http_ok: (target) => `${text(target.url)} answers without an error`,
  judge: (target) =>
    `A judge agrees: ${text(target.rubric).replaceAll("what the user asked for", "what you asked for")}`,
};

function documentWords(target: Target): string {
  const title = text(target.title_like);
  const headings = texts(target.headings);
  const words = Number(target.words_at_least ?? 0);
  const sources = Number(target.sources_at_least ?? 0);
  const which =
    typeof target.document_id === "string"
      ? `The document ${target.document_id}`
      : title === ""
        ? "The documents of this run"
        : `A document with “${title}” in its title`;
  const parts = [
    ...(headings.length > 0
      ? [`the ${headings.length === 1 ? "heading" : "headings"} ${headings.map((each) => `“${each}”`).join(", ")}`]
      : []),
    ...(words > 0 ? [`at least ${words} words`] : []),
    ...(sources > 0 ? [`at least ${sources} sources`] : []),
  ];
  const verb = which.startsWith("The documents") ? "have" : "has";
  return parts.length === 0
    ? `${which} ${verb === "has" ? "is" : "are"} there`
    : `${which} ${verb} ${parts.join(", ")}`;
}

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : []);
const plural = (noun: string, count: unknown) => (count === 1 ? noun : `${noun}s`);
