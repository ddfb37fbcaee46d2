// Text around what was searched for, with the matches marked.

import { Mark, Text } from "@mantine/core";
import type { SearchHit } from "../../../src/protocol/api.ts";

export function Snippet({ pieces }: { readonly pieces: SearchHit["snippet"] }) {
  const whole = pieces.map(({ text }) => text).join("");
  if (whole.trim() === "") return null;
  return (
    <Text size="sm" lineClamp={2} component="span" className="faint breakable">
      {/^\s*\p{Ll}/u.test(whole) ? "… " : ""}
      {keyed(pieces).map(({ key, text, match }) =>
        match ? <Mark key={key}>{text}</Mark> : <span key={key}>{withoutMarks(text)}</span>,
      )}
      {/[.!?…]\s*$/.test(whole) ? "" : " …"}
    </Text>
  );
}

/** Marks of headings, lists, links, tables and stress say nothing in a line of text; paragraphs, headings and cells stay apart. */
const withoutMarks = (text: string) =>
  text
    .replaceAll(/```\w*/g, "")
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*(?:\)|$)/g, "$1")
    .replaceAll(/\[[ xX]\] /g, "")
    .replaceAll(/\|[ :|-]*-[ :|-]*\|/g, "|")
    .replaceAll(/ ?\|[ |]*/g, " · ")
    .replaceAll(/(^|\s)(?:#{1,6}|>|[-*+])(?=\s)|\*\*|`/g, "$1")
    .replaceAll(/(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)/g, "")
    .replaceAll(/(?<=\S)[^\S\n]*\n\s*\n\s*(?=\S)/g, " · ")
    .replaceAll(/ ·[ ·]* · /g, " · ");

/** A piece has no id; where it starts in the text is one. */
function keyed(pieces: SearchHit["snippet"]) {
  let start = 0;
  return pieces.map((piece) => {
    const key = start;
    start += piece.text.length + 1;
    return { ...piece, key };
  });
}
