// A title as the name of a file that every file system takes: Linux, macOS, Windows, and the sticks between them. Pure.

/** Characters of a title that are looked at: a name needs far fewer, and some of the patterns below take the square of what they are given. */
const titleMax = 1_000;
/** Characters of a name; a longer one is cut. */
const lettersMax = 80;
/** Most file systems take 255 bytes; a number and an ending come behind it. */
const bytesMax = 200;

const forbidden = /[<>"/\\|?*]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;
/** Windows keeps these for devices, also with blanks and an ending behind them; raised digits count as digits there. */
const reserved = /^(con(?:in\$|out\$)?|prn|aux|nul|clock\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?= ?(?:$|\.))/i;

/** Without an ending. */
export function fileNameOf(title: string): string {
  const clean = title
    .slice(0, titleMax)
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(invisible, " ")
    .replaceAll(/\s*:\s*/g, " - ")
    .replaceAll(forbidden, "-")
    .replaceAll(/\s+/g, " ");
  const name = trimEnds(cutName(trimEnds(clean)));
  if (name === "") return "Untitled";
  return name.replace(reserved, "$1 file");
}

/** A dot in front hides a file, a dash looks like an option; Windows drops dots and blanks at the end. */
const trimEnds = (name: string) => name.replace(/^[\s.\-~]+/, "").replace(/[\s.-]+$/, "");

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });
const bytes = new TextEncoder();

function cutName(name: string): string {
  let kept = "";
  let count = 0;
  for (const { segment } of letters.segment(name)) {
    count += 1;
    if (count > lettersMax || bytes.encode(kept + segment).length > bytesMax) break;
    kept += segment;
  }
  return kept;
}
