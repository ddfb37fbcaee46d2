// What a call of the API throws when it did not work. In a file of its own: programs that only tell errors apart load no schemas.

import type { ErrorCode } from "../lib/app-error.ts";

export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "unreachable" | "unexpected_answer";
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: ApiError["code"], message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
