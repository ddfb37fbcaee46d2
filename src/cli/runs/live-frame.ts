// The lines that show a run while it works: its plan as a stepper, what happens now, checks and cost; and writing them again in
// place. What they say is pure; a line never wraps, as that would break going back up.

import type { Run } from "../../protocol/api.ts";
import { cost, duration } from "../../protocol/figures.ts";
import { type RunView, runningMsAt, type ViewEntry } from "../../protocol/run-view.ts";
import { entrySummary } from "../../protocol/words/entry.ts";
import { laneWords } from "../../protocol/words/lane.ts";
import { runStatusWord } from "../../protocol/words/run-status.ts";
import { longestSilence } from "../../protocol/words/silence.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import type { Terminal } from "../ports.ts";
import { checksWords } from "./check-state.ts";
import { planLines } from "./plan-text.ts";
import { paintStatus } from "./status-words.ts";

/** Of the current iteration, the newest last. */
const entriesShown = 3;
/** A frame must fit on a screen of 24 lines: what is above it could not be written again. */
const stepsShown = 10;

/** `run`: as it was last read; the view knows what happened since. */
export function frameLines(run: Run, view: RunView, nowMs: number, columns: number, output: Output): readonly string[] {
  // The last cell stays free: some terminals wrap as soon as it is written.
  const width = columns - 1;
  const indented = (text: string) => cutTo(`  ${text}`, width);
  const plan = planLines(output, run.plan, stepsShown, (text) => cutTo(text, width - 2));
  return [
    headLine(run, view, width, output),
    output.paint("dim", indented(figures(run, view, nowMs))),
    ...(plan.length === 0 ? [] : ["", ...plan.map((line) => `  ${line}`)]),
    "",
    ...activityLines(view, nowMs).map((text, at, all) =>
      at === all.length - 1 ? indented(text) : output.paint("dim", indented(text)),
    ),
  ];
}

function headLine({ objective }: Run, { state }: RunView, width: number, output: Output): string {
  const words = runStatusWord(state.status, state.status === "stopped" && state.reason === "paused");
  const line = cutTo(`${words}  ${oneLine(objective)}`, width);
  return line.startsWith(words) ? paintStatus(output, state.status, words) + line.slice(words.length) : line;
}

function figures(run: Run, view: RunView, nowMs: number): string {
  const { iteration, maxIterations, attempt } = view;
  return [
    `iteration ${iteration} of ${maxIterations}${attempt > 1 ? ` (attempt ${attempt})` : ""}`,
    `${duration(runningMsAt(view, nowMs))} active`,
    cost(view.costMicroUsd, view.unpricedCalls),
    checksWords(run),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** What was done last, and where there is nothing, what the run waits for. */
function activityLines(view: RunView, nowMs: number): readonly string[] {
  const { state, entries, iteration, workedOn } = view;
  if (state.status === "queued") return ["Waiting for a free place to run"];
  if (state.status !== "running") return [];
  if (state.hold !== null)
    return [`Waiting for the model provider until ${state.hold.until.slice(11, 16)} UTC: ${oneLine(state.hold.why)}`];
  const silence = longestSilence(view, nowMs);
  if (silence !== null) return [silence];
  const done = workedOn === iteration ? entries.filter(({ summary }) => summary !== "").slice(-entriesShown) : [];
  return done.length === 0 ? [iteration === 1 ? "Planning" : "Choosing the next step"] : done.map(entryWords);
}

function entryWords({ summary, lane, isFailed }: ViewEntry): string {
  const who = lane === "planner" ? "" : `${laneWords(lane)}: `;
  return oneLine(`${who}${isFailed ? "Failed: " : ""}${entrySummary(summary)}`);
}

/** Lines at the end of the terminal that are replaced by the next ones. */
export class LiveFrame {
  readonly #terminal: Pick<Terminal, "out">;
  #drawn: readonly string[] = [];

  constructor(terminal: Pick<Terminal, "out">) {
    this.#terminal = terminal;
  }

  draw(lines: readonly string[]): void {
    if (lines.join("\n") === this.#drawn.join("\n")) return;
    this.#terminal.out(`${this.#back()}${lines.map((line) => `${line}\n`).join("")}`);
    this.#drawn = lines;
  }

  clear(): void {
    this.#terminal.out(this.#back());
    this.#drawn = [];
  }

  /** Up to the first line that was drawn, and everything below it gone; a Ctrl-C may have left its mark at the cursor. */
  #back(): string {
    return this.#drawn.length === 0 ? "" : `\r\u001b[${this.#drawn.length}A\u001b[0J`;
  }
}
