// Reads what a run on a task is told of its outcome: the outcome's name, what other tasks found and what people decided.

import { unfence } from "./conversation.ts";
import { plainWords, shorten } from "./phrase.ts";

export type OutcomeFacts = { readonly name: string; readonly known: readonly string[] };

const most = { name: 60, known: 12, line: 300 } as const;

export function readBrief(brief: string | null): OutcomeFacts | null {
  if (brief === null) return null;
  const [, name = ""] = /^Outcome: (.+)$/m.exec(brief) ?? [];
  const found = partOf(brief, "What other tasks found").flatMap(
    (line) => /^- \w+(?: \(from #\d+\))?: (.+)$/.exec(line)?.[1] ?? [],
  );
  const people = partOf(brief, "What people said about it");
  const chosen = people.flatMap((line) => /^(?:> )?Chosen by [^:]+: (.+)$/.exec(line)?.[1] ?? []);
  const known = [...chosen, ...found].map((line) => shorten(plainWords(line), most.line)).filter((line) => line !== "");
  return { name: shorten(plainWords(name), most.name), known: [...new Set(known)].slice(0, most.known) };
}

/** The lines of a part, without its heading and its fences. */
function partOf(brief: string, heading: string): readonly string[] {
  const [, ...parts] = brief.split(/^## /m);
  const part = parts.find((each) => each.startsWith(heading)) ?? "";
  return unfence(part).split("\n").slice(1);
}
