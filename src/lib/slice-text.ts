// A long text in pages.

export type Slice = { readonly shown: string; readonly from: number; readonly next: number | null };

/** A page of a text. Pages put together are the text: none begins or ends inside of a character. */
export function sliceText(text: string, offset: number, limit: number): Slice {
  const from = wholeAt(text, Math.min(offset, text.length));
  const end = wholeAt(text, Math.min(from + Math.max(limit, 2), text.length));
  return { shown: text.slice(from, end), from, next: end < text.length ? end : null };
}

/** One before, where a place is in the middle of a surrogate pair. */
export function wholeAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
  const before = text.charCodeAt(place - 1);
  return isSecondHalf && before >= 0xd800 && before <= 0xdbff ? place - 1 : place;
}

/** At most so long. What is cut off is told by three dots, after a whole word unless that word is very long. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, wholeAt(text, max - 1));
  const isWhole = /\s/.test(text.charAt(head.length));
  const words = isWhole ? head : head.replace(/\s+\S*$/, "");
  return `${(words.length >= max / 2 ? words : head).trimEnd()}…`;
}
