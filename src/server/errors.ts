// From anything thrown to the one error envelope. What a caller cannot act on is logged here and said in one sentence there.

import type { Context } from "hono";
import { fromPgError, sqlState } from "../db/errors.ts";
import { AppError } from "../lib/app-error.ts";
import type { Logger } from "../lib/logger.ts";
import { fromAuthError } from "./auth.ts";
import { sendError } from "./error-answer.ts";

function toAppError(thrown: unknown): AppError {
  const known = fromAuthError(thrown);
  if (known instanceof AppError) return known;
  const state = sqlState(known);
  // Class 22: a value the database cannot take although the contract let it pass.
  if (state?.startsWith("22")) return new AppError("invalid_request", "A value is out of range", { cause: known });
  // A policy of the database said no where the route did not: still a no.
  if (state === "42501") return new AppError("forbidden", "You may not do that", { cause: known });
  if (isConnectionError(known)) return AppError.from(fromPgError(known));
  return AppError.from(known);
}

/** Raised by the sign-in library's own pool, which `database.ts` does not guard. */
function isConnectionError(thrown: unknown): boolean {
  if (sqlState(thrown) !== null) return fromPgError(thrown) !== thrown;
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "EPIPE" || code === "ETIMEDOUT";
}

export const answerError = (c: Context, thrown: unknown, logger: Logger): Response =>
  sendError(c, toAppError(thrown), logger);
