// The plan of a run as a stepper: one line a step, around the step that is under way. Pure.

import type { Run } from "../../protocol/api.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";

type Step = Run["plan"][number];
type Shown = { readonly mark: string; readonly style: Parameters<Output["paint"]>[0] };

const shown: Readonly<Record<Step["status"], Shown>> = {
  done: { mark: "✓", style: "green" },
  in_progress: { mark: "▸", style: "cyan" },
  pending: { mark: "○", style: "dim" },
  failed: { mark: "✗", style: "red" },
  dropped: { mark: "–", style: "dim" },
};

/** `shorten`: cuts a text to what a line has room for; colours come after that. */
export function stepLine(output: Output, step: Step, shorten: (text: string) => string = (text) => text): string {
  const { mark, style } = shown[step.status];
  const text = shorten(`${mark} ${oneLine(step.title)}${step.is_optional ? " (optional)" : ""}`);
  const rest = text.slice(mark.length);
  return output.paint(style, mark) + (step.status === "in_progress" ? output.paint("bold", rest) : rest);
}

/** The plan of a run that works: at most `max` steps, with the first one that is not over among them. */
export function planLines(
  output: Output,
  plan: readonly Step[],
  max: number,
  shorten: (text: string) => string,
): readonly string[] {
  const current = plan.findIndex(({ status }) => status === "in_progress" || status === "pending");
  const middle = current < 0 ? plan.length : current;
  const from = Math.max(0, Math.min(middle - Math.floor(max / 2), plan.length - max));
  const part = plan.slice(from, from + max).map((step, at) => (from + at === current ? asCurrent(step) : step));
  const below = plan.length - from - part.length;
  return [
    ...(from > 0 ? [output.paint("dim", shorten(`… ${stepsWords(from)} before`))] : []),
    ...part.map((step) => stepLine(output, step, shorten)),
    ...(below > 0 ? [output.paint("dim", shorten(`… ${stepsWords(below)} more`))] : []),
  ];
}

/** Not every planner says which step it is at. */
const asCurrent = (step: Step): Step => ({ ...step, status: "in_progress" });

const stepsWords = (count: number) => (count === 1 ? "1 step" : `${count} steps`);
