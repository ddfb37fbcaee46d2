// Names of projects, tasks and agent runs. Each is also the name of a folder, so each is a single path component that cannot leave the
// root, cannot be taken for an option, and is the same on file systems that ignore case in tasks and runs.

import { AppError } from "../../lib/app-error.ts";
import type { Brand } from "../../lib/brand.ts";
import { type NanoClock, nextTick, parseStamp, toStamp, toTickStamp, wholeTick } from "./timestamps.ts";

export type AgentProjectId = Brand<string, "AgentProjectId">;
export type AgentTaskId = Brand<string, "AgentTaskId">;
export type AgentRunId = Brand<string, "AgentRunId">;

/** Names that begin with a dot or an underscore are the runner's own (`_audit`, `.conductor`). */
const projectPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const taskPattern = /^task-(\d{8}-\d{6})-([a-z0-9][a-z0-9-]{1,48}[a-z0-9])$/;
/** A pid has at most 10 digits on any system. */
const runPattern = /^(\d{8}-\d{10})-([1-9]\d{0,9})$/;

export const isProjectId = (text: string): text is AgentProjectId => projectPattern.test(text);
export const isTaskId = (text: string): text is AgentTaskId => parseStamp(taskPattern.exec(text)?.[1] ?? "") !== null;
export const isRunId = (text: string): text is AgentRunId => parseStamp(runPattern.exec(text)?.[1] ?? "") !== null;

/** What a person calls it: the id without its time. */
export const nameOfTask = (id: AgentTaskId): string => taskPattern.exec(id)?.[2] ?? id;

export function requireProjectId(text: string): AgentProjectId {
  if (isProjectId(text)) return text;
  throw invalidName(
    "project",
    text,
    "letters, digits, hyphens and underscores, at most 64, beginning with a letter or digit",
  );
}

export function requireTaskId(text: string): AgentTaskId {
  if (isTaskId(text)) return text;
  throw invalidName(
    "task",
    text,
    "task-YYYYMMDD-HHMMSS-slug with 3 to 50 lower-case letters, digits and hyphens as the slug",
  );
}

export function requireRunId(text: string): AgentRunId {
  if (isRunId(text)) return text;
  throw invalidName("run", text, "YYYYMMDD-HHMMSSffff-PID");
}

function invalidName(what: string, text: string, rule: string): AppError {
  return new AppError("invalid_request", `${quote(text)} is not a valid ${what} id. Use ${rule}.`);
}

/** A text in a message: short, on one line, without control characters. */
export function quote(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(shown.toWellFormed());
}

export const toTaskId = (nanos: bigint, slug: string): AgentTaskId => requireTaskId(`task-${toStamp(nanos)}-${slug}`);

/** Ids count on from the latest known one when the clock was set back. A known id further ahead than this was made by a wrong clock. */
const aheadMaxNs = 24n * 3_600_000_000_000n;

/** The time of the next id: now, or right behind `last` where a clock was set back. */
export function timeAfter(last: bigint | null, now: bigint, next: (last: bigint) => bigint): bigint {
  return last !== null && last >= now && last - now < aheadMaxNs ? next(last) : now;
}

/** The next id of this process; `after`: it sorts behind this one as well. */
export type RunIdMaker = (after?: AgentRunId) => AgentRunId;

/** No two ids of one maker are equal, and each sorts behind the one before; processes differ by their pid. */
export function makeRunIds(nanos: NanoClock, pid: number): RunIdMaker {
  let last = -1n;
  return (after) => {
    const now = wholeTick(nanos());
    const own = last >= now ? nextTick(last) : now;
    last = timeAfter(after === undefined ? null : parseStamp(after), own, nextTick);
    return requireRunId(`${toTickStamp(last)}-${pid}`);
  };
}
