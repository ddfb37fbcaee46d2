// What a row of the list says about a run besides its title. Pure.

import type { RunSummary } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { ordinal } from "../../../lib/ordinal.ts";
import type { CheckTally } from "../../../ui/check-tally.ts";
import { goesOnByItself, stopWordsOf } from "../../../ui/run-words.ts";

export function placeWords({ status, place_in_line: place }: RunSummary): string | null {
  if (status !== "queued") return null;
  if (place === null) return "Starts in a moment";
  return place === 1 ? "Starts next" : `${ordinal(place)} in the queue`;
}

/** What came of it where it is done; else the last line of what it did, or why it does nothing. Null: nothing to say yet. */
export function lastLine(run: RunSummary): string | null {
  if (run.status === "completed") return madeWords(run) ?? lineOf(run.progress);
  if (run.status === "stopped" && run.stop_reason)
    return joined(stoppedWords(run.stop_reason.type), madeWords(run) ?? lineOf(run.progress));
  if (run.status === "running" && run.hold) return `Waits for the model’s provider: ${run.hold.why}`;
  return lineOf(run.progress) ?? (run.status === "running" ? "Getting to work" : null);
}

const stoppedWords = (reason: NonNullable<RunSummary["stop_reason"]>["type"]): string =>
  reason === "paused" ? "You paused it." : `Stopped because ${stopWordsOf(reason)}.`;

/** `5 documents, 8 tasks`; what was only changed is said where nothing is new. */
export function madeWords({ made }: RunSummary): string | null {
  const created = made.filter((kind) => kind.created > 0).map((kind) => counted(kind.created, kind.type));
  if (created.length > 0) return created.join(", ");
  const updated = made.filter((kind) => kind.updated > 0).map((kind) => counted(kind.updated, kind.type));
  return updated.length === 0 ? null : `${updated.join(", ")} updated`;
}

/** Summaries may have several lines; the last one says where it stands. */
function lineOf(text: string | null): string | null {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}

const joined = (first: string, second: string | null): string => (second === null ? first : `${first} ${second}`);

/** An open check has failed once the run has ended; it was not due in a run that was canceled. Null: the run has no checks. */
export function tallyOf({ checks: { green, of }, status }: RunSummary): CheckTally | null {
  if (of === 0) return null;
  const open = of - green;
  const isPending = goesOnByItself(status) || status === "waiting_on_user" || status === "canceled";
  return { passed: green, failed: isPending ? 0 : open, pending: isPending ? open : 0 };
}

export const checkWords = ({ checks: { green, of } }: RunSummary): string => `${green}/${counted(of, "check")}`;
