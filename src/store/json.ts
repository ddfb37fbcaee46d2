// JSON as PostgreSQL can hold it. What engines and models bring may contain NUL or half a surrogate pair; a run must not fail for
// that, so both are cleaned out.

export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  // Both are written as escapes. Whatever else looks like one is only written more slowly.
  return mayNeedCleaning.test(text) ? JSON.stringify(value, cleaned) : text;
}

const mayNeedCleaning = /\\u0000|\\ud[89a-f]/i;

const cleaned = (_key: string, inner: unknown) => (typeof inner === "string" ? cleanText(inner) : inner);

/** The same for a text of its own. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\u0000") ? whole.replaceAll("\u0000", "") : whole;
}
