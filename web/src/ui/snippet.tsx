// Text around what was searched for, with the matches marked.

import { Mark, Text } from "@mantine/core";
import type { SearchHit } from "../../../src/protocol/api.ts";
import { type SnippetPiece, snippetWords } from "./snippet-words.ts";

export function Snippet({ pieces }: { readonly pieces: SearchHit["snippet"] }) {
  if (pieces.every(({ text }) => text.trim() === "")) return null;
  return (
    <Text size="sm" lineClamp={2} component="span" className="faint breakable">
      {keyed(snippetWords(pieces)).map(({ key, text, match }) =>
        match ? <Mark key={key}>{text}</Mark> : <span key={key}>{text}</span>,
      )}
    </Text>
  );
}

/** A piece has no id; where it starts in the text is one. */
function keyed(pieces: readonly SnippetPiece[]) {
  let start = 0;
  return pieces.map((piece) => {
    const key = start;
    start += piece.text.length + 1;
    return { ...piece, key };
  });
}
