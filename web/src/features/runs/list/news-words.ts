// What happened since the reader was last here, in one sentence. Pure.

import type { RunNews } from "../../../../../src/protocol/api.ts";
import { cost } from "../../../../../src/protocol/figures.ts";

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const weekday = new Intl.DateTimeFormat("en", { weekday: "long" });
const date = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });

type AlsoTold = {
  /** Open questions of outcomes and agents. */
  readonly questions: number;
  /** Runs that the reader canceled, ever. News are about what ended by itself; only a first visit, which is about everything, names them. */
  readonly canceled: number;
};

/** Null where there is nothing to say: on a first visit before anything happened. */
export function newsSentence(news: RunNews, { questions, canceled }: AlsoTold, nowMs: number): string | null {
  const needing = news.needs_you + questions;
  const needs = needing === 0 ? null : `${needing.toLocaleString("en")} ${needing === 1 ? "needs" : "need"} you`;
  const spent = news.cost_micro_usd + news.unpriced_calls;
  if (news.since === null && needs === null && news.finished + spent === 0) return null;
  const parts = [
    needs,
    ...endWords(news, news.since === null ? canceled : 0),
    spent === 0 ? null : `${cost(news.cost_micro_usd, news.unpriced_calls)} spent in all`,
  ];
  const when = news.since === null ? "So far" : `Since ${momentWords(news.since, nowMs)}`;
  return `${when}: ${parts.filter((part) => part !== null).join(", ")}`;
}

/** `2 completed`, `1 failed`, `1 undone`: every run that ended is in one of them. */
function endWords({ finished, completed, stopped, failed }: RunNews, canceled: number): readonly string[] {
  const undone = finished - completed - stopped - failed;
  const ends = [
    [completed, `${completed.toLocaleString("en")} completed`],
    [stopped, `${stopped.toLocaleString("en")} stopped`],
    [failed, `${failed.toLocaleString("en")} failed`],
    [undone, `${undone.toLocaleString("en")} undone`],
    [canceled, `${canceled.toLocaleString("en")} canceled`],
  ] as const;
  const words = ends.filter(([count]) => count > 0).map(([, said]) => said);
  return words.length === 0 ? ["nothing finished"] : words;
}

/** `08:12` today, `yesterday 18:00`, `Monday 18:00` within a week, `3 Nov 18:00` before. */
function momentWords(at: string, nowMs: number): string {
  const then = new Date(at);
  const time = clock.format(then);
  const days = daysBetween(then, new Date(nowMs));
  if (days === 0) return time;
  if (days === 1) return `yesterday ${time}`;
  return `${days < 7 ? weekday.format(then) : date.format(then)} ${time}`;
}

const daysBetween = (from: Date, to: Date) => Math.round((midnight(to) - midnight(from)) / 86_400_000);
const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
