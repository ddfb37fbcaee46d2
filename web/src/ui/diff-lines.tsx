// Two texts compared line by line. Import it through text-diff.tsx; the library behind it is fetched when needed.

import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { counted } from "../../../src/protocol/figures.ts";
import { type DiffRow, diffRows, type Fold, foldRows, type Piece } from "./diff-rows.ts";
import { PlainTexts } from "./plain-texts.tsx";
import "./text-diff.css";

/** Lines put on the page at once. */
const linesAtOnce = 400;
/** A line without an end is cut; the page would stand still laying it out. */
const lineCharacters = 10_000;

type DiffLinesProps = { readonly before: string; readonly after: string };

export function DiffLines({ before, after }: DiffLinesProps) {
  const rows = useMemo(() => diffRows(before, after), [before, after]);
  if (!rows) return <PlainTexts before={before} after={after} />;
  return <Rows rows={rows} />;
}

function Rows({ rows }: { readonly rows: readonly DiffRow[] }) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(linesAtOnce);
  const folded = useMemo(() => foldRows(rows), [rows]);
  const all = folded.flatMap((row): readonly (DiffRow | Fold)[] =>
    row.kind === "fold" && opened.has(row.line) ? row.rows : [row],
  );
  const left = all.length - shown;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div className="diff" role="group" aria-label="What changed, line by line">
        {all
          .slice(0, shown)
          .map((row) =>
            row.kind === "fold" ? (
              <FoldButton key={`fold${row.line}`} fold={row} onOpen={() => setOpened(new Set([...opened, row.line]))} />
            ) : (
              <Line key={`${row.kind}${row.line}`} row={row} />
            ),
          )}
      </div>
      {left > 0 ? (
        <Button size="xs" variant="default" mt="xs" onClick={() => setShown(shown + linesAtOnce)}>
          Show more ({counted(left, "line")} left)
        </Button>
      ) : null}
    </>
  );
}

function FoldButton({ fold, onOpen }: { readonly fold: Fold; readonly onOpen: () => void }) {
  return (
    <button type="button" className="diff-fold" onClick={onOpen}>
      Show {counted(fold.rows.length, "unchanged line")}
    </button>
  );
}

const signs = { same: "", removed: "−", added: "+" } as const;
const elements = { same: "span", removed: "del", added: "ins" } as const;

function Line({ row }: { readonly row: DiffRow }) {
  const Element = elements[row.kind];
  return (
    <div className="diff-line" data-kind={row.kind}>
      <span className="diff-number" aria-hidden>
        {row.line}
      </span>
      <span className="diff-sign" aria-hidden>
        {signs[row.kind]}
      </span>
      <Element className="diff-words" dir="auto">
        {keyed(row.pieces).map(({ key, text, isChanged }) =>
          isChanged ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>,
        )}
      </Element>
    </div>
  );
}

/** A piece has no id; where it starts in the line is one. */
function keyed(pieces: readonly Piece[]) {
  let start = 0;
  return pieces.map((piece) => {
    const key = start;
    start += piece.text.length + 1;
    return { ...piece, key, text: cut(piece.text) };
  });
}

function cut(text: string): string {
  if (text.length <= lineCharacters) return text;
  return `${text.slice(0, lineCharacters)}… (${counted(text.length - lineCharacters, "more character")})`;
}
