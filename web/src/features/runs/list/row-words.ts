// What a row of the list says about a run besides its objective. Pure.

import type { RunSummary } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { ordinal } from "../../../lib/ordinal.ts";
import { stopWordsOf } from "../../../ui/run-words.ts";

/** From its start until now, or until it last moved where it does not go on. Null before it began. */
export function elapsedMs(run: RunSummary, nowMs: number): number | null {
  if (run.started_at === null) return null;
  const until = run.status === "running" ? nowMs : Date.parse(run.completed_at ?? run.updated_at);
  return Math.max(0, until - Date.parse(run.started_at));
}

export function placeWords({ status, place_in_line: place }: RunSummary): string | null {
  if (status !== "queued") return null;
  if (place === null) return "Begins in a moment";
  return place === 1 ? "Next in line" : `${ordinal(place)} in line`;
}

/** The last line of what it did, or why it does nothing. Null where there is nothing to say yet. */
export function lastLine(run: RunSummary): string | null {
  if (run.status === "stopped" && run.stop_reason)
    return joined(`Stopped because ${stopWordsOf(run.stop_reason.type)}.`, lineOf(run.progress));
  if (run.status === "running" && run.hold) return `Waits for the model’s provider: ${run.hold.why}`;
  return lineOf(run.progress) ?? (run.status === "running" ? "Getting to work" : null);
}

/** Summaries may have several lines; the last one says where it stands. */
function lineOf(text: string | null): string | null {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}

const joined = (first: string, second: string | null): string => (second === null ? first : `${first} ${second}`);

export function checkWords({ checks: { green, of } }: RunSummary): string | null {
  return of === 0 ? null : `${green} of ${counted(of, "check")} green`;
}
