// The chat's part of the demo model: it can look into the user's own things by keyword, and says what it is and what it cannot
// do. It writes nothing.

import type { ModelRequest, PlainAnswer, ToolReply } from "../model.ts";
import { callAll, unfence } from "./conversation.ts";
import { labelPage, plainWords, shorten } from "./text.ts";

const shownMax = 2_500;

export function chatByRules({ messages, tools }: ModelRequest): PlainAnswer {
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: labelPage(tellFound(last.results[0])), toolCalls: [] };
  const asked = plainWords(messages.findLast((message) => message.role === "user")?.text ?? "");
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  if (has("list_projects") && /\bprojects?\b/i.test(asked) && !/\b(?:about|called|named)\b/i.test(asked))
    return callAll(messages, [{ tool: "list_projects", args: {} }]);
  const query = (finding.exec(asked)?.[1] ?? "").replace(/[?!.]+$/, "").replace(/^(?:the|my|our|all|any|an?) /i, "");
  if (!has("search") || query === "") return { text: labelPage(introduce(asked)), toolCalls: [] };
  return callAll(messages, [{ tool: "search", args: { query: query.slice(0, 200).toWellFormed() } }]);
}

function tellFound(reply: ToolReply | undefined): readonly string[] {
  if (!reply || reply.isError) return [`That did not work: ${shorten(unfence(reply?.text ?? "no answer came"), 300)}`];
  const what = reply.tool === "search" ? "This is what the search found:" : "These are your projects:";
  return [what, unfence(reply.text).slice(0, shownMax)];
}

/** Words after "find" and its like. */
const finding =
  /\b(?:search(?: for)?|find|look (?:for|up)|where (?:is|are)|show me|what (?:do (?:i|we) have|is there) (?:about|on)|anything about)\b[\s:]*(.+)/iu;

const introduce = (asked: string): readonly string[] => [
  `${asked === "" ? "Hello!" : `You wrote “${shorten(asked, 160)}”.`} I am the demo model: I follow rules and understand no free text.`,
  "What I can do here:",
  "- list your projects: ask “Which projects do I have?”\n- search what you keep: ask “Find repair café”",
  "For a whole piece of work, start a run with your objective. For a real conversation, connect a model: `homework model list` shows how.",
];
