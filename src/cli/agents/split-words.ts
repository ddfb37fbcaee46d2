// A command as people write it: words between blanks, with quotes and backslashes as a shell has them. Nothing is expanded.

/** Blanks, or one piece of a word: in quotes, behind a backslash, or plain. */
const piece = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;

/** Null: a quote is not closed. */
export function splitWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text);
    if (found === null) return null;
    const [, blanks, plain, quoted, escaped, bare] = found;
    if (blanks === undefined)
      word = (word ?? "") + (plain ?? quoted?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? bare ?? "");
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}
