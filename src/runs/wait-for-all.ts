// Work that is done side by side in one iteration ends together: nothing is written after the iteration is over.

import { AppError } from "../lib/app-error.ts";
import { Interrupted } from "./ports/engine.ts";

/** The lease or the database is gone, or this process stops: another attempt goes on. */
export const isEndOfWork = (thrown: unknown, signal: AbortSignal): boolean =>
  (thrown instanceof Interrupted && (thrown.by.kind === "lost" || thrown.by.kind === "aborted")) ||
  signal.aborted ||
  (thrown instanceof AppError && thrown.code === "database_unavailable");

/**
 * Of several failures the one counts after which another attempt goes on: what it wrote may be kept although nothing said so, and an iteration
 * that ended because of another failure would not list it.
 */
export async function waitForAll<T>(work: readonly Promise<T>[], signal: AbortSignal): Promise<readonly T[]> {
  const settled = await Promise.allSettled(work);
  const failed = settled.filter((each) => each.status === "rejected");
  const gravest = failed.find(({ reason }) => isEndOfWork(reason, signal)) ?? failed[0];
  if (gravest) throw gravest.reason;
  return settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}
