// What shows nothing: blanks of every script, characters without a shape, and the same in markup. Texts that differ in nothing
// else are the same text.

const invisible = /[\s\p{Cc}\p{Cf}\p{DI}\u2800]+/gu;
/** Blanks keep words apart; these stand inside of words without being seen. */
const shapeless = /[\p{Cf}\p{DI}\u2800]+/gu;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const blankMarkup = /<br\s{0,10}\/?>|&(?:nbsp|ensp|emsp|thinsp|zwnj|zwj|shy|#0*160|#x0*a0|#0*820[3-5]|#x0*200[b-d]);/gi;

export const withoutComments = (text: string): string => text.replaceAll(comment, " ");

export const withoutShapeless = (text: string): string => text.normalize("NFKC").replaceAll(shapeless, "");

/** Everything that can be seen of a text, without gaps: what two texts are compared by. */
export const withoutBlanks = (text: string): string =>
  withoutComments(text).replaceAll(blankMarkup, "").replaceAll(invisible, "");

/** Letters and digits: the rest is markup, layout or style. */
export const lettersOnly = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
