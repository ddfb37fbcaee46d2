// A command that was refused: either the run had moved on meanwhile (then who was first is said), or it says what is wrong.
// Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { ApiError } from "../../../../../src/protocol/api-error.ts";
import { run as runShape } from "../../../../../src/protocol/routes/run-shapes.ts";
import { stopWords } from "../../../../../src/protocol/words/stop.ts";
import type { RunStatus } from "../../../ui/run-words.ts";

export type Refusal = {
  readonly title: string;
  readonly text: string;
  /** How the run stands now, where the answer says. */
  readonly run: Run | null;
};

/** `attempted`: what was tried, to be read after "could not be". */
export function refusalOf(error: unknown, attempted: string, seen: RunStatus): Refusal | null {
  if (!(error instanceof ApiError) || error.code !== "wrong_status") return null;
  const parsed = runShape.safeParse(error.details.run);
  const run = parsed.success ? parsed.data : null;
  const status = run?.status ?? statusOf(error.details.status);
  if (status === null || status === seen)
    return { title: `It could not be ${attempted}`, text: `${error.message}.`, run };
  return {
    title: `It could not be ${attempted}`,
    text: `${firstWords(status, run)} You see the run as it is now.`,
    run,
  };
}

function firstWords(status: RunStatus, run: Run | null): string {
  const reason = run?.stop_reason?.type;
  switch (status) {
    case "completed":
      return "The run was faster: it is completed.";
    case "failed":
      return "The run was faster: it has failed.";
    case "canceled":
      return "Someone was faster: it was canceled in another tab or by another program.";
    case "stopped":
      return reason === "paused"
        ? "Someone was faster: it was paused in another tab or by another program."
        : `The run was faster: it stopped${reason ? ` because ${stopWords[reason]}` : ""}.`;
    case "waiting_on_user":
      return "The run was faster: it waits for your answer now.";
    case "queued":
    case "running":
      return "Someone was faster: it goes on already, by another tab or another program.";
  }
}

const statuses = new Set(["queued", "running", "waiting_on_user", "completed", "stopped", "failed", "canceled"]);
const statusOf = (value: unknown): RunStatus | null =>
  typeof value === "string" && statuses.has(value) ? (value as RunStatus) : null;
