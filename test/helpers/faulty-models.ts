// Models that answer by a table and meet one fault: at the first call of a role that a test names, and at every one after it.

import type { Env } from "../../src/lib/env.ts";
import type { ModelOutcome, ModelRole, Models, PlainAnswer } from "../../src/llm/model.ts";
import { realEnv } from "../../src/main/env.ts";

export type FaultyPlay = {
  /** Which call meets the fault; `from` counts the calls of the role from 0. */
  readonly site: { readonly role: ModelRole; readonly from: number };
  /** What the roles answer, one after the other; a role that has nothing left to say ends its work. */
  readonly answers: Partial<Record<ModelRole, readonly PlainAnswer[]>>;
  readonly fault: (signal: AbortSignal) => Promise<ModelOutcome>;
  /** More than a hard limit has room for. */
  readonly isTooDear: boolean;
};

/** A test's hard limit is 1,000: an answer costs little, a dear one too much. */
const cheap = 1;
const dear = 100_000;

const usage = {
  costMicroUsd: cheap,
  inputTokens: 1,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 1,
  pricedBy: "table",
} as const;

export const callTools = (...calls: readonly { readonly tool: string; readonly args: unknown }[]): PlainAnswer => ({
  text: "",
  toolCalls: calls.map((call, at) => ({ ...call, callId: `call-${at}` })),
});

const goOn = callTools({
  tool: "end_iteration",
  args: { exit_signal: false, progress_summary: "working", remaining_work: ["more"] },
});

export function faultyModels({
  site,
  answers,
  fault,
  isTooDear,
}: FaultyPlay): Models & { readonly hasMet: () => boolean } {
  const asked = new Map<ModelRole, number>();
  let hasMet = false;
  const isHere = (role: ModelRole) => role === site.role && (asked.get(role) ?? 0) >= site.from;
  return {
    hasMet: () => hasMet,
    chainOf: () => [{ provider: "faulty", id: "faulty/one", isDemo: false }],
    isPriced: () => true,
    reservationOf: (_model, { role }) => {
      hasMet ||= isHere(role);
      return isTooDear && isHere(role) ? dear : cheap;
    },
    call: async (_model, { role }, signal) => {
      const at = asked.get(role) ?? 0;
      if (isHere(role) && !isTooDear) return fault(signal);
      asked.set(role, at + 1);
      const answer = answers[role]?.[at] ?? (role === "planner" ? goOn : { text: "Done.", toolCalls: [] });
      return { kind: "answered", answer: { ...answer, native: null }, usage };
    },
  };
}

/** Between the tries of a call no test waits. */
export const hastyEnv: Env = { ...realEnv, sleep: (ms, signal) => realEnv.sleep(Math.min(ms, 5), signal) };
