// The words of a title that were searched for, also in other forms: "moving" marks "Move". Pure.

type MarkedPiece = { readonly text: string; readonly match: boolean };

/** Near enough to what the search of the server does with English words. */
const stem = (word: string): string => {
  const small = word.toLowerCase();
  const cut = small.replace(/(?:ings?|ers?|ed|es|s|e)$/, "");
  return cut.length >= 3 ? cut : small;
};

export function markWords(title: string, query: string): readonly MarkedPiece[] {
  const wanted = new Set((query.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1).map(stem));
  return title
    .split(/([\p{L}\p{N}]+)/u)
    .filter((text) => text !== "")
    .map((text) => ({ text, match: wanted.has(stem(text)) }));
}
