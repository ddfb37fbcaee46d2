// Whether the live view is open: the header, the palette and the dialog itself share it.

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let open = false;

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

export const openLiveView = () => set(true);
export const closeLiveView = () => set(false);

export function useLiveViewOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
