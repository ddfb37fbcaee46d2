// The one error envelope that every failed request is answered with, and what a request that is not valid gets. It knows no database.

import type { Context } from "hono";
import type { z } from "zod";
import { AppError, errorCodes } from "../lib/app-error.ts";
import type { Logger } from "../lib/logger.ts";
import type { ErrorEnvelope } from "../protocol/error.ts";

/** Seconds a client should wait before it asks again. */
const retryAfterSeconds = "2";

export function sendError(c: Context, error: AppError, logger: Logger): Response {
  const { http } = errorCodes[error.code];
  if (http >= 500) logger.error({ error, path: c.req.path, method: c.req.method }, "request failed");
  if (errorCodes[error.code].retry === "backoff") c.header("retry-after", retryAfterOf(error));
  return c.json(envelope(error), http as 400);
}

const retryAfterOf = ({ details }: AppError): string =>
  typeof details.retry_after_seconds === "number" ? String(details.retry_after_seconds) : retryAfterSeconds;

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
