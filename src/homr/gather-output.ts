// The output of an attempt as one bounded text: what the run said at its end, its last iterations and what it made, head and tail of
// each. Also what the end of the run means for its task.

import type { EndedRun } from "../domain/homr/tasks/settle-attempt.ts";
import type { TaskId } from "../domain/homr/tasks/task-id.ts";
import { clipLine, clipMiddle } from "../domain/planner/clip.ts";
import type { Run } from "../domain/run/run.ts";
import { assert } from "../lib/assert.ts";
import type { AttemptWork } from "../outcomes/ports/attempt-work.ts";

/** Characters; the observer's prompt has room for about twice as much. */
const limits = { said: 30_000, artifacts: 30_000, diff: 20_000, line: 1_000, tail: 2_000 } as const;

export function describeOutput(work: AttemptWork): string {
  const lists = [
    list("Open questions", work.openQuestions),
    list("Unsure of", work.unsure),
    list("Checks that are not green", work.failedChecks),
    list("Left to do", work.remaining),
  ];
  const artifacts = work.artifacts.map(({ title, text }) => `### ${title}\n${text.trim()}`).join("\n\n");
  return [
    part("What the run said at its end", work.summary),
    ...lists,
    part("Its last iterations", clipMiddle(describeIterations(work), limits.said)),
    part("What it made and changed", clipMiddle(artifacts, limits.artifacts)),
    part("Changes of files", clipMiddle(work.diff, limits.diff)),
  ]
    .filter((each) => each !== "")
    .join("\n\n");
}

const part = (title: string, text: string): string => (text.trim() === "" ? "" : `## ${title}\n${text.trim()}`);

const list = (title: string, lines: readonly string[]): string =>
  part(title, lines.map((line) => `- ${clipLine(line, limits.line)}`).join("\n"));

const describeIterations = ({ iterations }: AttemptWork): string =>
  iterations
    .map(({ iteration, summary, text }) => [`Iteration ${iteration}: ${summary}`, text].filter(Boolean).join("\n"))
    .join("\n\n");

/** The run is over; one that stopped for any reason but a pause has failed at its task. */
export function describeEnd(run: Run, taskId: TaskId, work: AttemptWork): EndedRun {
  const last = work.iterations.at(-1);
  const said = describeIterations(work);
  const checkpoint =
    last === undefined && work.remaining.length === 0
      ? null
      : {
          summary: clipLine(work.summary || (last?.summary ?? ""), limits.line),
          remaining: work.remaining,
          isTainted: work.isTainted,
        };
  const tail = said.slice(-limits.tail);
  const facts = { runId: run.id, taskId, tail, checkpoint, said: work.said, hasReadUntrusted: work.isTainted };
  const { state } = run;
  switch (state.status) {
    case "completed":
      return { ...facts, result: "completed", why: clipLine(work.summary, limits.line) || "All checks are green" };
    case "canceled":
      return { ...facts, result: "canceled", why: "Its run was canceled" };
    default:
      assert(state.status === "failed" || state.status === "stopped", `run ${run.id} is over, not ${state.status}`);
      return { ...facts, result: "failed", why: clipLine(state.detail, limits.line) };
  }
}
