// The lock of an embedded cluster: whatever starts, stops or replaces its server holds it.

import { withLock } from "../../files/lock.ts";
import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { Env } from "../../lib/env.ts";
import type { DataFolder } from "./data-folder.ts";

/** Longer than a start that has to replay a log after a crash. */
const waitMs = 120_000;

export function withClusterLock<T>(
  { lock }: DataFolder,
  { self, env }: { readonly self: ProcessIdentity; readonly env: Env },
  work: () => Promise<T>,
): Promise<T> {
  return withLock({ folder: lock, self, env, waitMs, whileHeld: "starts or stops the embedded database" }, work);
}
