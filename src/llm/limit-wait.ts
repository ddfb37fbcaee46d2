// How long a provider's limit lasts, from wherever it says so, and a little longer, so that not every worker comes back in
// the same moment. Pure.

import { endOfDay } from "../domain/end-of-day.ts";
import type { ErrorFacts } from "./error-facts.ts";

type WaitOptions = { readonly nowMs: number; readonly random: number };

/** Most limits are per minute; half of one is over soon enough. */
const defaultMs = 30_000;
const dayMs = 24 * 60 * 60 * 1000;
/** What a header may ask for; more than a day is a clock that is wrong. */
const headerMaxMs = dayMs;
/** Spend limits are of a month. */
const spendMaxMs = 32 * dayMs;
/** Up to a tenth later, at least up to a second, at most up to half a minute. */
const jitter = { share: 0.1, minMs: 1_000, maxMs: 30_000 };

export function readWait(facts: ErrorFacts, { nowMs, random }: WaitOptions): number {
  const spend = untilRegained(facts.text, nowMs);
  const wait = spend === null ? Math.min(waitOf(facts, nowMs), headerMaxMs) : Math.min(spend, spendMaxMs);
  const ms = Math.max(0, Math.ceil(wait));
  const most = Math.min(Math.max(ms * jitter.share, jitter.minMs), jitter.maxMs);
  return ms + 1 + Math.floor(random * most);
}

function waitOf(facts: ErrorFacts, nowMs: number): number {
  const { headers, body } = facts;
  // Google also names seconds with a quota of the day, after which the same answer would come.
  if (isPerDay(facts)) return untilMidnight(nowMs);
  const waits = [
    numberOf(headers["retry-after-ms"]),
    seconds(numberOf(headers["retry-after"])),
    untilDate(headers["retry-after"], nowMs),
    // Google: "34s", in the body.
    ...(body?.details ?? []).map(({ retryDelay }) => seconds(numberOf(retryDelay?.replace(/s$/, "")))),
    // OpenRouter, of a limit at the provider behind it.
    seconds(body?.metadata?.retry_after_seconds ?? null),
  ];
  return waits.find((ms) => ms !== null) ?? defaultMs;
}

const isPerDay = ({ body }: ErrorFacts) =>
  body?.details?.some(({ violations }) => violations?.some(({ quotaId }) => quotaId?.includes("PerDay"))) === true;

const california = "America/Los_Angeles";

/** Google's days begin at midnight in California, a second after the last one of a day. */
function untilMidnight(nowMs: number): number {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: california }).format(nowMs);
  return (untilDate(endOfDay(today, california), nowMs) ?? dayMs) + 1_000;
}

/** Claude: "You will regain access on 2026-12-01 at 00:00 UTC." Null: no such date. */
function untilRegained(text: string, nowMs: number): number | null {
  const [, day, time = "00:00"] =
    /regain access on (\d{4}-\d{2}-\d{2})(?:[T ]?(?:at )?(\d{2}:\d{2}))?/i.exec(text) ?? [];
  return day === undefined ? null : untilDate(`${day}T${time}:00Z`, nowMs);
}

function untilDate(text: string | undefined, nowMs: number): number | null {
  // biome-ignore lint/style/noRestrictedGlobals: reads a date that was given, not the clock
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at - nowMs;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

const seconds = (count: number | null) => (count === null ? null : count * 1000);
