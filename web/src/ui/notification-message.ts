// What a notification told, for the bell and the list of notifications. Pure.

import type { ListedNotification } from "../../../src/protocol/api.ts";
import { changesInShort, plainWords } from "./plain-words.ts";

/** What was told, without the name of the run in front of it. */
export function messageOf({ run, message }: Pick<ListedNotification, "run" | "message">): string {
  const words = plainWords(changesInShort(message) ?? message);
  if (run === null) return words;
  const named = words.indexOf(": ");
  const name = words.slice(0, Math.max(0, named)).replace(/…$/, "");
  return name !== "" && run.title.startsWith(name.slice(0, 60)) ? capitalise(words.slice(named + 2)) : words;
}

const capitalise = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
