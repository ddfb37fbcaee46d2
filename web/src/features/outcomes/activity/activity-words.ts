// How the lines of the activity log look, and why HOMЯ did what they tell. Which kind of line it is, the contract says. Pure.

import type { HomrActivity, Observation } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";

/** What the log can be narrowed to. */
export const activityChoices: Readonly<Record<HomrActivity["type"], string>> = {
  observation: "Results checked",
  steering: "Corrections",
  escalation: "Questions",
  resolution: "Decisions",
  review: "Reviews",
  supervision: "Notes",
};

const activityColors: Readonly<Record<HomrActivity["type"], string>> = {
  observation: tone.atWork,
  steering: tone.strong,
  escalation: tone.needsYou,
  resolution: tone.atWork,
  review: tone.passed,
  supervision: tone.plain,
};

/** A checked result has the colour of its verdict; lines from before verdicts were kept are plain. */
export function activityColor({ type, details }: Pick<HomrActivity, "type" | "details">): string {
  if (type !== "observation") return activityColors[type];
  if (typeof details.on_track !== "boolean") return tone.plain;
  return details.on_track ? tone.passed : tone.failure;
}

type SummaryPart = { readonly at: number; readonly text: string; readonly number: number | null };

/** The line in parts: numbers of tasks, such as `#5`, and what stands between them. */
export const splitNumbers = (summary: string): readonly SummaryPart[] => {
  let at = 0;
  return summary.split(/(#\d{1,6}\b)/).map((text) => {
    const part = { at, text, number: /^#\d{1,6}$/.test(text) ? Number(text.slice(1)) : null };
    at += text.length;
    return part;
  });
};

/** Why it was done; null where the line says it itself. */
export function causeWords({ cause, type }: Pick<HomrActivity, "type" | "cause">): string | null {
  if (type === "observation") return null;
  switch (cause.kind) {
    case "drift":
      return `The result went off course: ${cause.drift === undefined ? "drift" : driftWords[cause.drift].toLowerCase()}.`;
    case "discovery":
      return "A task found out something that others need to know.";
    case "wish":
      return "The result called for a change of the plan.";
    case "pattern":
      return "Several results in a row went wrong.";
    case "ambiguity":
      return "The result left a decision open.";
    case "review":
      return cause.cycle === undefined ? null : `Review ${cause.cycle} of the whole result.`;
    default:
      return null;
  }
}

const qualityWords: Readonly<Record<Observation["quality"], string>> = {
  good: "Good quality",
  needs_work: "Needs work",
  off_rails: "Unusable",
};

export const driftWords: Readonly<Record<Observation["drift"][number]["type"], string>> = {
  scope_creep: "Did more than asked",
  wrong_direction: "Wrong direction",
  missed_requirement: "Missed a requirement",
  contradicts_design: "Contradicts the approach",
};

export const verdictWords = ({
  on_track: onTrack,
  alignment_score: score,
  quality,
}: Pick<Observation, "on_track" | "alignment_score" | "quality">): string =>
  `${onTrack ? "On course" : "Off course"} · ${score} of 100 · ${qualityWords[quality]}`;

/** A failed attempt is no success, however well it fits what was asked for. */
export const verdictColor = ({ on_track, has_succeeded }: Pick<Observation, "on_track" | "has_succeeded">): string =>
  on_track ? (has_succeeded ? tone.passed : tone.plain) : tone.failure;

/** A detail that the log keeps beside its line, where it is there and a text. */
export function textDetail({ details }: Pick<HomrActivity, "details">, name: string): string | null {
  const found = details[name];
  return typeof found === "string" && found !== "" ? found : null;
}

export function listDetail({ details }: Pick<HomrActivity, "details">, name: string): readonly string[] {
  const found = details[name];
  return Array.isArray(found) ? found.filter((each): each is string => typeof each === "string") : [];
}

/** The lines of each day together, in the order in which they come. */
export function groupByDay<Line extends { readonly created_at: string }>(
  lines: readonly Line[],
  dayOf: (at: string) => string,
): readonly { readonly day: string; readonly lines: readonly Line[] }[] {
  const groups: { readonly day: string; readonly lines: Line[] }[] = [];
  for (const line of lines) {
    const day = dayOf(line.created_at);
    const last = groups.at(-1);
    if (last?.day === day) last.lines.push(line);
    else groups.push({ day, lines: [line] });
  }
  return groups;
}
