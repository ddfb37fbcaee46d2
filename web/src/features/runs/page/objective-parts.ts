// An objective as a heading and the rest: the first line, cut between words where it is long. Pure.

export type ObjectiveParts = {
  readonly heading: string;
  /** The whole of it, where the heading is not all; else null. */
  readonly whole: string | null;
};

/** Two lines of a heading. */
const headingMax = 160;

export function objectiveParts(objective: string): ObjectiveParts {
  const whole = objective.trim();
  const [line = ""] = whole.split(/\r\n|\r|\n/);
  const first = line.trim();
  if (first.length <= headingMax) return { heading: first, whole: first === whole ? null : whole };
  const cut = first.slice(0, headingMax);
  const space = cut.lastIndexOf(" ");
  // Text without blanks is cut where it is, but never inside a character.
  const end = space > headingMax / 2 ? space : headingMax - (/[\uD800-\uDBFF]$/.test(cut) ? 1 : 0);
  return { heading: `${first.slice(0, end).trimEnd()}…`, whole };
}
