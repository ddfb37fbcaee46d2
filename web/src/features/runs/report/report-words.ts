// How a report reads: how the run ended in a sentence, its figures one by one, and where its things are. Pure.

import type { Run, RunOutput, RunReport } from "../../../../../src/protocol/api.ts";
import { cost, counted, duration } from "../../../../../src/protocol/figures.ts";
import { type EntityKind, entityKinds } from "../../../../../src/protocol/kinds.ts";
import { stopWordsOf } from "../../../ui/run-words.ts";

type Ended = Pick<Run, "stop_reason"> & { readonly report: RunReport };

export function outcomeWords({ stop_reason: stop, report }: Ended): string {
  const green = report.checks.filter((check) => check.is_green).length;
  switch (report.status) {
    case "completed":
      return `It is done. ${checksWords(green, report.checks.length)}`;
    case "stopped":
      return `It stopped before it was done, because ${stopWordsOf(stop?.type ?? report.stopping_reason.type)}. ${checksWords(green, report.checks.length)}`;
    case "failed":
      return "It failed and could not go on.";
    case "canceled":
      return "You canceled it before it was done.";
    default:
      return "It has not ended yet.";
  }
}

function checksWords(green: number, of: number): string {
  if (of === 0) return "There were no checks.";
  if (green === of) return of === 1 ? "Its one check is green." : `All ${of} checks are green.`;
  return `${green} of ${counted(of, "check")} ${green === 1 ? "is" : "are"} green.`;
}

export type Figure = { readonly name: string; readonly value: string };

export function figuresOf({ metrics }: RunReport): readonly Figure[] {
  return [
    { name: "Iterations", value: metrics.iterations.toLocaleString("en") },
    { name: "Time at work", value: duration(metrics.duration_ms) },
    { name: "Cost", value: cost(metrics.total_cost_micro_usd, metrics.unpriced_calls) },
    { name: "Tokens", value: metrics.total_tokens.toLocaleString("en") },
    { name: "Tool calls", value: metrics.tool_calls.toLocaleString("en") },
  ];
}

/** A thing the report names, and where its page is, if that is known. */
export type NamedThing = {
  readonly id: string;
  readonly kind: EntityKind | "project" | null;
  readonly title: string;
  readonly projectId: string | null;
};

/** Where something is. */
export type Place = Pick<RunOutput, "id" | "kind" | "title" | "project_id" | "is_there">;

/** The report knows ids; the run's outputs know in which project each of them is. */
export function thingsById(report: RunReport, places: readonly Place[]): ReadonlyMap<string, NamedThing> {
  const { created, updated } = report.what_changed;
  const told = [...created, ...updated].map((thing): [string, NamedThing] => [
    thing.id,
    { id: thing.id, kind: kindOf(thing.type), title: thing.title, projectId: null },
  ]);
  const things = new Map(told);
  for (const { id, kind, title, project_id: projectId, is_there: isThere } of places)
    if (kind !== "edge")
      things.set(id, { id, kind, title: things.get(id)?.title ?? title, projectId: isThere ? projectId : null });
  return things;
}

function kindOf(type: string): NamedThing["kind"] {
  return type === "project" ? "project" : (entityKinds.find((kind) => kind === type) ?? null);
}

/** Ids the report wants a page for and that nothing read so far tells of. */
export function missingPlaces(report: RunReport, places: readonly Pick<Place, "id">[]): readonly string[] {
  const known = new Set(places.map(({ id }) => id));
  const { created, updated } = report.what_changed;
  return [...created, ...updated].map(({ id }) => id).filter((id) => !known.has(id));
}

/** A name for the file, from the title: letters and digits of any script, no more than fits. */
export function fileNameOf({ title }: RunReport): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join("-").slice(0, 80).replace(/-$/, "");
  return `${name === "" ? "report" : name}.md`;
}
