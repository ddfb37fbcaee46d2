// What a failed query means to a caller: the database is away (try again later), or the error is the query's own.

import pg from "pg";
import { AppError } from "../lib/app-error.ts";

/** SQLSTATE classes and codes under which the same request may work later. */
const unavailableStates: readonly RegExp[] = [
  /^08/, // connection exceptions
  /^53/, // out of resources: disk full, memory, connections
  /^57P0/, // shutting down, crashed, not yet up
  /^58/, // I/O errors of the server
  /^25006$/, // read only: a replica after a switch
  /^40/, // serialisation failures and deadlocks
  /^55P03$/, // lock not available in time
];

const noRoomWords =
  "There is no room left for this: Settings, Profile shows how much may be kept. Shorten something, delete what is no longer needed for good, or ask a person who manages this installation for more room";

/** Errors without a SQLSTATE come from the connection: refused, cut, timed out. */
export function fromPgError(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const state = sqlState(thrown);
  if (state === raised.noRoom) return new AppError("storage_full", noRoomWords, { cause: thrown });
  if (state !== null && !unavailableStates.some((pattern) => pattern.test(state))) return thrown;
  return new AppError("database_unavailable", "The database does not answer right now; try again in a moment", {
    cause: thrown,
  });
}

/** The five-character code of an error the server itself sent, else null. */
export function sqlState(thrown: unknown): string | null {
  return thrown instanceof pg.DatabaseError ? (thrown.code ?? null) : null;
}

/** Codes that our own triggers raise (see migrations). */
export const raised = { documentCycle: "HW001", lastOwner: "HW002", treeTooDeep: "HW003", noRoom: "HW050" } as const;
export const uniqueViolation = "23505";
/** It ran into its time-out. */
export const canceled = "57014";
