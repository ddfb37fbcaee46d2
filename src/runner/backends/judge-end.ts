// What the end of an agent means, for all of them: an adapter only says which HTTP status stands behind it. Words are believed from
// the agent's own events, then from its errors on stderr; never from what its tools printed.

import { errorLines } from "../../domain/run/output/error-lines.ts";
import { readLimitReset } from "../../domain/run/provider/limit-reset.ts";
import { type EndingFacts, endingOf } from "../../domain/run/provider/provider-limit.ts";
import { readStatus } from "../read-status.ts";
import type { AgentEnd, Verdict } from "./backend.ts";

/** A key that is missing, wrong or not allowed; nothing left to pay with; no such model or endpoint. */
const refusedStatuses = [401, 402, 403, 404];
/** The same where only words tell it. */
const refusal =
  /\b(?:(?:invalid|incorrect|missing|no|expired|revoked)(?: or \w+)? (?:x-)?api[- _]?key|api[_ ]key[_ ](?:invalid|not (?:found|valid|set|configured))|api key not valid|authentication[_ ](?:failed|error)|not logged in|(?:log|sign) ?in (?:again|required)|refresh[_ ]token|token (?:has )?expired|please (?:run|use) (?:`|'|")?(?:\/login|[\w-]+ (?:auth )?login)|unauthori[sz]ed|unauthenticated|permission[_ ]denied|forbidden|insufficient[_ ](?:credits?|funds|balance)|credit balance is too low|billing[_ ](?:hard[_ ]limit|details|required|not (?:active|enabled))|payment required|missing environment variable|must specify the \S{1,60} environment variable|set an auth method|model[_ ]not[_ ]found|no such model|unknown model|unsupported model|model (?:\S{1,80} )?(?:is |was )?not (?:found|supported)|Provider(?:ModelNotFound|Init)Error|does not exist or you do not have access)\b/i;
/** A quota. Waiting helps only where its end is told: Gemini says this of a limit per minute too, with the seconds to wait. */
const quotaWords =
  /\b(?:quota exceeded|exceeded your current quota|insufficient[_ ]quota|out of (?:\w+ )?credits|no credits (?:left|remaining))\b/i;
const connection =
  /\b(?:ECONN(?:RESET|REFUSED|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|UND_ERR_\w+|socket hang up|fetch failed|network error|connection (?:was )?(?:error|refused|reset|closed|dropped|aborted|failed|lost)|(?:cannot|could not|unable to) connect|stream (?:disconnected|closed|ended) (?:before|unexpectedly|without)|error sending request|failed to connect|(?:request|connection|headers?|api) (?:timed? ?out|timeout)|overloaded|(?:at|over) capacity|internal server error|bad gateway|service unavailable|gateway timeout|high demand)\b/i;

/** `status` is the HTTP status behind the end; null: the agent does not tell it. */
export function judgeEnd(end: AgentEnd, nowMs: number, status: number | null): Verdict {
  const ending = endingOf(gatherFacts(end, status));
  if (ending === "well") return { kind: "ok" };
  const why = describeEnd(end);
  const notBeforeMs = readReset(end, nowMs);
  if (end.heard.limit?.isRejected === true) return { kind: "transient", why, notBeforeMs };
  const isLimit = ending === "limit" || isLimitError(end);
  // A limit that names its end is waited for, whatever it says of plans and billing.
  if (notBeforeMs !== null && !isKeyRefused(status) && (isLimit || quotaWords.test(tellFailure(end))))
    return { kind: "transient", why, notBeforeMs };
  if (isRefused(status, tellFailure(end))) return { kind: "refused", why };
  if (isLimit) return { kind: "transient", why, notBeforeMs };
  // No limit, so times that the agent spoke of are not about when to try again.
  const isTransient = !end.wasTimedOut && isPassing(status, tellFailure(end));
  return isTransient ? { kind: "transient", why, notBeforeMs: null } : { kind: "failed", why };
}

function gatherFacts(end: AgentEnd, status: number | null): EndingFacts {
  const { heard, exitCode, wasTimedOut } = end;
  return {
    exitCode,
    wasTimedOut,
    hasGoodResult: heard.end !== null && !heard.end.isError,
    hasClaim: readStatus(heard.text).kind === "found",
    limitEvent: heard.limit === null ? null : heard.limit.isRejected ? "rejected" : "allowed",
    providerStatus: status,
    speech: lastWords(end).map((text) => ({ by: "agent", text })),
  };
}

/** An error is about what the provider did, so fewer words tell it than in what an agent says about its work. */
const limitError =
  /\b(?:rate[- _]limit(?:[- _]error)?|too many requests|(?:requests|tokens) per (?:second|minute|hour|day)|throttl(?:ed|ing)|resource[_ ]exhausted)\b/i;

function isLimitError(end: AgentEnd): boolean {
  const hasClaim = readStatus(end.heard.text).kind === "found";
  return !hasClaim && end.heard.limit === null && limitError.test(tellFailure(end));
}

/** Of the provider or the network, and over before long. */
const isPassing = (status: number | null, words: string): boolean =>
  status === null ? connection.test(words) : status >= 500 || status === 408;

/** The provider's own event tells the time better than words. */
function readReset(end: AgentEnd, nowMs: number): number | null {
  const untilMs = end.heard.limit?.isRejected === true ? (end.heard.limit.untilMs ?? 0) : 0;
  if (untilMs > nowMs) return untilMs;
  const times = lastWords(end).map((words) => readLimitReset(words, nowMs, end.timeZone));
  return times.findLast((time) => time !== null) ?? null;
}

const isKeyRefused = (status: number | null): boolean => status === 401 || status === 404;

function isRefused(status: number | null, words: string): boolean {
  if (status !== null && refusedStatuses.includes(status)) return true;
  if (status !== null && status >= 500) return false;
  return refusal.test(words) || quotaWords.test(words);
}

/** What may tell of a limit and its end: what the agent said last, and how it says it ended. Its end often repeats its last words. */
function lastWords(end: AgentEnd): readonly string[] {
  const { speech, aside = "" } = end.heard;
  const notice = tellFailure(end).slice(-noticeMax);
  const last = speech.at(-1) ?? "";
  return [...speech.slice(-lastWordsMax), ...[notice, aside].filter((words) => words !== "" && words !== last)];
}

const lastWordsMax = 2;

/** A notice is short: what stands at the end of a longer text. */
const noticeMax = 400;

/** The agent's own account of what went wrong; its errors on stderr where it gave none. */
function tellFailure({ heard, stderr }: AgentEnd): string {
  const ended = heard.end?.isError === true ? heard.end.why : "";
  const told = [ended, heard.error?.why ?? ""].filter((words) => words !== "");
  return told.length > 0 ? told.join("\n") : stderr.slice(-stderrMax);
}

const stderrMax = 4_000;

/** In words, for people. */
export function describeEnd(end: AgentEnd): string {
  const what = tellReason(end);
  return what === "" ? `${tellHow(end)}.` : `${tellHow(end)}: ${what}`;
}

function tellHow({ heard, exitCode, signal, wasTimedOut }: AgentEnd): string {
  if (wasTimedOut) return "It was ended because it was silent or took too long";
  if (signal !== null) return `It was ended by ${signal}`;
  if (exitCode !== 0) return `It ended with exit code ${exitCode ?? "unknown"}`;
  return heard.end === null ? "It ended without saying that it had finished" : "It ended with an error";
}

/** The last line of a program that failed by itself is its reason; of one that was ended it is anything. */
function tellReason({ heard, exitCode, signal, stderr, wasTimedOut }: AgentEnd): string {
  const ended = heard.end?.isError === true ? heard.end.why : "";
  const hasFailed = exitCode !== 0 && signal === null && !wasTimedOut;
  const told = [ended, heard.error?.why ?? "", errorLines(stderr).at(-1) ?? "", hasFailed ? lastLine(stderr) : ""];
  return told.find((words) => words !== "") ?? "";
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim().slice(0, 500) ?? "";
