// A planner's session: the tool loop with the planner's instructions, its tools and its limits. Calls of the session's own tools
// change what it has said; all others go through the gate for tools.

import type { PlannerView, ShownNote } from "../../domain/planner/view.ts";
import { urlsIn } from "../../domain/policy/web-address.ts";
import type { ToolCall, ToolReply } from "../../llm/model.ts";
import { plannerPrompt } from "../../prompts/planner-prompt.ts";
import { endAskedFor } from "../../prompts/planner-rules.ts";
import { plannerLane } from "../../runs/ports/run-store.ts";
import { noteSightings, type Sighting, wholeText } from "../../tools/things-read.ts";
import type { CarriedOut, LoopEnd } from "../tool-loop.ts";
import { type Caller, callTool, newCaller, replyText } from "../tools/call-tool.ts";
import type { Iteration } from "./iteration.ts";
import { runHost } from "./run-host.ts";
import { answerSessionCall } from "./session-calls.ts";
import { runSessionLoop } from "./session-loop.ts";
import { newSession, noteCall, type SessionState } from "./session-state.ts";
import { isSessionTool, plannerLimits, sessionOffers } from "./session-tools.ts";

export type RanSession = { readonly session: SessionState; readonly end: LoopEnd };

export async function runSession(it: Iteration, view: PlannerView): Promise<RanSession> {
  const { run } = it;
  const session = newSession(run.plan);
  const { system, message } = plannerPrompt(view, it.nonce);
  const caller = newCaller({ lane: plannerLane, branchId: null, only: null });
  let talk = 0;
  const end = await runSessionLoop(it, {
    prefix: "",
    lane: plannerLane,
    limits: plannerLimits,
    opening: { message, said: view.messages.map(({ id }) => id), shown: shownIn(view), seen: seenIn(view) },
    onOpened: ({ seen = [] }) => noteSightings(caller.thingsRead, seen),
    opened: "Opened the session",
    howToEnd: "call end_iteration now and say what remains",
    request: {
      role: "planner",
      system,
      tools: [...sessionOffers, ...offersFor(it)],
      cacheKey: run.id,
      view: { ...view, nonce: it.nonce },
    },
    isFree: isSessionTool,
    carryOut: (key, calls) => carryOutAll(it, session, caller, key, calls),
    onText: () => {
      talk += 1;
      return talk > 1 ? true : endAskedFor;
    },
    onHeard: (said) => {
      session.heard.push(...said);
      session.hasNews = false;
      for (const { text, question } of said)
        if (question === null) for (const url of urlsIn(text)) it.noticed.userUrls.add(url);
    },
  });
  return { session, end };
}

/** Documents that the opening shows whole: the run has read them. */
const shownIn = ({ contents }: PlannerView): readonly string[] =>
  contents.flatMap(({ documents }) => documents.filter(({ text }) => text !== null).map(({ id }) => id));

/** What the opening shows of things, with the texts that stand in it whole. */
function seenIn({ contents, notes }: PlannerView): readonly Sighting[] {
  const seen = ({ id, version, text }: ShownNote): Sighting =>
    text === null ? { id, version } : { id, version, content: wholeText(text) };
  return [
    ...notes.map(seen),
    ...contents.flatMap(({ documents, tasks }) => [
      ...documents.map(seen),
      ...tasks.map(({ id, version }) => ({ id, version })),
    ]),
  ];
}

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
  keys: string,
  calls: readonly ToolCall[],
): Promise<CarriedOut> {
  const replies = new Map<number, ToolReply>();
  const inOrder = [...calls.entries()].sort(([a, one], [b, other]) => endsLast(one) - endsLast(other) || a - b);
  const failuresBefore = session.failures.length;
  let isEnd = false;
  for (const [i, call] of inOrder) {
    const key = `${keys}.${i}`;
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
