// Fetches again what events say is old, but not with every event: a burst counts once, and the next time comes only when some
// time has passed and the last answers are here. (Asking again cancels what is under way, so a slow answer would never come.)
// A first answer that is still under way is not cancelled, and may be older than the event: it is asked for again afterwards.

import { type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

/** Events come one by one, and belong together. */
const burstMs = 20;
/** Answers are not waited for longer. */
const patienceMs = 5_000;

export type Refresh = (...keys: readonly QueryKey[]) => void;

/** `everyMs`: at the most once in this time. */
export function createRefresher(queryClient: QueryClient, everyMs: number): Refresh {
  const old = new Map<string, QueryKey>();
  let isBusy = false;

  const begin = () => {
    isBusy = true;
    setTimeout(() => void refreshAll(), burstMs);
  };
  const refreshAll = async () => {
    const keys = [...old.values()];
    const early = keys.filter((queryKey) => queryClient.isFetching({ queryKey, predicate: hasNothingYet }) > 0);
    old.clear();
    const answers = Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    await Promise.all([pause(everyMs), Promise.race([answers, pause(patienceMs)])]);
    isBusy = false;
    for (const key of early) old.set(JSON.stringify(key), key);
    if (old.size > 0) begin();
  };

  return (...keys) => {
    for (const key of keys) old.set(JSON.stringify(key), key);
    if (!isBusy) begin();
  };
}

const hasNothingYet = ({ state }: Query) => state.data === undefined;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function useRefresher(everyMs: number): Refresh {
  const queryClient = useQueryClient();
  return useMemo(() => createRefresher(queryClient, everyMs), [queryClient, everyMs]);
}
