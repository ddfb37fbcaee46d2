// A note of the scratchpad in two parts: what the iteration came to, and the lists behind it. Pure.

type Note = { readonly summary: string; readonly rest: string };

/** Lists begin with a line in bold (`renderEntry` in src/domain/workspace/scratchpad.ts); the summary is one line of plain text. */
export function splitNote(text: string): Note {
  const lines = text.trim().split("\n");
  const at = lines.findIndex((line) => /^\*\*.+\*\*$/.test(line) || /^(?:Next|Decision): /.test(line));
  const end = at === -1 ? lines.length : at;
  return { summary: lines.slice(0, end).join("\n").trim(), rest: lines.slice(end).join("\n").trim() };
}
