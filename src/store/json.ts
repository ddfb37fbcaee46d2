// JSON as PostgreSQL can hold it. What engines and models bring may contain NUL or half a surrogate pair; a run must not fail for
// that, and nobody misses them.

export function toJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "string" ? cleanText(inner) : inner)) ?? "null"
  );
}

/** The same for a text of its own. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\u0000") ? whole.replaceAll("\u0000", "") : whole;
}
