// Money, durations and counts as people read them, the same on pages, in reports and on the command line. Pure.

const centInMicroUsd = 10_000;

/** `$12.34`, `less than $0.01`: people count in cents. */
export function dollars(microUsd: number, lessThan = "less than"): string {
  if (microUsd > 0 && microUsd < centInMicroUsd) return `${lessThan} $0.01`;
  return `$${grouped(microUsd / 1_000_000, 2)}`;
}

/** For what is at most this much: whole cents, rounded up. */
export const dollarsAtMost = (microUsd: number): string =>
  dollars(Math.ceil(microUsd / centInMicroUsd) * centInMicroUsd);

/** `$12.34`, `$0.0005`, `$0.000042`: for limits, which people set themselves, and where every fraction counts. */
export function exactDollars(microUsd: number): string {
  return `$${grouped(microUsd / 1_000_000, 6).replace(/0{1,4}$/, "")}`;
}

type CostWords = { readonly noPrice: string; readonly lessThan: string };

/** Where some calls have no known price, the sum is not the whole: `no price known`, `$0.12 + no price known`. */
export function cost(
  microUsd: number,
  unpricedCalls: number,
  { noPrice, lessThan }: CostWords = { noPrice: "no price known", lessThan: "less than" },
): string {
  if (unpricedCalls === 0) return dollars(microUsd, lessThan);
  return microUsd === 0 ? noPrice : `${dollars(microUsd, lessThan)} + ${noPrice}`;
}

/** `0.4 MB`, `12.5 MB`. */
export const megabytes = (bytes: number): string => `${grouped(bytes / 1_000_000, 1)} MB`;

/** `45s`, `2m 05s`, `1h 02m`, `3d 04h`: two units say enough. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes === 0) return `${seconds}s`;
  if (hours === 0) return `${minutes}m ${padded(seconds % 60)}s`;
  if (days === 0) return `${hours}h ${padded(minutes % 60)}m`;
  return `${days}d ${padded(hours % 24)}h`;
}

/** `1 iteration`, `12,345 tokens`. A noun with another plural names both: `match|matches`. */
export function counted(number: number, noun: string): string {
  const [one = noun, many = `${noun}s`] = noun.split("|");
  return `${grouped(number, 0)} ${number === 1 ? one : many}`;
}

const padded = (number: number) => String(number).padStart(2, "0");

function grouped(number: number, digits: number): string {
  const [whole = "", fraction] = number.toFixed(digits).split(".");
  const groups = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
