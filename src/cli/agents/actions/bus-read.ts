// `run-agent bus poll`, `read`, `stream` and `discover`: reading a bus, as it is or as it grows.

import { AppError } from "../../../lib/app-error.ts";
import { openBus } from "../../../runner/bus/bus.ts";
import { discoverBus } from "../../../runner/bus/discover-bus.ts";
import type { BusEntry } from "../../../runner/bus/entry.ts";
import { makeFilter } from "../../../runner/bus/filter-entries.ts";
import {
  type BusRead,
  type BusSince,
  followBus,
  readBus,
  tailBus,
  waitForEntries,
} from "../../../runner/bus/read-bus.ts";
import { absolute } from "../../../runner/config/layer.ts";
import { Ended } from "../../exit-code.ts";
import type { Output } from "../../output.ts";
import { oneLine, withoutEscapes } from "../../plain-text.ts";
import { parentOf } from "../agent-options.ts";
import type { AgentInvocation } from "../invocation.ts";
import { scopeOf } from "../place.ts";
import { BusMarks } from "./bus-marks.ts";

type Scope = { readonly scope?: "task" | "project" };
type Filter = { readonly filter?: string };
export type SinceOptions = Scope & Filter & { readonly since?: string; readonly sinceId?: string };
export type WaitOptions = SinceOptions & { readonly wait?: true; readonly timeout?: number };
export type ReadOptions = Scope & Filter & { readonly tail: number; readonly follow?: true };

export async function pollBus(given: AgentInvocation, options: WaitOptions): Promise<void> {
  const { bus, isWanted } = openFor(given, options);
  const marks = findMarks(given, options);
  const since = sinceOf(options) ?? marks?.polled(options.filter ?? "") ?? "start";
  if (options.timeout !== undefined && !options.wait)
    throw new AppError("invalid_request", "--timeout goes with --wait.");
  const all = readBus(bus, since);
  const there = onlyWanted(all, isWanted);
  const read =
    there.entries.length > 0 || !options.wait
      ? there
      : await waitForEntries(bus, { since, signal: untilTimeout(given, options.timeout) }, isWanted);
  given.host.stop.throwIfAborted();
  showAll(given.output, read);
  const last = (there.entries.length > 0 ? all : read).entries.at(-1);
  marks?.noteSeen(last, isWanted);
  marks?.notePolled(options.filter ?? "", last);
  if (read.entries.length > 0) return;
  given.output.say(options.wait ? "No message came in time." : marks === null ? "No messages." : "No new messages.");
  if (options.wait) throw new Ended("failed");
}

/** Given up by the user, or after `timeoutMs`. */
function untilTimeout({ host }: AgentInvocation, timeoutMs: number | undefined): AbortSignal {
  if (timeoutMs === undefined) return host.stop;
  const timer = new AbortController();
  const either = AbortSignal.any([host.stop, timer.signal]);
  void host.env.sleep(timeoutMs, host.stop).then(
    () => timer.abort(),
    () => {},
  );
  return either;
}

export async function readLast(given: AgentInvocation, options: ReadOptions): Promise<void> {
  const { bus, isWanted } = openFor(given, options);
  const tail = options.filter === undefined ? tailBus(bus, options.tail) : readBus(bus);
  const read = onlyWanted(tail, isWanted);
  const shown = { ...read, entries: read.entries.slice(-options.tail) };
  const shownIds = new Set(shown.entries.map(({ msg_id: id }) => id));
  findMarks(given, options)?.noteSeen(tail.entries.at(-1), ({ msg_id: id }) => shownIds.has(id));
  if (!options.follow) {
    showAll(given.output, shown);
    if (shown.entries.length === 0) given.output.say("No messages yet.");
    return;
  }
  showEach(given.output, shown);
  const last = tail.entries.at(-1)?.msg_id;
  await follow(given, bus, last === undefined ? "start" : { id: last }, isWanted);
}

export async function streamBus(given: AgentInvocation, options: SinceOptions): Promise<void> {
  const { bus, isWanted } = openFor(given, options);
  await follow(given, bus, sinceOf(options) ?? "end", isWanted);
}

async function follow(
  given: AgentInvocation,
  bus: ReturnType<typeof openBus>,
  since: BusSince | "end",
  isWanted: (entry: BusEntry) => boolean,
): Promise<void> {
  // Ctrl-C is the usual way to end it, so it ends well.
  for await (const read of followBus(bus, { since, signal: given.host.stop }))
    showEach(given.output, onlyWanted(read, isWanted));
}

export async function showNearestBus(given: AgentInvocation, { from }: { readonly from?: string }): Promise<void> {
  const { host, output } = given;
  const folder = absolute(from ?? ".", host.workingFolder, host.homeFolder);
  const found = discoverBus(folder);
  if (found === null) throw new AppError("not_found", `No bus was found in ${folder} or above it.`);
  output.data(found, () => `${found.file}\n`);
}

/** Where the run that calls this has come on the bus of its task; null: a person calls it, or another bus is read. */
function findMarks(given: AgentInvocation, { scope }: Scope): BusMarks | null {
  const { root, place } = scopeOf(given, scope);
  const run = parentOf(given, root, undefined)?.run ?? null;
  return run === null || run.task.path !== place.path ? null : new BusMarks(root, run);
}

function openFor(given: AgentInvocation, { scope, filter }: Scope & Filter) {
  const { root, place } = scopeOf(given, scope);
  return { bus: openBus(root, place), isWanted: makeFilter(filter ?? "") };
}

function sinceOf({ since, sinceId }: SinceOptions): BusSince | null {
  if (since !== undefined && sinceId !== undefined)
    throw new AppError("invalid_request", "Give either --since or --since-id.");
  if (sinceId !== undefined) return { id: sinceId };
  return since === undefined ? null : { ts: since };
}

const onlyWanted = (read: BusRead, isWanted: (entry: BusEntry) => boolean): BusRead => ({
  ...read,
  entries: read.entries.filter(isWanted),
});

function showAll(output: Output, { entries, damages }: BusRead): void {
  output.data({ messages: entries, damages }, () =>
    entries.map((entry) => `${renderMessage(output, entry)}\n`).join(""),
  );
  warnOf(output, damages);
}

function showEach(output: Output, { entries, damages }: BusRead): void {
  for (const entry of entries) output.line(entry, () => renderMessage(output, entry));
  warnOf(output, damages);
}

function warnOf(output: Output, damages: BusRead["damages"]): void {
  for (const { offset, length, why } of damages)
    output.warn(`Skipped ${length} bytes of the bus at byte ${offset}: ${why}.`);
}

/** The head on one line, the body below it. */
function renderMessage(output: Output, entry: BusEntry): string {
  const { ts, type, msg_id: id, run_id: run, parents, attachment_path: attachment, body } = entry;
  const time = ts === "" ? "" : `${ts.slice(0, 19).replace("T", " ")}  `;
  const about = [
    ...(run === "" ? [] : [`run ${run}`]),
    ...parents.map(({ msg_id: parent, kind }) => `${kind} to ${parent}`),
    ...(attachment === "" ? [] : [`whole text in ${attachment}`]),
  ];
  const head = `${time}${output.paint("bold", oneLine(type))}  ${output.paint("dim", oneLine([id, ...about].join("  ")))}`;
  const lines = withoutEscapes(body.trimEnd()).split("\n");
  return [head, ...lines.map((line) => `  ${line}`.trimEnd())].join("\n");
}
