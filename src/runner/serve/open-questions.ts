// Which questions on a bus have no answer. Pure. An answer names its question; one that names none, and any word of a person, answers all
// the questions before it.

import type { BusEntry } from "../bus/entry.ts";

export function findOpenQuestions(messages: readonly BusEntry[]): readonly BusEntry[] {
  let open: BusEntry[] = [];
  for (const message of messages) {
    if (message.type === "QUESTION") open.push(message);
    else if (message.type === "ANSWER" && message.parents.length > 0) {
      const answered = new Set(message.parents.map(({ msg_id: id }) => id));
      open = open.filter(({ msg_id: id }) => !answered.has(id));
    } else if (message.type === "ANSWER" || message.type === "USER") open = [];
  }
  return open;
}
