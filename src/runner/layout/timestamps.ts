// Times as the runner's files write them, always UTC. Clocks are passed in as nanoseconds since the epoch.

/** Nanoseconds since the epoch. */
export type NanoClock = () => bigint;

const nanosPerMs = 1_000_000n;
const nanosPerSecond = 1_000_000_000n;
/** Four digits behind the second. */
const nanosPerTick = 100_000n;

export const toNanos = (ms: number): bigint => BigInt(Math.round(ms)) * nanosPerMs;

/** `2026-11-16T05:49:12.345Z` */
export function toIso(nanos: bigint): string {
  // biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
  return new Date(Number(nanos / nanosPerMs)).toISOString();
}

/** `20261116-054912` */
export function toStamp(nanos: bigint): string {
  return toIso(nanos).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}

/** `20261116-0549123456`: the last four digits are tenths of a millisecond. */
export function toTickStamp(nanos: bigint): string {
  return toStamp(nanos) + padded((nanos % nanosPerSecond) / nanosPerTick, 4);
}

/** `20261116-054912-345678901`, for messages. */
export function toNanoStamp(nanos: bigint): string {
  return `${toStamp(nanos)}-${padded(nanos % nanosPerSecond, 9)}`;
}

export const wholeTick = (nanos: bigint): bigint => nanos - (nanos % nanosPerTick);
export const nextTick = (nanos: bigint): bigint => (nanos / nanosPerTick + 1n) * nanosPerTick;

/** The time at the beginning of `20261116-054912`, `20261116-0549123456` or `20261116-054912-345678901`; null: it begins otherwise. */
export function parseStamp(text: string): bigint | null {
  const match = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?:-(\d{9})(?!\d)|(\d{4})(?!\d)|(?!\d))/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, nanos, ticks] = match;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  // biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
  const ms = Date.parse(iso);
  // A 31st of February would be read as a day in March.
  if (Number.isNaN(ms) || toIso(toNanos(ms)) !== iso) return null;
  return BigInt(ms) * nanosPerMs + BigInt(nanos ?? 0) + BigInt(ticks ?? 0) * nanosPerTick;
}

const padded = (value: bigint, digits: number): string => String(value).padStart(digits, "0");
