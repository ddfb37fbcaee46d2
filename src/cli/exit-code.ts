// The number a command ends with, from what went wrong. Scripts depend on these: a meaning never changes.

import { CommanderError } from "commander";
import { AppError, errorCodes } from "../lib/app-error.ts";
import { ApiError } from "../protocol/api-error.ts";

export const exitCodes = {
  ok: { number: 0, meaning: "success" },
  failed: { number: 1, meaning: "failure" },
  usage: { number: 2, meaning: "wrong usage, or settings that cannot be used" },
  not_found: { number: 3, meaning: "no such thing" },
  not_allowed: { number: 4, meaning: "not allowed, or not signed in" },
  conflict: { number: 5, meaning: "conflict with what is there" },
  unreachable: { number: 6, meaning: "the server or the database cannot be reached" },
  run_stopped: { number: 20, meaning: "the run stopped; it can be resumed" },
  run_failed: { number: 21, meaning: "the run failed" },
  run_canceled: { number: 22, meaning: "the run was canceled" },
  run_waiting: { number: 23, meaning: "the run is waiting for your answer" },
  interrupted: { number: 130, meaning: "interrupted" },
} as const;

export type ExitName = keyof typeof exitCodes;

/** A command that ends badly although nothing was thrown by what it called; what there is to say was said. */
export class Ended extends Error {
  readonly exit: ExitName;

  constructor(exit: ExitName) {
    super(exitCodes[exit].meaning);
    this.name = "Ended";
    this.exit = exit;
  }
}

export function exitNameOf(thrown: unknown): ExitName {
  if (thrown instanceof Ended) return thrown.exit;
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? "ok" : "usage";
  if (thrown instanceof ApiError || thrown instanceof AppError) return exitNameOfCode(thrown.code);
  return "failed";
}

function exitNameOfCode(code: ApiError["code"]): ExitName {
  if (code === "unreachable" || code === "unexpected_answer") return "unreachable";
  if (code === "config_invalid") return "usage";
  return byHttpStatus[errorCodes[code].http] ?? "failed";
}

/** Statuses that are not here are plain failures. */
const byHttpStatus: Readonly<Record<number, ExitName>> = {
  400: "usage",
  401: "not_allowed",
  403: "not_allowed",
  404: "not_found",
  409: "conflict",
  413: "usage",
  415: "usage",
  421: "not_allowed",
  422: "conflict",
  503: "unreachable",
};
