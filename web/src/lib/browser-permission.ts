// Whether this browser may show notifications of its own, and asking for that. It can be changed outside of the page, so it
// is watched.

import { useSyncExternalStore } from "react";

/** `missing`: this browser has none, or not for pages that do not come over https or from this machine. */
export type BrowserPermission = "granted" | "denied" | "default" | "missing";

export function browserPermission(): BrowserPermission {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return "missing";
  return Notification.permission;
}

const listeners = new Set<() => void>();
const tellAll = () => {
  for (const listener of listeners) listener();
};
let watching = false;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!watching && navigator.permissions) {
    watching = true;
    navigator.permissions.query({ name: "notifications" }).then(
      (status) => status.addEventListener("change", tellAll),
      // A browser that cannot be asked this way is looked at when the page is shown again.
      () => {},
    );
  }
  return () => listeners.delete(listener);
}

export function useBrowserPermission(): BrowserPermission {
  return useSyncExternalStore(subscribe, browserPermission);
}

/** Asks the user, if they have not answered yet. */
export async function askForPermission(): Promise<BrowserPermission> {
  if (browserPermission() === "default") await Notification.requestPermission();
  tellAll();
  return browserPermission();
}
