// How a check of a run stands, from what is on the wire. Pages and terminal read it; the rule is the domain's.

import { areChecksDue, type CheckState, checkState } from "../domain/run/checks/check-state.ts";
import { wasNotAsked } from "../domain/run/checks/not-asked.ts";
import type { StopReason } from "../domain/run/stop-reason.ts";
import type { Run } from "./api.ts";

export type { CheckState };

export function isCheckDue(status: Run["status"], stopReason: StopReason | null, warnings: Run["warnings"]): boolean {
  const wasTurnedDown = warnings.some(({ kind }) => kind === "claim_rejected");
  return areChecksDue({ status, isPaused: stopReason === "paused", wasTurnedDown });
}

/** A judge that was not asked has not said no. */
export const isUnasked = ({ proof }: Pick<Run["completion_criteria"][number], "proof">): boolean =>
  proof !== null && wasNotAsked(proof);

export function stateOfCheck(
  { proof }: Pick<Run["completion_criteria"][number], "proof">,
  areDue: boolean,
): CheckState {
  return checkState(proof === null ? null : { isGreen: proof.is_green, seen: proof.seen }, areDue);
}
