// What a notification asks, in the form that channels offer it: questions with options that have ids. It stands in the notification's
// `data` under `questions`; whichever thing asks puts it there, and answers arrive at the thing by its kind (src/notify/answerable.ts).

import { z } from "zod";

export const askedQuestion = z.object({
  id: z.string(),
  text: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string() }).readonly()).readonly(),
});
export type AskedQuestion = Readonly<z.infer<typeof askedQuestion>>;

/** Of `data` of a notification; nothing where it asks nothing. */
export function readAsked(data: Data): readonly AskedQuestion[] {
  const parsed = z.array(askedQuestion).safeParse(data.questions);
  return parsed.success ? parsed.data : [];
}

type Data = Readonly<Record<string, unknown>>;

/** What the thing that asks is called; null where it has no name. */
export const readName = (data: Data): string | null => readText(data.name);

/** The opening of the report that a run or an outcome ended with; null without a report. */
export const readOpening = (data: Data): string | null => readText(data.opening);

const readText = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** An answer to one question: an option of it, or words. */
export const givenAnswer = z.union([
  z.object({ questionId: z.string(), optionId: z.string() }).readonly(),
  z.object({ questionId: z.string(), text: z.string() }).readonly(),
]);
export type GivenAnswer = z.infer<typeof givenAnswer>;
