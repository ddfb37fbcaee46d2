// "Did you mean …?": the known word closest to a mistyped one.

/** Edits a typo may be away: one in a short word, up to three in a long one. More is another word, not a typo. */
const editsAllowed = (word: string) => Math.min(3, Math.max(1, Math.floor(word.length / 3)));

/** Longer ones are no mistyped words. */
const wordMax = 100;

function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > wordMax) return null;
  let best: { readonly word: string; readonly edits: number } | null = null;
  for (const candidate of known.filter(({ length }) => Math.abs(length - word.length) <= editsAllowed(word))) {
    const edits = editsBetween(word.toLowerCase(), candidate.toLowerCase());
    if (edits <= editsAllowed(word) && (best === null || edits < best.edits)) best = { word: candidate, edits };
  }
  return best?.word ?? null;
}

/** ` Did you mean port?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === null ? "" : ` Did you mean ${found}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
