// Fetches again what events say is old, but not with every event: a burst counts once, and the next time comes only when some
// time has passed and the last answers are here. (Asking again cancels what is under way, so a slow answer would never come.)

import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

/** Events come one by one, and belong together. */
const burstMs = 20;
/** Answers are not waited for longer. */
const patienceMs = 5_000;

export type Refresh = (...keys: readonly QueryKey[]) => void;

/** `everyMs`: at the most once in this time. */
export function createRefresher(queryClient: Pick<QueryClient, "invalidateQueries">, everyMs: number): Refresh {
  const old = new Map<string, QueryKey>();
  let isBusy = false;

  const begin = () => {
    isBusy = true;
    setTimeout(() => void refreshAll(), burstMs);
  };
  const refreshAll = async () => {
    const keys = [...old.values()];
    old.clear();
    const answers = Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    await Promise.all([pause(everyMs), Promise.race([answers, pause(patienceMs)])]);
    isBusy = false;
    if (old.size > 0) begin();
  };

  return (...keys) => {
    for (const key of keys) old.set(JSON.stringify(key), key);
    if (!isBusy) begin();
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function useRefresher(everyMs: number): Refresh {
  const queryClient = useQueryClient();
  return useMemo(() => createRefresher(queryClient, everyMs), [queryClient, everyMs]);
}
