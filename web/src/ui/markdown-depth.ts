// Whether quotes and lists of a text lie inside each other so deep that the library which takes markdown apart would overflow the stack, and with
// it the page. No person writes such a text.

const depthMax = 50;
/** Marks of quotes and lists at the begin of a line; blanks between them can be read in one way only, so that this takes no more than one pass. */
const deepLine = new RegExp(`^(?:[ \\t]*(?:>|[-*+][ \\t]|\\d{1,9}[.)][ \\t])){${depthMax}}`, "m");

export const isTooDeep = (markdown: string): boolean => deepLine.test(markdown);
