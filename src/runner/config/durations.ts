// Durations as people write them in settings and options: "90s", "5m", "1h30m", "7d", "250ms".

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const form = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
/** Longer than any text of ours, so that a hostile one ends here. */
const textMax = 40;

/** Null: this is not a duration. */
export function parseDuration(text: string): number | null {
  if (text.length > textMax || !form.test(text)) return null;
  let ms = 0;
  for (const [, amount, unit = ""] of text.matchAll(part)) ms += Number(amount) * (unitMs[unit] ?? 0);
  return Math.round(ms);
}
