// How far a page is taken apart: not at all where it is nested so deep, or in so many pieces, that it would take far longer than reading it.
// One pass whose time grows with the length only.

/** `article`: look for the article in it. `large`: its text as a whole. `tangled`: only what stands between tags. */
export type Markup = "article" | "large" | "tangled";

/** Looking for the article takes about 0.2 ms for each tag. */
const articleTagsMax = 15_000;

/** The largest honest pages (long tables, lists of a whole library) have about 60,000 tags. */
const tagsMax = 100_000;
/** Honest pages stay below 100; the parser's time grows with the square of the depth. */
const depthMax = 400;
/** `<` that begin no tag. Each becomes a node of its own, and the parser's time grows with their square. */
const straysMax = 2_000;
/** Of one tag. Honest ones have some hundred bytes, and some kilobytes where a picture stands in them. */
const tagLengthMax = 300_000;

/** They have no content, or end where the next of their kind begins. */
const shallow = new Set(
  "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option optgroup".split(
    " ",
  ),
);

export function judgeMarkup(html: string): Markup {
  let tags = 0;
  let depth = 0;
  let strays = 0;
  for (let open = html.indexOf("<"); open !== -1; ) {
    tags += 1;
    depth += step(html, open);
    if (!isTag(html.charCodeAt(open + 1))) strays += 1;
    if (strays > straysMax || tags > tagsMax || depth > depthMax) return "tangled";
    const next = html.indexOf("<", open + 1);
    if ((next === -1 ? html.length : next) - open > tagLengthMax && isLongTag(html, open)) return "tangled";
    open = next;
  }
  return tags > articleTagsMax ? "large" : "article";
}

/** A letter, `/`, `!` or `?`. */
const isTag = (code: number): boolean =>
  (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? true : code === 0x2f || code === 0x21 || code === 0x3f;

function step(html: string, open: number): -1 | 0 | 1 {
  const name = /^<(\/?)([a-z][a-z0-9-]{0,29})/i.exec(html.slice(open, open + 32));
  if (name === null || shallow.has((name[2] ?? "").toLowerCase())) return 0;
  return name[1] === "/" ? -1 : 1;
}

function isLongTag(html: string, open: number): boolean {
  return /^<[a-z]/i.test(html.slice(open, open + 2)) && !html.slice(open, open + tagLengthMax).includes(">");
}
