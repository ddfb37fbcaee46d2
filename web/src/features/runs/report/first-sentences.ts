// The first sentences of a Markdown text, cut where a sentence ends. Pure.

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** A dot after these ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Abs|vs|ca|approx|bzw|etc|e\.g|i\.e|z\.\s?B)\.\s*$/;

export type Cut = { readonly shown: string; readonly isCut: boolean };

export function firstSentences(text: string, max: number): Cut {
  const whole = text.trim();
  let shown = "";
  let count = 0;
  for (const { segment } of sentences.segment(whole)) {
    if (count === max) return { shown: closeMarks(shown.trim()), isCut: true };
    shown += segment;
    if (segment.trim() !== "" && !abbreviation.test(segment)) count += 1;
  }
  return { shown: whole, isCut: false };
}

/** Bold or code that went on after the cut ends with it. */
function closeMarks(text: string): string {
  const isOpen = (mark: string) => text.split(mark).length % 2 === 0;
  return `${text}${isOpen("`") ? "`" : ""}${isOpen("**") ? "**" : ""}`;
}
