// What `homework` alone says. Pure.

import type { Escalation, RunSummary } from "../../protocol/api.ts";
import { cost, duration } from "../../protocol/figures.ts";
import { tellPassed } from "../../protocol/words/check-count.ts";
import { longestSilence } from "../../protocol/words/silence.ts";
import { shortIds } from "../find.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import { nextStepOf } from "./next-step.ts";
import { runStatusWords } from "./status-words.ts";

export type Home = {
  readonly needs_you: readonly RunSummary[];
  readonly escalations: readonly Escalation[];
  readonly finished: readonly RunSummary[];
  readonly running: readonly RunSummary[];
};

/** Of an objective, a name or a question, to know it by. */
const titleMax = 60;

export function renderHome(output: Output, home: Home): string {
  const short = shortIds([...home.needs_you, ...home.escalations].map(({ id }) => id));
  const waiting = [
    ...home.needs_you.map((run) => waitingEntry(run, short(run.id))),
    ...home.escalations.map((each) => escalationEntry(each, short(each.id))),
  ];
  const parts = [
    part(output, "Needs you", waiting),
    part(
      output,
      "Finished lately",
      home.finished.map((run) => finishedEntry(output, run)),
    ),
    part(
      output,
      "Running",
      home.running.map((run) => runningEntry(output, run)),
    ),
  ].filter((text) => text !== "");
  return [...(parts.length === 0 ? [emptyText] : parts), nextText(home)].join("\n");
}

const emptyText = "No runs yet. Hand over an objective to get started.\n";

/** A line, and the line below it. */
type Entry = readonly [string, string?];

function part(output: Output, title: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return "";
  const lines = entries.map(([line, below]) => `  ${line}\n${below === undefined ? "" : `    ${below}\n`}`);
  return `${output.paint("bold", title)}\n${lines.join("")}`;
}

const titleOf = ({ objective }: RunSummary) => `“${cutTo(oneLine(objective), titleMax)}”`;

/** A stopped run waits for its user as well. */
function waitingEntry(run: RunSummary, name: string): Entry {
  const { question, status, stop_reason: stop } = run;
  const says =
    status === "waiting_on_user"
      ? `asks: ${cutTo(oneLine(question ?? ""), titleMax)}`
      : `is ${runStatusWords(run)}: ${oneLine(stop?.detail ?? "")}`;
  return [`${titleOf(run)} ${says}`, `→ ${nextStepOf(run, name)?.command ?? `homework show ${name}`}`];
}

function escalationEntry({ question, outcome_name: outcome }: Escalation, name: string): Entry {
  const asked = `Outcome “${cutTo(oneLine(outcome), titleMax)}”: ${cutTo(oneLine(question.text), titleMax)}`;
  return [asked, `→ homework escalation answer ${name}`];
}

function finishedEntry(output: Output, run: RunSummary): Entry {
  const { checks, metrics, completed_at: at, updated_at: changed } = run;
  const facts = [
    runStatusWords(run),
    ...(checks.of === 0 ? [] : [tellPassed(checks.green, checks.of)]),
    cost(metrics.cost_total_micro_usd, metrics.unpriced_calls),
    output.ago(at ?? changed),
  ];
  return [titleOf(run), facts.join(" · ")];
}

function runningEntry(output: Output, run: RunSummary): Entry {
  const { metrics, place_in_line: place, progress } = run;
  const where = place === null ? `iteration ${run.iteration} of ${run.max_iterations}` : `number ${place} in the queue`;
  const line = [titleOf(run), where, `${duration(metrics.running_ms)} active`].join(" · ");
  const silence = longestSilence(run, output.now());
  if (silence !== null) return [line, silence];
  return progress === null ? [line] : [line, cutTo(oneLine(progress), titleMax)];
}

function nextText({ finished, running }: Home): string {
  const commands: readonly (readonly [string, string])[] = [
    ['homework run "…"', "hand over an objective"],
    ...(running.length > 0 ? [["homework watch last", "follow the newest run"] as const] : []),
    ...(finished.length > 0 && running.length === 0
      ? [["homework result last", "read the newest result"] as const]
      : []),
    ["homework start", "open the pages"],
    ["homework --help", "see all commands"],
  ];
  const three = commands.slice(0, 3);
  const width = Math.max(...three.map(([name]) => name.length));
  return three.map(([name, about]) => `${name.padEnd(width)}  ${about}\n`).join("");
}
