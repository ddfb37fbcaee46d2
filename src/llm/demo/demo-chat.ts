// The chat's part of the demo model: it can look into the user's own things by keyword, and says what it is and what it cannot
// do. It writes nothing.

import type { ModelMessage, ModelRequest, PlainAnswer } from "../model.ts";
import { demoLabel } from "./demo-label.ts";
import { plainWords, shorten } from "./phrase.ts";

const shownMax = 2_500;

export function chatByRules({ messages, tools }: ModelRequest): PlainAnswer {
  const last = messages.at(-1);
  if (last?.role === "tool") return said(found(last));
  const asked = plainWords(lastWords(messages));
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  const callId = `demo-chat-${messages.length}`;
  if (
    has("list_projects") &&
    /\bprojects?\b|\bprojekte?\b|项目/i.test(asked) &&
    !/\b(?:about|called|named)\b/i.test(asked)
  )
    return { text: "", toolCalls: [{ callId, tool: "list_projects", args: {} }] };
  const query = queryIn(asked);
  if (has("search") && query !== null) return { text: "", toolCalls: [{ callId, tool: "search", args: { query } }] };
  return said(introduction(asked));
}

const said = (text: string): PlainAnswer => ({ text: `${text}\n\n${demoLabel}`, toolCalls: [] });

const lastWords = (messages: readonly ModelMessage[]): string =>
  messages.findLast((message) => message.role === "user")?.text ?? "";

function found({ results }: Extract<ModelMessage, { role: "tool" }>): string {
  const [first] = results;
  if (!first || first.isError)
    return `That did not work: ${shorten(unfenced(first?.text ?? "there was no answer"), 300)}`;
  const what = first.tool === "search" ? "This is what the search found:" : "These are your projects:";
  return `${what}\n\n${unfenced(first.text).slice(0, shownMax)}`;
}

/** Fences are for models that read. */
const unfenced = (text: string): string => text.replaceAll(/^<<<(?:untrusted|end) [^\n]*>>>\n?/gm, "").trim();

/** Words after "find" and its like, or those of a question; null where nothing is looked for. */
function queryIn(asked: string): string | null {
  const [, named] =
    /\b(?:search(?: for)?|find|look (?:for|up)|where (?:is|are)|show me|what (?:do (?:i|we) have|is there) (?:about|on)|anything about|suche?(?: nach)?|finde)\b[\s:]*(.+)/iu.exec(
      asked,
    ) ?? [];
  const words = (named ?? "")
    .replace(/[?!.]+$/, "")
    .replace(/^(?:the|my|our|all|any|an?) /i, "")
    .trim();
  return words === "" ? null : shorten(words, 200).replace(/…$/, "");
}

function introduction(asked: string): string {
  const heard = asked === "" ? "Hello!" : `You wrote “${shorten(asked, 160)}”.`;
  return [
    `${heard} I am the demo model: I follow rules and understand no free text.`,
    "What I can do here:",
    "- list your projects: ask “Which projects do I have?”\n- search what you keep: ask “Find repair café”",
    "For a whole piece of work, start a run with your objective. For a real conversation, connect a model: `homework model list` shows how.",
  ].join("\n\n");
}
