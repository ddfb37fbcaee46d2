// Every failure a caller may have to react to, in one table: HTTP status and whether trying again can help.
// Anything not listed here is a bug and is reported as `internal`.

import { describeMachineFault } from "./machine-fault.ts";

type ErrorSpec = {
  /** Status code of the HTTP API. */
  readonly http: number;
  /** What a caller (a queue, the CLI, a browser) does with it: the same again is pointless, or may work later. */
  readonly retry: "never" | "backoff";
};

export const errorCodes = {
  invalid_request: { http: 400, retry: "never" },
  malformed_json: { http: 400, retry: "never" },
  body_cut_off: { http: 400, retry: "never" },
  invalid_cursor: { http: 400, retry: "never" },
  not_signed_in: { http: 401, retry: "never" },
  wrong_credentials: { http: 401, retry: "never" },
  link_expired: { http: 401, retry: "never" },
  forbidden: { http: 403, retry: "never" },
  scope_missing: { http: 403, retry: "never" },
  origin_refused: { http: 403, retry: "never" },
  not_found: { http: 404, retry: "never" },
  method_not_allowed: { http: 405, retry: "never" },
  /** The sender stopped in the middle of the body. */
  body_late: { http: 408, retry: "backoff" },
  /** The write was made against an older version; `details.current` holds what is there now. */
  stale_version: { http: 409, retry: "never" },
  already_exists: { http: 409, retry: "never" },
  document_cycle: { http: 409, retry: "never" },
  last_owner: { http: 409, retry: "never" },
  deleted: { http: 409, retry: "never" },
  /** The run is in a status in which that cannot be done; `details.status` says which. */
  wrong_status: { http: 409, retry: "never" },
  /** Somebody has worked on it since; `details.conflicts` says on what and who. */
  undo_conflict: { http: 409, retry: "never" },
  too_large: { http: 413, retry: "never" },
  /** The person who made the thing may keep no more text. */
  storage_full: { http: 413, retry: "never" },
  wrong_content_type: { http: 415, retry: "never" },
  host_refused: { http: 421, retry: "never" },
  /** The same Idempotency-Key came with a different request. */
  idempotency_mismatch: { http: 422, retry: "never" },
  /** Well formed, and it can never work; the message says what would. */
  unprocessable: { http: 422, retry: "never" },
  rate_limited: { http: 429, retry: "backoff" },
  too_many_streams: { http: 429, retry: "backoff" },
  internal: { http: 500, retry: "never" },
  config_invalid: { http: 500, retry: "never" },
  schema_newer: { http: 500, retry: "never" },
  schema_older: { http: 500, retry: "never" },
  /** As much as can be done at once is being done. */
  busy: { http: 503, retry: "backoff" },
  database_unavailable: { http: 503, retry: "backoff" },
  shutting_down: { http: 503, retry: "backoff" },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof errorCodes;

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details ?? {};
  }

  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    const fault = describeMachineFault(thrown, false);
    return new AppError("internal", fault ?? "Something went wrong on our side", { cause: thrown });
  }
}
