// The few lines that show a run while it works, and writing them again in place. What they say is pure; a line never wraps,
// as that would break going back up.

import { counted, dollars, duration } from "../../protocol/figures.ts";
import { type RunView, runningMsAt } from "../../protocol/run-view.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import type { Terminal } from "../ports.ts";
import { paintedStatus, statusWords } from "./status-words.ts";

/** Of the current iteration, the newest last. */
const entriesShown = 3;

export function frameLines(view: RunView, nowMs: number, columns: number, output: Output): readonly string[] {
  const { state, iteration, maxIterations, attempt } = view;
  const figures = [
    `iteration ${iteration}/${maxIterations}${attempt > 1 ? ` (attempt ${attempt})` : ""}`,
    duration(runningMsAt(view, nowMs)),
    dollars(view.costMicroUsd),
    counted(view.tokens, "token"),
  ].join(" · ");
  // The last cell stays free: some terminals wrap as soon as it is written.
  const width = columns - 1;
  const words = statusWords(state.status);
  const head = cutTo(`${words}  ${figures}`, width);
  const named = (name: string, text: string) => cutTo(`  ${name.padEnd(nameWidth)}  ${oneLine(text)}`, width);
  return [
    head.startsWith(words) ? paintedStatus(output, state.status) + head.slice(words.length) : head,
    ...view.entries
      .slice(-entriesShown)
      .map(({ key, summary, isFailed }) => named(isFailed ? "fail" : "step", summary === "" ? key : summary)),
    ...(view.lastWhy === null ? [] : [output.paint("dim", named(whyName(view), view.lastWhy))]),
  ];
}

const nameWidth = "step".length;

function whyName({ state }: RunView): string {
  return state.status === "running" && state.hold !== null ? `until ${state.hold.until.slice(11, 16)}` : "why";
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
