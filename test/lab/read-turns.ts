// A conversation in words common to all protocols, from the messages or items of one of them. Only tests import it.

import type { LabMessage, LabResult, LabTurn } from "./lab-protocol.ts";

/** One per message of the protocol; items that hold nothing but reasoning are not messages. */
export const toMessages = (items: readonly LabTurn[]): readonly LabMessage[] =>
  items
    .filter(({ role, text, toolCalls }) => role !== "assistant" || text !== "" || toolCalls.length > 0)
    .map(({ role, text, toolCalls }) => ({
      role,
      text,
      toolCalls: toolCalls.map(({ name, args }) => ({ name, args })),
    }));

/** Neighbours of one role together; results say which tool they are of, even where the protocol does not. */
export function readTurns(items: readonly LabTurn[]): readonly LabTurn[] {
  const turns: LabTurn[] = [];
  for (const item of items) {
    const last = turns.at(-1);
    if (last?.role === item.role) turns[turns.length - 1] = join(last, item);
    else turns.push(item);
  }
  const names = new Map(turns.flatMap(({ toolCalls }) => toolCalls).map(({ id, name }) => [id, name]));
  const named = (result: LabResult) => ({ ...result, name: result.name || (names.get(result.callId) ?? "") });
  return turns.map((turn) => ({ ...turn, results: turn.results.map(named) }));
}

function join(one: LabTurn, other: LabTurn): LabTurn {
  return {
    role: one.role,
    text: [one.text, other.text].filter((text) => text !== "").join("\n"),
    reasoning: one.reasoning + other.reasoning,
    toolCalls: [...one.toolCalls, ...other.toolCalls],
    results: [...one.results, ...other.results],
  };
}
