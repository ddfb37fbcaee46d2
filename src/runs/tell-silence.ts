// Tells of a call of a run's model that is not answered, and that it is again: on the ledger, in the history for views that are
// open, in lists, and to the user, who is notified once an hour at most. One transaction, under the lease's fence. It changes nothing of the run itself.

import { describeSilence } from "../domain/run/provider/silence.ts";
import { isToldToUser, notificationFor } from "../domain/run/report/notification.ts";
import { noChange } from "./carry-out.ts";
import type { Kept, Lease, ModelCall, NotedSilence, RunChange, RunTransactions, Silence } from "./ports/run-store.ts";

export function tellSilence(
  store: RunTransactions,
  lease: Lease,
  call: ModelCall,
  silence: Silence | null,
): Promise<Kept> {
  return store.transaction(async (tx): Promise<Kept> => {
    const locked = await tx.lockRun(lease.runId);
    if (locked === null || locked.run.fence !== lease.fence || locked.run.state.status !== "running") return "lost";
    const noted = await tx.markSilent(lease, call, silence);
    // It has ended meanwhile.
    if (noted === null) return "kept";
    const { run } = locked;
    // Read again: time in which nothing is heard is none that the run has worked.
    const activeMs = (await tx.lockRun(lease.runId))?.leasedMs ?? locked.leasedMs;
    const base = { iteration: lease.iteration, entry: call.key, active_ms: activeMs };
    const change: RunChange = { ...noChange, before: run, run, lease: "keep", leasedBy: null, isListed: true };
    if (silence === null) {
      await tx.save({ ...change, events: [{ type: "model_heard", ...base }] });
      await tx.readNotification(run);
      return "kept";
    }
    const isTold = noted.isNews && isToldToUser(run, "holding");
    const silentMs = Math.round(silence.silentMs);
    await tx.save({
      ...change,
      events: [
        {
          type: "model_silent",
          ...base,
          silent_ms: silentMs,
          ...toEvent(noted),
          ...(isTold ? { is_told: true as const } : {}),
        },
      ],
      notification: isTold ? notificationFor(run, "holding", describeSilence({ silentMs, ...noted })) : null,
    });
    return "kept";
  });
}

const toEvent = ({ model, tries, triesMost, atStakeMicroUsd }: NotedSilence) => ({
  model,
  tries,
  tries_most: triesMost,
  at_stake_micro_usd: atStakeMicroUsd,
});
