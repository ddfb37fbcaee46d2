// From anything thrown to the one error envelope. What a caller cannot act on is logged here and said in one sentence there.

import type { Context } from "hono";
import type { z } from "zod";
import { fromPgError, sqlState } from "../db/errors.ts";
import { AppError, errorCodes } from "../lib/app-error.ts";
import type { Logger } from "../lib/logger.ts";
import type { ErrorEnvelope } from "../protocol/error.ts";
import { fromAuthError } from "./auth.ts";

/** Seconds a client should wait before it asks again. */
const retryAfterSeconds = "2";

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

export function answerError(c: Context, thrown: unknown, logger: Logger): Response {
  const error = toAppError(thrown);
  const { http } = errorCodes[error.code];
  if (http >= 500) logger.error({ error, path: c.req.path, method: c.req.method }, "request failed");
  if (errorCodes[error.code].retry === "backoff") c.header("retry-after", retryAfterSeconds);
  return c.json(envelope(error), http as 400);
}

function envelope({ code, message, details }: AppError): ErrorEnvelope {
  return { error: { code, message, details: { ...details } } };
}

/** Every problem of a request in one answer: where it is and what is wrong. */
export function invalidRequest(where: string, { issues }: z.ZodError): AppError {
  const problems = issues.slice(0, 20).map((issue) => ({
    at: [where, ...issue.path].join("."),
    problem: issue.message,
  }));
  const first = problems[0];
  return new AppError("invalid_request", first ? `${first.at}: ${first.problem}` : "The request is not valid", {
    details: { problems },
  });
}
