// A planner's session: the tool loop with the planner's instructions, its tools and its limits. Calls of the session's own tools
// change what it has said; all others go through the gate for tools.

import type { PlannerView } from "../../domain/planner/view.ts";
import { urlsIn } from "../../domain/policy/web-address.ts";
import type { ModelMessage, ToolCall, ToolReply } from "../../llm/model.ts";
import { plannerPrompt } from "../../prompts/planner-prompt.ts";
import { endAskedFor } from "../../prompts/planner-rules.ts";
import { plannerLane, platformLane } from "../../runs/ports/run-store.ts";
import { askInSession } from "../ask.ts";
import { type CarriedOut, type LoopEnd, runToolLoop } from "../tool-loop.ts";
import { type Caller, callTool, replyText } from "../tools/call-tool.ts";
import type { Iteration } from "./iteration.ts";
import { keepLeft } from "./keep-left.ts";
import { mustEnd } from "./must-end.ts";
import { runHost } from "./run-host.ts";
import { answerSessionCall } from "./session-calls.ts";
import { newSession, noteCall, type SessionState } from "./session-state.ts";
import { isSessionTool, plannerLimits, sessionOffers } from "./session-tools.ts";

export type RanSession = { readonly session: SessionState; readonly end: LoopEnd };

export async function runSession(it: Iteration, view: PlannerView): Promise<RanSession> {
  const { run, journal } = it;
  const session = newSession(run.plan);
  const { system, message } = plannerPrompt(view, it.nonce);
  // The same bytes for every attempt: providers bind what a model thought to what it had read.
  const opening = await journal.once({ key: "opening", lane: platformLane, tool: null, args: null }, async () => ({
    result: { message, said: view.messages.map(({ id }) => id), shown: shownIn(view) },
    summary: "Opened the session",
    artifacts: [],
    isBookkeeping: true,
  }));
  const caller: Caller = { lane: plannerLane, branchId: null, only: null, unfit: new Map() };
  const hasBegun = (step: number) => journal.has(`llm:${step}`);
  const request = {
    role: "planner" as const,
    system,
    tools: [...sessionOffers, ...offersFor(it)],
    maxOutputTokens: null,
    cacheKey: run.id,
    view: { ...view, nonce: it.nonce },
  };
  let talk = 0;
  const end = await runToolLoop({
    opening: [{ role: "user", text: opening.message }],
    limits: plannerLimits,
    howToEnd: "call end_iteration now and say what remains",
    ask: (step, messages: readonly ModelMessage[]) =>
      askInSession(
        it,
        `llm:${step}`,
        { ...request, messages, format: "text" },
        {
          lane: plannerLane,
          messages: opening.said.length + session.heard.length,
        },
      ),
    isFree: isSessionTool,
    carryOut: (step, calls) => carryOutAll(it, session, caller, step, calls),
    onLeft: (step, calls) => keepLeft(it, plannerLane, `left:${step}`, calls, plannerLimits.callsAtOnce),
    onText: () => {
      talk += 1;
      return talk > 1 ? true : endAskedFor;
    },
    hear: (step) => hearNew(it, session, step, [...opening.said], hasBegun(step)),
    mustEnd: (step) => mustEnd(it, "", step),
  });
  return { session, end };
}

/** Documents that the opening shows whole: the run has read them. */
const shownIn = ({ contents }: PlannerView): readonly string[] =>
  contents.flatMap(({ documents }) => documents.filter(({ text }) => text !== null).map(({ id }) => id));

/** Two words with the same meaning confuse: what the session has of its own is not offered a second time. */
function offersFor({ registry, run, memory }: Iteration) {
  const stage = run.guidance?.next === "recover" ? 3 : memory.stage;
  const { allowedTools: allowed } = run.permission;
  return registry.offers({ stage, chosen: [], missed: memory.missedTools, allowed });
}

async function carryOutAll(
  it: Iteration,
  session: SessionState,
  caller: Caller,
  step: number,
  calls: readonly ToolCall[],
): Promise<CarriedOut> {
  const replies = new Map<number, ToolReply>();
  const inOrder = [...calls.entries()].sort(([a, one], [b, other]) => endsLast(one) - endsLast(other) || a - b);
  const failuresBefore = session.failures.length;
  let isEnd = false;
  for (const [i, call] of inOrder) {
    const key = `tool:${step}.${i}`;
    if (isSessionTool(call.tool)) {
      const hasFailed = session.failures.length > failuresBefore;
      const answered = await answerSessionCall(it, session, { ...call, tool: call.tool, key, hasFailed });
      replies.set(i, toReply(call, answered.text, answered.isError));
      isEnd ||= answered.isEnd;
      continue;
    }
    const called = await callTool(runHost(it), caller, { key, tool: call.tool, args: call.args });
    noteCall(session, called);
    replies.set(i, toReply(call, replyText(it.nonce, called), !called.outcome.ok));
  }
  return { replies: calls.flatMap((_, i) => replies.get(i) ?? []), isEnd };
}

const endsLast = ({ tool }: ToolCall): number => (tool === "end_iteration" ? 1 : 0);

const toReply = ({ callId, tool }: ToolCall, text: string, isError: boolean): ToolReply => ({
  callId,
  tool,
  text,
  isError,
});

/** What the user says while the session goes on. For an answer that is journaled, only what it has heard. */
async function hearNew(
  it: Iteration,
  session: SessionState,
  step: number,
  shown: readonly string[],
  hasBegun: boolean,
) {
  const key = `heard:${step}`;
  if (hasBegun && !it.journal.has(key)) return [];
  const known = [...shown, ...session.heard.map(({ id }) => id)];
  const heard = await it.journal.hear({ key, lane: plannerLane, tool: null, args: null }, known);
  const said = heard.map(({ id, question, text }) => ({ id, question, text }));
  session.heard.push(...said);
  session.hasNews = false;
  for (const { text, question } of said)
    if (question === null) for (const url of urlsIn(text)) it.noticed.userUrls.add(url);
  return said;
}
