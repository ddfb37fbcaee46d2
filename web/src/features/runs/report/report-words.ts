// How a report reads: how the run ended in a sentence, and where its things are. Pure.

import type { Run, RunReport } from "../../../../../src/protocol/api.ts";
import { type EntityKind, entityKinds } from "../../../../../src/protocol/kinds.ts";
import { passedWords } from "../../../../../src/protocol/report-markdown.ts";
import { stopWords } from "../../../../../src/protocol/words/stop.ts";

type Ended = Pick<Run, "stop_reason"> & { readonly report: RunReport };

export function outcomeWords({ stop_reason: stop, report }: Ended): string {
  const checks = report.checks.length === 0 ? "The run had no checks." : `${passedWords(report)}.`;
  switch (report.status) {
    case "completed":
      return `The run is done. ${checks}`;
    case "stopped":
      return `The run stopped before it was done${stop === null ? "" : `, because ${stopWords[stop.type]}`}. ${checks}`;
    case "failed":
      return "The run failed and could not go on.";
    case "canceled":
      return "You canceled the run before it was done.";
    default:
      return "The run has not ended yet.";
  }
}

/** A thing the report names, and where its page is, if that is known. */
export type NamedThing = {
  readonly id: string;
  readonly kind: EntityKind | "project" | null;
  readonly title: string;
  readonly projectId: string | null;
};

export function kindOf(type: string): NamedThing["kind"] {
  return type === "project" ? "project" : (entityKinds.find((kind) => kind === type) ?? null);
}
