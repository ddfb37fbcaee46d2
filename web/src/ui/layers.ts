// Dialogs and panels that lie above each other, in the order in which they came: Escape closes the topmost alone.

import { useEffect, useState, useSyncExternalStore } from "react";

let layers: readonly symbol[] = [];
const listeners = new Set<() => void>();

function change(next: readonly symbol[]): void {
  layers = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function enter(id: symbol): () => void {
  change([...layers, id]);
  return () => change(layers.filter((each) => each !== id));
}

/** Something lies above all others from now on; answers how to end that. */
export const enterLayer = (): (() => void) => enter(Symbol("layer"));

/** Whether nothing lies above the one that calls it, for as long as it is rendered. */
export function useIsTopmost(): boolean {
  const [id] = useState(() => Symbol("layer"));
  useEffect(() => enter(id), [id]);
  return useSyncExternalStore(subscribe, () => layers.at(-1) === id || !layers.includes(id));
}
