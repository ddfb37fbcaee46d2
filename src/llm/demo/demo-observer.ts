// The observer's part of the demo model: one line about a finished piece of work, from the few fields that can be counted.

import { z } from "zod";
import { countWords, shorten } from "./phrase.ts";

const facts = z.looseObject({
  title: z.string().optional(),
  status: z.string().optional(),
  output: z.string().optional(),
  summary: z.string().optional(),
  error: z.string().nullish(),
});

export function observeByRules(view: unknown): string {
  const read = facts.safeParse(view);
  if (!read.success) return "Observed by rules: there was nothing to look at.";
  const { title, status, output = "", summary = "", error } = read.data;
  const name = title === undefined ? "The work" : `“${shorten(title, 80)}”`;
  const ended = status === undefined ? "ended" : `ended as ${shorten(status, 40)}`;
  const trouble = error
    ? shorten(error, 120)
    : (/^.*\b(?:error|failed|exception|denied)\b.*$/im.exec(output)?.[0] ?? null);
  const left =
    trouble === null
      ? `${countWords(output || summary)} words of output and no sign of an error`
      : `a sign of trouble: ${shorten(trouble, 120)}`;
  return `Observed by rules: ${name} ${ended}, with ${left}.`;
}
