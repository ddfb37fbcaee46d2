// A text that the user hands over and that someone else wrote: a mail, a page, a log. It is material and orders nothing, so it stands
// between fences, no address in it counts as the user's, and a run or a conversation that gets one has read words of strangers.

import { z } from "zod";
import { foreignTextLimits } from "./foreign-text-limits.ts";

export const foreignText = z.object({ title: z.string(), text: z.string() }).readonly();
/** `title` is what the user calls it; it may be empty. */
export type ForeignText = z.infer<typeof foreignText>;

export const sizeOfTexts = (texts: readonly ForeignText[]): number =>
  texts.reduce((sum, { title, text }) => sum + title.length + text.length, 0);

/** As many of the first as there is room for. */
export function keepWithinLimits(texts: readonly ForeignText[]): readonly ForeignText[] {
  const { texts: most, together } = foreignTextLimits;
  return texts.slice(0, most).filter((_, at) => sizeOfTexts(texts.slice(0, at + 1)) <= together);
}
