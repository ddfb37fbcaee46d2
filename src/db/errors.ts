// What a failed query means to a caller: the database is away (try again later), or the error is the query's own.

import pg from "pg";
import { AppError } from "../lib/app-error.ts";
import { faultError, faultForCaller, faultIn } from "./faults.ts";

const noRoomWords =
  "There is no room left for this: Settings, Profile shows how much may be kept. Shorten something, delete what is no longer needed for good, or ask a person who manages this installation for more room";

/** While a server or worker runs, every fault may pass: what waited is tried again. A missing right is a no of row level security. */
export function fromPgError(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  if (sqlState(thrown) === raised.noRoom) return new AppError("storage_full", noRoomWords, { cause: thrown });
  const fault = faultIn(thrown);
  if (fault === null || fault === "missing_right") return thrown;
  return faultError(faultForCaller(fault), { code: "database_unavailable", cause: thrown });
}

/** The five-character code of an error the server itself sent, else null. */
export function sqlState(thrown: unknown): string | null {
  return thrown instanceof pg.DatabaseError ? (thrown.code ?? null) : null;
}

const deadlock = "40P01";
const conflict = "40001";

/** The database undid the transaction because another was in its way; none of it is there. */
export function isGivenUp(thrown: unknown): boolean {
  if (thrown instanceof AppError) return isGivenUp(thrown.cause);
  const state = sqlState(thrown);
  return state === deadlock || state === conflict;
}

/** Codes that our own triggers raise (see migrations). */
export const raised = { documentCycle: "HW001", lastOwner: "HW002", treeTooDeep: "HW003", noRoom: "HW050" } as const;
export const uniqueViolation = "23505";
/** It ran into its time-out. */
export const canceled = "57014";
