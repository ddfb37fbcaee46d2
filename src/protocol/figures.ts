// Money, durations and counts as people read them, the same on pages, in reports and on the command line. Pure.

/** Below this a cent says nothing; models are often paid in fractions of one. */
const centsFromMicroUsd = 1_000_000;
/** Four decimals would show nothing of it. */
const finestMicroUsd = 100;

/** `$12.34`, `$0.0123`, `$0.000042`. */
export function dollars(microUsd: number): string {
  if (microUsd === 0) return "$0.00";
  const digits = microUsd >= centsFromMicroUsd ? 2 : microUsd >= finestMicroUsd ? 4 : 6;
  return `$${grouped(microUsd / 1_000_000, digits)}`;
}

/** Where some calls have no known price, the sum is not the whole: `no price known`, `$0.12 + no price known`. */
export function cost(microUsd: number, unpricedCalls: number, noPrice = "no price known"): string {
  if (unpricedCalls === 0) return dollars(microUsd);
  return microUsd === 0 ? noPrice : `${dollars(microUsd)} + ${noPrice}`;
}

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
