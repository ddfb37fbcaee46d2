// What a notification told, for the bell and the list of notifications. Pure.

import type { ListedNotification } from "../../../src/protocol/api.ts";
import { changesInShort, plainWords } from "./plain-words.ts";

type Told = Pick<ListedNotification, "run" | "message" | "data">;

/** What was told, without the name of the run in front of it. Questions are longer in `data` than in the message. */
export function messageOf({ run, message, data }: Told): string {
  const asked = run === null ? null : askedIn(data);
  const text = asked ?? message;
  const words = plainWords(changesInShort(text) ?? text);
  if (run === null || asked !== null) return words;
  const named = words.indexOf(": ");
  const name = words.slice(0, Math.max(0, named)).replace(/…$/, "");
  return name !== "" && run.title.startsWith(name.slice(0, 60)) ? capitalise(words.slice(named + 2)) : words;
}

/** What a run asks; null where it asks nothing. */
function askedIn({ questions }: Told["data"]): string | null {
  if (!Array.isArray(questions)) return null;
  const texts = questions.flatMap((question: { text?: unknown } | null) =>
    typeof question?.text === "string" ? [question.text] : [],
  );
  return texts.length === 0 ? null : texts.join(" / ");
}

const capitalise = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
