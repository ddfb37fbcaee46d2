// A session that says "done" is told once which of its checks do not pass, while it can still mend its work: else the gate would say
// the same, and the mending would cost an iteration. The second time it may end: what comes of it is the gate's to say.

import { adopt } from "../../domain/run/checks/adopt.ts";
import type { CheckTarget } from "../../domain/run/checks/check.ts";
import { describeCheck } from "../../domain/run/checks/describe-check.ts";
import { lookAt } from "../look-at.ts";
import type { Iteration } from "./iteration.ts";
import type { SessionState } from "./session-state.ts";

/** What can be seen in the store alone, in a moment. */
const quickKinds: ReadonlySet<CheckTarget["kind"]> = new Set([
  "entity_exists",
  "entity_count",
  "entity_state",
  "document_has",
  "link_exists",
]);

const words = "Checks that do not pass as the work is now (mend it, or end again if you would hand it over like this):";

const undecided =
  "The user has not decided yet about the change of checks that you proposed. If only that keeps them from passing, end again: the user is asked then.";

export const toldOfChecks = (text: string): boolean => text.includes(words);

/** Null: nothing is red, or it was told before. Staged writes are not there yet, so they cannot be looked at. */
export async function tellRedChecks(it: Iteration, session: SessionState): Promise<string | null> {
  const { run, db } = it;
  if (session.isToldOfChecks || run.permission.writeMode === "per_write") return null;
  const { run: after, asked } = adopt(run, { proposed: session.proposed, heard: it.heard + session.heard.length });
  const looked = after.checks.filter(({ target }) => quickKinds.has(target.kind));
  const red = await db.asUser({ userId: run.userId }, async (tx) => {
    const lines: string[] = [];
    for (const check of looked) {
      const { isGreen, seen } = await lookAt(tx, after, session.plan, check.target);
      if (!isGreen) lines.push(`  [${check.id}] ${describeCheck(check)}: ${seen}`);
    }
    return lines;
  });
  return red.length === 0 ? null : [words, ...red, ...(asked.length > 0 ? [undecided] : [])].join("\n");
}
