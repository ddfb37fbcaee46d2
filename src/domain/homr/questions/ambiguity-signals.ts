// Whether an output shows a doubt that a person should settle. Two witnesses: wording in the output, and the model that observed it.
// Each counts points; `escalationThreshold` says how many are enough to ask.

import { clipLine } from "../../planner/clip.ts";
import type { HomrConfig } from "../homr-config.ts";
import type { AmbiguitySignal } from "../observe/observation.ts";

type SignalKind =
  | "explicit_uncertainty"
  | "explicit_request"
  | "blocker"
  | "assumption"
  | "multiple_approaches"
  | "decision_needed"
  | "contradiction";

export type WordSignal = { readonly kind: SignalKind; readonly quote: string };

/** The seed's, with curved apostrophes and "cannot". */
const wordings: readonly { readonly kind: SignalKind; readonly pattern: RegExp }[] = [
  { kind: "explicit_uncertainty", pattern: /\bI(?:['’]m| am) (?:not sure|unsure|uncertain)/i },
  { kind: "assumption", pattern: /\bassuming (?:that|this)/i },
  { kind: "multiple_approaches", pattern: /\bcould (?:go either|be done|approach)/i },
  { kind: "explicit_request", pattern: /\bneeds? clarification/i },
  { kind: "decision_needed", pattern: /\bwhich (?:approach|method|way)\b/i },
  { kind: "blocker", pattern: /\bblocked (?:by|on|waiting)/i },
  { kind: "blocker", pattern: /\bcan(?:['’]t| not|not) proceed/i },
  { kind: "contradiction", pattern: /\bcontradict(?:s|ing)?\b/i },
  { kind: "contradiction", pattern: /\bconflict(?:s|ing)? with/i },
];

/** Said on purpose; the others are also said in passing. */
const explicit: readonly SignalKind[] = ["explicit_uncertainty", "explicit_request", "blocker"];

const triggers: Readonly<Record<SignalKind, AmbiguitySignal["type"]>> = {
  explicit_uncertainty: "unclear_requirement",
  explicit_request: "unclear_requirement",
  assumption: "unclear_requirement",
  blocker: "blocking_decision",
  multiple_approaches: "multiple_approaches",
  decision_needed: "multiple_approaches",
  contradiction: "contradicting_info",
};

/** Of an output; its head and its tail are shorter. */
const readMax = 200_000;
const quoteMax = 300;

/** One for each kind of wording. What the output only quotes is not what its worker says. */
export function findSignals(output: string): readonly WordSignal[] {
  const sentences = withoutQuotes(output.slice(-readMax)).split(/(?<=[.!?])\s+|\n+/);
  const kinds = new Set(wordings.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const patterns = wordings.filter((each) => each.kind === kind).map(({ pattern }) => pattern);
    const found = sentences.find((sentence) => patterns.some((pattern) => pattern.test(sentence)));
    return found === undefined ? [] : [{ kind, quote: clipLine(found, quoteMax) }];
  });
}

const openFence = /^<<<untrusted (\w+) from /;

/** Without texts of strangers, code and lines that are marked as quoted. A fence that is not closed reaches to the end. */
function withoutQuotes(output: string): string {
  const kept: string[] = [];
  let closing: string | null = null;
  for (const line of output.split("\n")) {
    const trimmed = line.trim();
    if (closing !== null) {
      if (trimmed === closing) closing = null;
      continue;
    }
    const nonce = openFence.exec(trimmed)?.[1];
    if (nonce !== undefined) closing = `<<<end ${nonce}>>>`;
    else if (trimmed.startsWith("```")) closing = "```";
    else if (!trimmed.startsWith(">")) kept.push(line);
  }
  return kept.join("\n");
}

/** `low` asks soon. */
const enough: Readonly<Record<HomrConfig["escalationThreshold"], number>> = { low: 1, medium: 2, high: 3 };
const points = { model: 2, graveModel: 3, explicit: 1, passing: 0.5 } as const;
/** However much an output hedges, its words alone weigh no more than this in each group. */
const explicitMax = 2;
const passingMax = 1;
const grave: readonly AmbiguitySignal["type"][] = ["blocking_decision", "contradicting_info"];

/** The doubt to ask about, or null where it is not enough for a question. */
export function weighAmbiguity(
  said: AmbiguitySignal | null,
  output: string,
  threshold: HomrConfig["escalationThreshold"],
): AmbiguitySignal | null {
  const signals = findSignals(output);
  if (weigh(said, signals) < enough[threshold]) return null;
  const quotes = signals.map(({ quote }) => quote);
  if (said !== null) return { ...said, evidence: [...new Set([...said.evidence, ...quotes])].slice(0, 10) };
  const [first] = signals.toSorted((a, b) => Number(isExplicit(b)) - Number(isExplicit(a)));
  if (first === undefined) return null;
  return {
    type: triggers[first.kind],
    description: "The worker's own words show a doubt that the task does not settle",
    evidence: quotes.slice(0, 10),
    affectedTasks: [],
    suggestedQuestion: "",
  };
}

const isExplicit = ({ kind }: WordSignal): boolean => explicit.includes(kind);

function weigh(said: AmbiguitySignal | null, signals: readonly WordSignal[]): number {
  const ofModel = said === null ? 0 : grave.includes(said.type) ? points.graveModel : points.model;
  const explicitCount = signals.filter(isExplicit).length;
  const passingCount = signals.length - explicitCount;
  return (
    ofModel +
    Math.min(explicitMax, explicitCount * points.explicit) +
    Math.min(passingMax, passingCount * points.passing)
  );
}
