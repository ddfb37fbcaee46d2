// What a row of the list says about a run besides its title. Pure.

import type { ListedRun, RunSummary } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { describeHold } from "../../../../../src/protocol/kinds.ts";
import type { CheckTally } from "../../../../../src/protocol/words/check-count.ts";
import { longestSilence } from "../../../../../src/protocol/words/silence.ts";
import { stopWords } from "../../../../../src/protocol/words/stop.ts";
import { ordinal } from "../../../lib/ordinal.ts";
import { changesInShort, plainWords } from "../../../ui/plain-words.ts";
import { goesOnByItself } from "../../../ui/run-words.ts";

export function placeWords({ status, place_in_line: place }: RunSummary): string | null {
  if (status !== "queued") return null;
  if (place === null) return "Starts in a moment";
  return place === 1 ? "Starts next" : `${ordinal(place)} in the queue`;
}

/** What came of it where it is done; else the last line of what it did, or why it does nothing. Null: nothing to say yet. */
export function lastLine(run: ListedRun, nowMs: number): string | null {
  const made = madeWords(run);
  if (run.is_undone) return made === null ? "All changes were undone." : `Undone: ${made}`;
  switch (run.status) {
    case "completed":
      return made === null ? lineOf(run.progress) : `Made ${made}`;
    case "failed":
      return lineOf(run.failure) ?? "Open the run to see why.";
    case "canceled":
      return made === null ? null : `Made ${made} before it was canceled.`;
    case "stopped":
      return stoppedLine(run, made);
    case "running":
      if (run.hold) return describeHold(run.hold.why);
      return longestSilence(run, nowMs) ?? lineOf(run.progress) ?? "Getting to work";
    default:
      return lineOf(run.progress);
  }
}

function stoppedLine({ stop_reason: reason, progress }: ListedRun, made: string | null): string | null {
  const far = made === null ? lineOf(progress) : `Made ${made} so far.`;
  return reason === null ? far : joined(stoppedWords(reason), far);
}

/** What it asks. Of changes only their names are told; their details are read on its page. */
export const askedWords = (question: string): string => plainWords(changesInShort(question) ?? question);

/** What one does with it next, on its page; null: nothing but look. */
export function nextStep(run: Pick<ListedRun, "status" | "is_undone" | "made" | "stop_reason">): string | null {
  if (run.is_undone) return null;
  if (run.status === "completed") return "Open result";
  if (run.status === "failed") return "Open and retry";
  return run.status === "stopped" ? "Open and resume" : null;
}

const stoppedWords = ({ type, detail }: NonNullable<RunSummary["stop_reason"]>): string =>
  type === "paused" ? `${detail || "You paused it"}.` : `Stopped because ${stopWords[type]}.`;

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
  const last = lines.findLast((line) => line !== "") ?? null;
  return last && `${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}

const joined = (first: string, second: string | null): string => (second === null ? first : `${first} ${second}`);

/** Its cost and checks are told, also where they came to nothing; not of one that never began. */
export const hasWorked = ({ status, metrics }: RunSummary): boolean =>
  metrics.cost_total_micro_usd + metrics.unpriced_calls > 0 || (status !== "canceled" && status !== "queued");

/** An open check has failed once the run has ended; it was not due in a run that was canceled. Null: the run has no checks. */
export function tallyOf({ checks: { green, of }, status }: RunSummary): CheckTally | null {
  if (of === 0) return null;
  const open = of - green;
  const isPending = goesOnByItself(status) || status === "waiting_on_user" || status === "canceled";
  return { passed: green, failed: isPending ? 0 : open, pending: isPending ? open : 0 };
}

export const checkWords = ({ checks: { green, of } }: RunSummary): string => `${green}/${counted(of, "check")}`;
