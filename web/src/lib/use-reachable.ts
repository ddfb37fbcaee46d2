// Whether the server answers, for controls that would only fail without it.

import { useSyncExternalStore } from "react";
import { isReachable, subscribeReachability } from "./reachability.ts";

export function useReachable(): boolean {
  return useSyncExternalStore(subscribeReachability, isReachable);
}
