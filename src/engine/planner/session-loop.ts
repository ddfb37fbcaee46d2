// What the sessions of a run, the planner's and those of executors, have in common: the tool loop through the journal, so that
// another attempt opens with the same bytes and hears, says and ends the same at the same places.

import { clipLine } from "../../domain/planner/clip.ts";
import type { SaidMessage } from "../../domain/planner/said-message.ts";
import type { SessionLimits } from "../../domain/planner/view.ts";
import { reachedLimit } from "../../domain/run/budget/budget.ts";
import type { ToolCall } from "../../llm/model.ts";
import { newMessages } from "../../prompts/session-notes.ts";
import type { Lane } from "../../runs/ports/run-store.ts";
import { readSpent } from "../../store/workspace/planner-store.ts";
import type { Sighting } from "../../tools/things-read.ts";
import { askInSession, toNote } from "../ask.ts";
import { type LoopEnd, type LoopRequest, runToolLoop, type ToolLoop } from "../tool-loop.ts";
import type { Iteration } from "./iteration.ts";

/** What it begins with, as the journal keeps it. `said`: ids of the messages in it; `shown`: of documents that stand in it whole. */
type Opening = {
  readonly message: string;
  readonly said: readonly string[];
  readonly shown?: readonly string[];
  /** What it shows of the user's things; openings of older versions say nothing of it. */
  readonly seen?: readonly Sighting[];
};

export type Session = Pick<ToolLoop, "howToEnd" | "isFree" | "onText"> & {
  /** Of its keys in the journal; empty for the planner's. */
  readonly prefix: string;
  readonly lane: Lane;
  readonly limits: SessionLimits;
  readonly opening: Opening;
  /** As the journal has it: another attempt shows what the first one showed. */
  readonly onOpened?: (opening: Opening) => void;
  /** What the timeline says of its opening. */
  readonly opened: string;
  readonly request: Omit<LoopRequest, "maxOutputTokens">;
  /** The calls of one answer; `key` is what the keys of their entries begin with. */
  readonly carryOut: (key: string, calls: readonly ToolCall[]) => ReturnType<ToolLoop["carryOut"]>;
  /** Asked after the user each time; empty where nothing was said. */
  readonly onHeard: (said: readonly SaidMessage[]) => void;
};

export async function runSessionLoop(it: Iteration, session: Session): Promise<LoopEnd> {
  const { journal } = it;
  const { prefix, lane, limits, howToEnd, isFree, onText, request } = session;
  // The same bytes for every attempt: providers bind what a model thought to what it had read.
  const opening = await journal.once(`${prefix}opening`, async () => toNote(session.opening, session.opened));
  session.onOpened?.(opening);
  const heard = [...opening.said];
  return runToolLoop({
    opening: [{ role: "user", text: opening.message }],
    limits,
    howToEnd,
    ask: (step, messages) => {
      const asked = { ...request, maxOutputTokens: null, messages, format: "text" } as const;
      return askInSession(it, `${prefix}llm:${step}`, asked, { lane, messages: heard.length });
    },
    ...(isFree && { isFree }),
    ...(onText && { onText }),
    carryOut: (step, calls) => session.carryOut(`${prefix}tool:${step}`, calls),
    onLeft: (step, calls) => keepLeft(it, lane, `${prefix}left:${step}`, calls, limits.callsAtOnce),
    hear: async (step) => {
      const key = `${prefix}heard:${step}`;
      // For an answer that is journaled, only what it has heard.
      if (journal.has(`${prefix}llm:${step}`) && !journal.has(key)) return "";
      const news = await journal.hear({ key, lane, tool: null, args: null }, heard);
      const said = news.map(({ id, question, text }) => ({ id, question, text }));
      heard.push(...said.map(({ id }) => id));
      session.onHeard(said);
      return said.length === 0 ? "" : newMessages(said, it.nonce);
    },
    mustEnd: (step) => mustEnd(it, prefix, step),
  });
}

const namesMax = 300;

/**
 * Calls beyond what one answer may have are not made. The journal tells of them once for an answer, so that the user sees what the
 * model wanted and why it did not happen.
 */
async function keepLeft({ journal }: Iteration, lane: Lane, key: string, calls: readonly ToolCall[], atOnce: number) {
  const names = clipLine([...new Set(calls.map(({ tool }) => tool))].join(", "), namesMax);
  const error = `At most ${atOnce} calls in one answer; not carried out: ${names}`;
  const count = calls.length === 1 ? "1 call was" : `${calls.length} calls were`;
  const summary = `${count} not carried out: too many in one answer`;
  await journal.once({ key, lane, tool: null, args: null }, async () => toNote(null, summary, error));
}

/** Of one iteration; then its sessions are asked to end. The loop's own bound is 20 minutes with the answers that follow. */
const sessionMs = 15 * 60_000;

/**
 * Why a session is asked to come to its end: a budget is reached, or the iteration has taken its time. Journaled where it is said;
 * an answer that is journaled was given knowing no more than what is journaled.
 */
async function mustEnd(it: Iteration, prefix: string, step: number): Promise<string | null> {
  const key = `${prefix}note:${step}`;
  const known = it.journal.recall<string>(key);
  if (known !== null || it.journal.has(`${prefix}llm:${step}`)) return known?.result ?? null;
  const why = await findReason(it);
  return why === null ? null : it.journal.once(key, async () => toNote(why, why));
}

async function findReason({ db, run }: Iteration): Promise<string | null> {
  const spent = await db.asUser({ userId: run.userId }, (tx) => readSpent(tx, run.id));
  const tookMs = spent.runningMs - run.spent.runningMs;
  if (tookMs > sessionMs) return `This iteration has taken ${Math.round(tookMs / 60_000)} minutes`;
  // How many iterations there may be is no reason to end this one.
  return reachedLimit(run.budget, spent, 0)?.detail ?? null;
}
