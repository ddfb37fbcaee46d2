// Times as figures: median and 95th percentile of many, and how they are printed.

export type Figures = { readonly p50: number; readonly p95: number; readonly count: number };

export function figuresOf(times: readonly number[]): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95), count: sorted.length };
}

const round = (ms: number) => Math.round(ms * 10) / 10;

/** Runs `work` a bounded number of times, after a few that do not count. */
export async function timed(count: number, work: (n: number) => Promise<unknown>): Promise<Figures> {
  for (let n = 0; n < 3; n++) await work(n);
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await work(n);
    times.push(performance.now() - began);
  }
  return figuresOf(times);
}

export const ratio = (one: number, other: number) => Math.round((one / other) * 100) / 100;

/**
 * The median over rounds of one in the other: what was measured together is compared, since the pace of a machine changes in between.
 */
export function ratioOfRounds(ones: readonly number[], others: readonly number[]): number {
  const ratios = ones.map((one, round) => ratio(one, others[round] ?? Number.NaN));
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
}

/** One line per figure, and the same as JSON for programs. */
export function report(name: string, rows: Readonly<Record<string, unknown>>): void {
  const width = Math.max(...Object.keys(rows).map((key) => key.length));
  const lines = Object.entries(rows).map(
    ([key, value]) => `  ${key.padEnd(width)}  ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  process.stdout.write(`\n${name}\n${lines.join("\n")}\n${JSON.stringify({ bench: name, ...rows })}\n`);
}

export const msText = ({ p50, p95 }: Figures) => `p50 ${p50} ms, p95 ${p95} ms`;
