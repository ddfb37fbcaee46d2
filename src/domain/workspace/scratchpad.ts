// The scratchpad of a run: one entry per iteration, from one template, so that the same iteration always reads the same. What
// others wrote (models, tools) stands in it as single lines and can therefore not pass for an entry of its own.

import type { Plan, StepStatus } from "../plan/plan.ts";
import { cut, oneLine } from "./pages.ts";

export type ScratchpadEntry = {
  readonly iteration: number;
  readonly summary: string;
  readonly actions: readonly EntryAction[];
  readonly entities: readonly EntryEntity[];
  readonly planUpdates: readonly PlanUpdate[];
  readonly remainingWork: readonly string[];
  readonly nextActionHint: string | null;
  /** What the iteration itself thinks comes next; the gate decides later. */
  readonly decisionHint: string | null;
};

export type EntryAction = {
  readonly tool: string;
  /** The key fields of its arguments. */
  readonly args: string;
  readonly ok: boolean;
  readonly result: string;
};

export type EntryEntity = {
  readonly op: "created" | "updated";
  readonly kind: string;
  readonly id: string;
  readonly title: string;
};

export type PlanUpdate = {
  readonly id: string;
  readonly title: string;
  /** Null: a new step. */
  readonly from: StepStatus | null;
  readonly to: StepStatus;
};

/** Characters on one page: what an append reads and writes again, whatever the age of the run. */
export const scratchpadPageMax = 12_000;

// Usual entries are a tenth of a page; the longest (below) would fill less than two, and have one to themselves.
const listedMax = 15;
const summaryMax = 600;
const toolMax = 80;
const argsMax = 160;
const resultMax = 240;
const titleMax = 160;

export function renderEntry(entry: ScratchpadEntry): string {
  const parts = [
    headingOf(entry.iteration),
    shown(entry.summary, summaryMax),
    list("Actions", entry.actions, actionLine),
    list("Made or changed", entry.entities, entityLine),
    list("Plan", entry.planUpdates, planLine),
    list("Remaining work", entry.remainingWork, (line) => shown(line, titleMax)),
    nextLine(entry),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const headingOf = (iteration: number) => `## Iteration ${iteration}`;
const headings = /^## Iteration (\d+)$/gm;

/** Of a long text no more is looked at than could be shown, blanks or not. */
const shown = (text: string, max: number) => cut(oneLine(text.slice(0, 4 * max)), max);

const actionLine = ({ tool, args, ok, result }: EntryAction) =>
  `${shown(tool, toolMax)}(${shown(args, argsMax)}) → ${ok ? "" : "error: "}${shown(result, resultMax)}`;

const entityLine = ({ op, kind, id, title }: EntryEntity) =>
  `${op} ${shown(kind, toolMax)} "${shown(title, titleMax)}" (${shown(id, toolMax)})`;

const planLine = ({ id, title, from, to }: PlanUpdate) =>
  `${shown(id, toolMax)} "${shown(title, titleMax)}": ${from === null ? `new, ${to}` : `${from} → ${to}`}`;

function list<T>(title: string, items: readonly T[], lineOf: (item: T) => string): string {
  if (items.length === 0) return "";
  const more = items.length - listedMax;
  const listed = [...items.slice(0, listedMax).map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])];
  return `**${title}**\n${listed.map((line) => `- ${line}`).join("\n")}`;
}

function nextLine({ nextActionHint, decisionHint }: ScratchpadEntry): string {
  const parts = [
    ...(nextActionHint === null ? [] : [`Next: ${shown(nextActionHint, toolMax)}`]),
    ...(decisionHint === null ? [] : [`Decision: ${shown(decisionHint, resultMax)}`]),
  ];
  return parts.join(" · ");
}

/** Iterations that have their entry in this text. */
export function entriesIn(text: string): readonly number[] {
  return [...text.matchAll(headings)].map(([, iteration]) => Number(iteration));
}

/** The last entries of a page, oldest first. Text above the first entry is left out. */
export function lastEntries(text: string, count: number): readonly string[] {
  const starts = [...text.matchAll(headings)].map(({ index }) => index);
  const entries = starts.map((start, n) => text.slice(start, starts[n + 1]).trim());
  return count <= 0 ? [] : entries.slice(-count);
}

export type NotedEntry = { readonly iteration: number; readonly heading: string; readonly text: string };

/** The entries of a page, oldest first, each with its heading apart. */
export function splitEntries(text: string): readonly NotedEntry[] {
  const found = [...text.matchAll(headings)];
  return found.map(({ 0: line, 1: iteration, index }, n) => ({
    iteration: Number(iteration),
    heading: line.replace(/^#+ /, ""),
    text: text.slice(index + line.length, found[n + 1]?.index).trim(),
  }));
}

/** A page always takes one entry, however long. */
export const fitsOn = (page: string, entry: string, max = scratchpadPageMax): boolean =>
  page === "" || page.length + entry.length + 1 <= max;

/** What changed about each step, in the order of the plan. */
export function planUpdates(before: Plan, after: Plan): readonly PlanUpdate[] {
  const known = new Map(before.steps.map(({ id, status }) => [id, status]));
  return after.steps
    .filter(({ id, status }) => known.get(id) !== status)
    .map(({ id, title, status }) => ({ id, title, from: known.get(id) ?? null, to: status }));
}
