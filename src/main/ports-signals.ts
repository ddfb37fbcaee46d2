// Turns the signals that ask a process to end into one AbortSignal. The first asks, a later one insists.

import { constants } from "node:os";

/** A Ctrl-C reaches the whole process group and is forwarded by npm and our launcher as well: the same wish, several times. */
const sameWishMs = 500;

/** `hear` is told the name of the first one. */
export function stopOnSignals(hear: (name: NodeJS.Signals) => void = () => {}): AbortSignal {
  const controller = new AbortController();
  let askedAtMs: number | null = null;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      const nowMs = performance.now();
      if (askedAtMs === null) {
        askedAtMs = nowMs;
        hear(name);
        controller.abort();
      } else if (nowMs - askedAtMs > sameWishMs) process.exit(128 + constants.signals[name]);
    });
  }
  return controller.signal;
}
