// When a delivery that failed is tried again. The first waits bridge a restart of the receiver, the last ones a weekend's outage.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Before the second try, the third, and so on; after the last of them it is given up. About two days in all. */
const waitsMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
];

/** A receiver that asks for more than a day is tried after a day. */
const askedMaxMs = 24 * hour;

/** `attempts`: tries so far. Null: it is given up. A receiver that asks for a longer wait gets it. */
export function waitBeforeNextTry(attempts: number, askedMs: number | null): number | null {
  const usual = waitsMs[attempts - 1];
  if (usual === undefined) return null;
  return Math.max(usual, Math.min(askedMs ?? 0, askedMaxMs));
}

/** The header `Retry-After`: seconds, or a date. Null where it is missing or says nothing. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second;
  if (!/^[A-Z][a-z]{2},? .* GMT$/.test(header.trim())) return null;
  // biome-ignore lint/style/noRestrictedGlobals: reads a given time; reads no clock
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
