// What the server prints for the first admin: a mark that only the holder of the installation's secret can make, the same after a restart
// and in every process. It is worthless once there is an admin.

import { createHmac, timingSafeEqual } from "node:crypto";

export type BootstrapToken = { readonly value: string; readonly isIt: (given: string) => boolean };

export function createBootstrapToken(secret: string): BootstrapToken {
  const digest = (text: string) => createHmac("sha256", secret).update(text).digest();
  const value = digest("homework bootstrap token").toString("hex").slice(0, 32);
  return { value, isIt: (given) => timingSafeEqual(digest(given), digest(value)) };
}
