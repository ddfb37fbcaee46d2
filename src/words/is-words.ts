// Which text in the code is read by a person, as far as the text itself can tell. `{0}` stands for what is put in.

const letter = /\p{L}/u;
const slot = /\{\d+\}/g;
const choice = /\{\d+:([^{}|]*)\|([^{}|]*)\}/g;
/** Two words, or a word and a value beside it. */
const phrase = /\p{L}{2,}[,;:.…!?”)]? [“(#]?(?:\p{L}|\{\d)|\p{L}[,;:.…]? [“(]?\p{L}{2,}|\} \p{L}{2,}/u;
/** One word as it begins a line. */
const capitalized = /^\p{Lu}\p{Ll}+(?:[-’']\p{L}+)*(?:[.…?!:]?|\{\d\}\.?)$/u;
/** Keys, addresses, paths, styles, markup, headers and queries. */
const machine = new RegExp(
  [
    String.raw`^[a-z0-9]+(?:_[a-z0-9{}]+)+$|^[a-z]\w*(?:\.[a-z]\w*)+\.?$`,
    String.raw`:\/\/|^\.{0,2}\/|^[a-z]+\/[a-z+.-]+`,
    String.raw`var\(--|\b\d+(?:px|rem|em|fr|vh|vw)\b|\{\d+\}(?:px|rem|fr|vh|vw)\b|^[#.][\w-]+$|\w\[[a-z-]+=|, \[|translate\(|calc\(`,
    String.raw`^<[!?]|\r\n|^(?:event|data|id|retry): |; Path=|^no-cache|max-age=|^Bearer |^(?:GET|POST|PUT|PATCH|DELETE) `,
    String.raw`^\s*(?:select|insert|update|delete|with|begin|set|create|lock|listen|notify) [a-z_]+.*\b(?:from|into|set|as|role|only|on)\b`,
  ].join("|"),
  "s",
);

/** In a place where everything is shown. */
export function hasWords(text: string): boolean {
  const said = text.replaceAll(choice, (_, yes: string, no: string) => yes + no);
  return letter.test(said.replaceAll(slot, "")) && !machine.test(text);
}

/** In a place that says nothing of what becomes of it. */
export function looksLikeWords(text: string): boolean {
  const said = text.replaceAll(choice, (_, yes: string, no: string) => yes || no);
  return !machine.test(said) && (phrase.test(said) || capitalized.test(said));
}
