// Why nothing can be done right now: the server does not answer. Null while it does.

import { useSyncExternalStore } from "react";
import { isReachable, subscribeReachability } from "./reachability.ts";

export function useAway(): string | null {
  const reachable = useSyncExternalStore(subscribeReachability, isReachable);
  return reachable ? null : "The server does not answer. Try again when it is back.";
}
