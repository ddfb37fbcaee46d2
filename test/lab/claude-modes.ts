// The ways of the Claude API: signatures of thinking and what they are bound to, thinking without text, overload inside a 200.
// Only tests import it.

import { toThinking } from "./anthropic-protocol.ts";
import { findMode, type LabMemory, type ModeContext, type ModeFamily, remember } from "./lab-mode.ts";
import {
  type LabEvent,
  type LabRequest,
  type Refusal,
  record,
  records,
  type SaidReasoning,
  str,
} from "./lab-protocol.ts";
import { hashText, readSeal, writeSeal } from "./seal.ts";
import { refuseClaude } from "./strict-claude.ts";

/** Real silences last minutes; tests wait this long unless they say otherwise. */
const defaultSilenceMs = 50;

export const claudeFamily: ModeFamily = {
  refuse: (context) => {
    const { request, modes } = context;
    const isNewest = findMode(modes, "claude-strict") !== undefined;
    return refuseClaude(record(request.raw), request.model, isNewest) ?? checkThinking(context).refusal;
  },
  say: (said, context) => {
    const { request, modes, memory } = context;
    const isOmitted = findMode(modes, "claude-omitted") !== undefined;
    const isBound = findMode(modes, "claude-bound") !== undefined;
    const first = { text: "", signature: null, isRedacted: false };
    const thought = said.reasoning.length === 0 && (isOmitted || isBound) ? [first] : said.reasoning;
    const reasoning: SaidReasoning[] = [];
    for (const part of thought) {
      const text = isOmitted || part.isRedacted ? "" : part.text;
      const { model, account } = request;
      const own = reasoning.map(toThinking);
      const before = hashText(readBefore(record(request.raw), Number.POSITIVE_INFINITY, own));
      const signature = part.signature ?? writeSeal({ by: "claude", model, account, content: hashText(text), before });
      remember(memory, `claude ${signature}`, hashText(text));
      reasoning.push({ ...part, text, signature });
    }
    return { ...said, reasoning, transformations: checkThinking(context).dropped };
  },
  events: (events, _said, { modes }) => {
    const omitted = findMode(modes, "claude-omitted");
    const overload = findMode(modes, "claude-529");
    const spoken = omitted ? pauseAfterThinking(events, omitted.silenceMs ?? defaultSilenceMs) : events;
    return overload ? overloadEvents(spoken, overload.when) : spoken;
  },
};

type Checked = { readonly refusal: Refusal | null; readonly dropped: readonly object[] };

/** Thinking of other models and accounts cannot be read and counts as not sent; the rest must be as the lab gave it out. */
function checkThinking({ request, modes, memory }: ModeContext): Checked {
  const body = record(request.raw);
  const mayDrop = record(record(body.thinking).block_binding).prefix_mismatch_behavior === "drop_block";
  const dropped: object[] = [];
  for (const block of findThinking(body)) {
    const problem = findThinkingProblem(block, memory);
    if (problem !== null) return { refusal: problem, dropped };
    const isLoose = findMode(modes, "claude-bound") === undefined || !isUnbound(block, request);
    if (isLoose) continue;
    if (!mayDrop) return { refusal: refuseBound(block.place), dropped };
    dropped.push({ type: "thinking_block_dropped", path: block.place, reason: "prefix_mismatch" });
  }
  return { refusal: null, dropped };
}

type SentThinking = {
  readonly place: string;
  readonly text: string;
  readonly signature: string;
  readonly before: string;
};

function findThinking(body: Record<string, unknown>): readonly SentThinking[] {
  return records(body.messages).flatMap(({ content }, at) =>
    records(content).flatMap((block, index) =>
      block.type === "thinking" || block.type === "redacted_thinking"
        ? [
            {
              place: `messages.${at}.content.${index}`,
              text: str(block.thinking),
              signature: str(block.signature) || str(block.data),
              before: hashText(readBefore(body, at, records(content).slice(0, index))),
            },
          ]
        : [],
    ),
  );
}

/** Readable here, and something before it was changed. */
function isUnbound({ signature, before }: SentThinking, { model, account }: LabRequest): boolean {
  const seal = readSeal(signature);
  return seal?.model === model && seal.account === account && seal.before !== before;
}

function findThinkingProblem({ place, text, signature }: SentThinking, memory: LabMemory): Refusal | null {
  const seal = readSeal(signature);
  const known = seal?.by === "claude" ? seal.content : memory.issued.get(`claude ${signature}`);
  const refusal = (rule: string, message: string) => ({ rule, status: 400, message: `${place}: ${message}` });
  if (known === undefined) return refusal("foreign-signature", "Invalid `signature` in `thinking` block");
  if (known !== hashText(text))
    return refusal(
      "changed-thinking",
      "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
    );
  return null;
}

const refuseBound = (place: string): Refusal => ({
  rule: "bound-thinking",
  status: 400,
  message: `${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`,
});

/** Tools, system and all blocks before one, as text; cache marks do not count, and a string is a block of text. */
function readBefore(body: Record<string, unknown>, messageAt: number, own: readonly object[]): string {
  const blocks = (content: unknown) => (typeof content === "string" ? [{ type: "text", text: content }] : content);
  const before = records(body.messages)
    .slice(0, messageAt)
    .map(({ role, content }) => [role, blocks(content)]);
  const parts = [body.tools ?? [], blocks(body.system) ?? [], before, own];
  return JSON.stringify(parts, (key, value) => (key === "cache_control" ? undefined : value));
}

function pauseAfterThinking(events: readonly LabEvent[], silenceMs: number): readonly LabEvent[] {
  const last = events.findLastIndex(({ data }) => str(record(record(data).delta).type) === "signature_delta");
  return events.map((event, at) => (at === last + 1 ? { ...event, pauseMs: silenceMs } : event));
}

function overloadEvents(events: readonly LabEvent[], when: "first" | "after-text"): readonly LabEvent[] {
  const data = { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_lab" };
  const error = { event: "error", data };
  if (when === "first") return [error];
  const isText = ({ data: sent }: LabEvent) => record(record(sent).delta).type === "text_delta";
  return [...events.slice(0, events.findIndex(isText) + 1), error];
}
