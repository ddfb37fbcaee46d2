// What an agent says by its session updates, as lines of ours. Kinds that are not known are passed over.

import { at, type Fields, listAt, numberAt, textAt } from "../backends/read-event.ts";

/** Of what a tool got or gave; the whole of it may be a picture. */
const toolTextMax = 20_000;
const textMax = 4_000_000;
/** An agent that has made more calls than these may tell one twice. */
const callsMax = 10_000;
const stepsMax = 100;

export type UpdateTeller = {
  readonly hear: (params: unknown) => void;
  /** What was heard before belongs to an earlier run: agents repeat a session that is gone on with. */
  readonly begin: () => void;
};

export function openUpdateTeller(isResumed: boolean, tell: (line: Fields) => void): UpdateTeller {
  const calls: Calls = new Map();
  let hasBegun = false;
  // Costs are of the whole session; what it had cost before this run may not be known.
  let costBefore = isResumed ? null : 0;
  const withoutEarlier = ({ costUsd, ...line }: Fields): Fields =>
    typeof costUsd === "number" && costBefore !== null ? { ...line, costUsd: Math.max(0, costUsd - costBefore) } : line;
  return {
    begin: () => {
      hasBegun = true;
      calls.clear();
    },
    hear: (params) => {
      for (const line of describeUpdate(calls, at(params, "update"))) {
        if (!hasBegun && typeof line.costUsd === "number") costBefore = line.costUsd;
        if (hasBegun) tell(withoutEarlier(line));
      }
    },
  };
}

/** Which tool calls were told: agents repeat each several times. */
type Calls = Map<string, "begun" | "ended">;

function describeUpdate(calls: Calls, update: unknown): readonly Fields[] {
  switch (at(update, "sessionUpdate")) {
    case "agent_message_chunk":
      return tellText("text", update);
    case "agent_thought_chunk":
      return tellText("thinking", update);
    case "tool_call":
    case "tool_call_update":
      return tellTool(calls, update);
    case "usage_update":
      return [{ type: "context", used: numberAt(update, "used"), size: numberAt(update, "size"), ...tellCost(update) }];
    case "plan":
      return [{ type: "plan", entries: listAt(update, "entries").slice(0, stepsMax).map(tellStep) }];
    case "notice":
      return [{ type: "notice", text: tellNotice(update) }];
    default:
      return [];
  }
}

const tellNotice = (update: unknown): string =>
  [textAt(update, "title"), textAt(update, "description")]
    .filter((each) => each !== "")
    .join(": ")
    .slice(0, toolTextMax);

function tellText(type: "text" | "thinking", update: unknown): readonly Fields[] {
  const text = textAt(update, "content", "text").slice(0, textMax);
  const id = textAt(update, "messageId");
  return text === "" ? [] : [{ type, text, ...(id === "" ? {} : { id }) }];
}

/** Only dollars are added up elsewhere. Nothing: the agent does not know the price. */
function tellCost(update: unknown): Fields {
  const amount = textAt(update, "cost", "currency") === "USD" ? numberAt(update, "cost", "amount") : 0;
  return amount === 0 ? {} : { costUsd: amount };
}

const tellStep = (entry: unknown): Fields => ({
  status: textAt(entry, "status"),
  text: textAt(entry, "content").slice(0, 1_000),
});

/** Each call is told when it begins and when it ends, not each time that something about it changes. */
function tellTool(calls: Calls, update: unknown): readonly Fields[] {
  const id = textAt(update, "toolCallId");
  const status = textAt(update, "status");
  const known = calls.get(id);
  const isEnd = known !== "ended" && ["completed", "failed"].includes(status);
  if (known !== undefined && !isEnd) return [];
  if (calls.size >= callsMax) calls.clear();
  calls.set(id, isEnd ? "ended" : "begun");
  const name = textAt(update, "title") || textAt(update, "name") || textAt(update, "kind");
  const began = { type: "tool", id, name, status: "started", text: shorten(at(update, "rawInput")) };
  const ended = { ...began, status: status === "failed" ? "failed" : "done", text: readOutput(update) };
  return [...(known === undefined ? [began] : []), ...(isEnd ? [ended] : [])];
}

function readOutput(update: unknown): string {
  const parts = listAt(update, "content").map((part) => textAt(part, "content", "text") || textAt(part, "path"));
  const told = parts.filter((part) => part !== "").join("\n");
  return told === "" ? shorten(at(update, "rawOutput")) : told.slice(0, toolTextMax);
}

function shorten(value: unknown): string {
  if (value === undefined || value === null) return "";
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, toolTextMax);
}
