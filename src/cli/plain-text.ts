// Text from elsewhere, made safe and measurable for a terminal: no escape sequences, known width, cut to fit.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of them but tab and line feed
const controlsInLines = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Characters a terminal draws two cells wide: East Asian wide and full-width forms, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const plainAscii = /^[ -~]*$/;

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** On one line, without anything that could steer the terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(controls, " ").trim();
}

/** Ends like a sentence, whether the text from elsewhere did or not. */
export function endSentence(text: string): string {
  return /[.!?…:][”"')]?$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}

/** Keeps the lines; a terminal cannot be steered by it. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(controlsInLines, "\ufffd");
}

const colourForm = String.raw`\u001b\[[0-9;]{0,20}m`;
const coloursOrControls = new RegExp(`(${colourForm})|${controlsInLines.source}`, "g");

/** The last look at all that goes to a terminal: colours stay, nothing else of it can steer. */
export function onlyColours(text: string): string {
  return text.replaceAll(coloursOrControls, (_, colour: string | undefined) => colour ?? "\ufffd");
}

/** JSON keeps some controls as they are. Its readers take them escaped as well. */
export function escapeControls(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function widthOf(text: string): number {
  // Taking text apart is slow and most of it needs none of that.
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of letters.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** At most `width` cells; what was cut off is shown by an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of letters.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
