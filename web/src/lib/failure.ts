// What a failed call means to the page: its code, and the words to show.

import { ApiError } from "../../../src/protocol/api-error.ts";

export type FailureCode = ApiError["code"];

export function codeOf(error: unknown): FailureCode | undefined {
  return error instanceof ApiError ? error.code : undefined;
}

export function isSignedOut(error: unknown): boolean {
  return codeOf(error) === "not_signed_in";
}

export function messageOf(error: unknown): string {
  if (codeOf(error) === "unreachable") return "The server does not answer. Nothing was changed.";
  if (error instanceof Error && error.message) return error.message;
  return "Something went wrong";
}

/** What is there now, as a refused stale write tells it. */
export function currentOf<Thing>(error: unknown): Thing | undefined {
  if (!(error instanceof ApiError) || error.code !== "stale_version") return undefined;
  return error.details.current as Thing | undefined;
}
