// Which option of a question a person means: by number, id or label. What follows a colon is a note. Where own words are taken, several
// words that name no option are an answer of their own.

import { AppError } from "../../lib/app-error.ts";
import type { Escalation } from "../../protocol/api.ts";
import { ownWords } from "../../protocol/kinds.ts";

export type Chosen = { readonly id: string; readonly note: string | undefined };

/** `2`, `normalized`, `2: but keep the old table`, `both, one after the other`; null: none of them. */
export function findOption(
  { question: { options }, takes_own_words: takesOwn }: Escalation,
  typed: string,
): Chosen | null {
  const [named = "", ...rest] = typed.split(":");
  const wanted = named.trim().toLowerCase();
  const found =
    options.find(({ id, label }) => id.toLowerCase() === wanted || label.toLowerCase() === wanted) ??
    (/^\d{1,2}$/.test(wanted) ? options[Number(wanted) - 1] : undefined);
  if (found !== undefined) return { id: found.id, note: rest.join(":").trim() || undefined };
  return takesOwn && /\S\s+\S/.test(typed) ? { id: ownWords, note: typed.trim() } : null;
}

export function chooseOption(escalation: Escalation, typed: string): Chosen {
  const found = findOption(escalation, typed);
  if (found !== null) return found;
  const lines = escalation.question.options.map(({ id, label }, at) => `  ${at + 1}) ${label} (${id})`);
  throw new AppError(
    "invalid_request",
    `"${typed.trim()}" is none of the options:\n${lines.join("\n")}${
      escalation.takes_own_words ? "\nOr say it in several words of your own." : ""
    }`,
  );
}
