// The chat's part of the demo model: it can look into the user's own things by keyword, and says what it is and what it cannot
// do. It writes nothing.

import type { ModelMessage, ModelRequest, PlainAnswer } from "../model.ts";
import { callAll, unfence } from "./conversation.ts";
import { plainWords, shorten } from "./phrase.ts";
import { phraseOf } from "./words.ts";

const shownMax = 2_500;

export function chatByRules({ messages, tools }: ModelRequest): PlainAnswer {
  const last = messages.at(-1);
  if (last?.role === "tool") return answer(found(last));
  const asked = plainWords(messages.findLast((message) => message.role === "user")?.text ?? "");
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  const isAboutProjects = /\bprojects?\b|\bprojekte?\b|项目/i.test(asked) && !/\b(?:about|called|named)\b/i.test(asked);
  if (has("list_projects") && isAboutProjects) return callAll(messages, [{ tool: "list_projects", args: {} }]);
  const query = queryIn(asked);
  if (!has("search") || query === "") return answer(introduce(asked));
  return callAll(messages, [{ tool: "search", args: { query } }]);
}

const answer = (text: string): PlainAnswer => ({ text: `${text}\n\n${phraseOf("en", "label-page")}`, toolCalls: [] });

function found({ results: [first] }: Extract<ModelMessage, { role: "tool" }>): string {
  if (!first || first.isError) return `That did not work: ${shorten(unfence(first?.text ?? "no answer came"), 300)}`;
  const what = first.tool === "search" ? "This is what the search found:" : "These are your projects:";
  return `${what}\n\n${unfence(first.text).slice(0, shownMax)}`;
}

/** Words after "find" and its like; empty where nothing is looked for. */
const finding =
  /\b(?:search(?: for)?|find|look (?:for|up)|where (?:is|are)|show me|what (?:do (?:i|we) have|is there) (?:about|on)|anything about|suche?(?: nach)?|finde)\b[\s:]*(.+)/iu;
const queryIn = (asked: string): string =>
  shorten(
    (finding.exec(asked)?.[1] ?? "").replace(/[?!.]+$/, "").replace(/^(?:the|my|our|all|any|an?) /i, ""),
    200,
  ).replace(/…$/, "");

const introduce = (asked: string): string =>
  [
    `${asked === "" ? "Hello!" : `You wrote “${shorten(asked, 160)}”.`} I am the demo model: I follow rules and understand no free text.`,
    "What I can do here:",
    "- list your projects: ask “Which projects do I have?”\n- search what you keep: ask “Find repair café”",
    "For a whole piece of work, start a run with your objective. For a real conversation, connect a model: `homework model list` shows how.",
  ].join("\n\n");
