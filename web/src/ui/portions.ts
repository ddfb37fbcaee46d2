// A long text in portions, cut between paragraphs: showing megabytes of markdown at once would freeze the tab.

export type Portion = { readonly start: number; readonly words: string };

/** About a second of work on a slow machine. */
const portionCharacters = 50_000;

export function portionsOf(text: string, size = portionCharacters): readonly Portion[] {
  const portions: Portion[] = [];
  let start = 0;
  while (start < text.length) {
    const end = cutAfter(text, start, size);
    portions.push({ start, words: text.slice(start, end) });
    start = end;
  }
  return portions;
}

/** Where a portion ends: after the last blank line that fits, else after the last line, else in the middle of it. */
function cutAfter(text: string, start: number, size: number): number {
  const furthest = start + size;
  if (furthest >= text.length) return text.length;
  const part = text.slice(start, furthest); // Looking back in the whole text would read all of it for each portion.
  const paragraph = part.lastIndexOf("\n\n");
  if (paragraph > 0) return start + paragraph + 2;
  const line = part.lastIndexOf("\n");
  return line > 0 ? start + line + 1 : furthest;
}
