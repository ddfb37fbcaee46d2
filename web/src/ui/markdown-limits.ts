// Texts that the library which takes markdown apart cannot stand: quotes and lists that lie inside each other so deep that the stack, and with it the
// page, would overflow; and so many brackets in one paragraph that it takes seconds, as its time grows with their square. No person writes such
// a text.

const depthMax = 50;
/** Marks of quotes and lists at the begin of a line; blanks between them can be read in one way only, so that this takes no more than one pass. */
const deepLine = new RegExp(`^(?:[ \\t]*(?:>|[-*+][ \\t]|\\d{1,9}[.)][ \\t])){${depthMax}}`, "m");

const bracketsMax = 2_000;
/** Nothing, a quote, an item of a list, a heading, a row of a table, code: what comes is not taken apart together with what was. */
const beginsAnew = /^[ \t]*(?:$|>|[-*+][ \t]|\d{1,9}[.)][ \t]|#|\||```|~~~)/;

export const isTooMuch = (markdown: string): boolean => deepLine.test(markdown) || hasTooManyBrackets(markdown);

function hasTooManyBrackets(markdown: string): boolean {
  let count = 0;
  for (const line of markdown.split("\n")) {
    if (beginsAnew.test(line)) count = 0;
    count += line.split("[").length - 1;
    if (count > bracketsMax) return true;
  }
  return false;
}
