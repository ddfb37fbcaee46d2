// Whether the server answers at all, as seen by the calls the page makes; the banner and recovery listen here.

type Listener = () => void;

let reachable = true;
const listeners = new Set<Listener>();

export function isReachable(): boolean {
  return reachable;
}

export function markReachable(now: boolean): void {
  if (reachable === now) return;
  reachable = now;
  for (const listener of listeners) listener();
}

export function subscribeReachability(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
