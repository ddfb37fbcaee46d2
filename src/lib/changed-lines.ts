// Which lines of a text went and which came, short enough to be read in the middle of other work. The cost is bounded: a
// comparison that would grow with the square of a long text is shown as one block that was replaced.

export type ChangedLines = {
  readonly text: string;
  /** False where lines were left out: the text does not say everything that changed. */
  readonly isWhole: boolean;
};

/** Pairs of lines that are compared; about 700 changed lines on either side. */
const pairsMax = 500_000;
/** Unchanged lines that are shown beside a change. */
const around = 1;

type Line = { readonly mark: " " | "-" | "+"; readonly text: string };

/** `max`: characters of the answer. */
export function changedLines(before: string, after: string, max: number): ChangedLines {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const head = countSame(was, is, Math.min(was.length, is.length), (line) => line);
  const tailMax = Math.min(was.length, is.length) - head;
  const tail = countSame(was, is, tailMax, (line, lines) => lines.length - 1 - line);
  const [went, came] = [was.slice(head, was.length - tail), is.slice(head, is.length - tail)];
  const lines = [
    ...was.slice(Math.max(0, head - around), head).map(same),
    ...(went.length * came.length <= pairsMax ? compare(went, came) : replace(went, came)),
    ...was.slice(was.length - tail, was.length - tail + around).map(same),
  ];
  const text = fold(lines).join("\n");
  return text.length <= max ? { text, isWhole: true } : { text: `${text.slice(0, max)}\n…`, isWhole: false };
}

const same = (text: string): Line => ({ mark: " ", text });
const replace = (went: readonly string[], came: readonly string[]): readonly Line[] => [
  ...went.map((text): Line => ({ mark: "-", text })),
  ...came.map((text): Line => ({ mark: "+", text })),
];

type Place = (line: number, lines: readonly string[]) => number;

function countSame(was: readonly string[], is: readonly string[], max: number, at: Place): number {
  let count = 0;
  while (count < max && was[at(count, was)] === is[at(count, is)]) count++;
  return count;
}

/** The longest lines in common stay; of two lines at one place, the one that went comes first. */
function compare(went: readonly string[], came: readonly string[]): readonly Line[] {
  const lengths = commonLengths(went, came);
  const width = came.length + 1;
  const lines: Line[] = [];
  let [a, b] = [0, 0];
  while (a < went.length && b < came.length) {
    if (went[a] === came[b]) {
      lines.push(same(went[a] ?? ""));
      a++;
      b++;
    } else if ((lengths[(a + 1) * width + b] ?? 0) >= (lengths[a * width + b + 1] ?? 0)) {
      lines.push({ mark: "-", text: went[a] ?? "" });
      a++;
    } else {
      lines.push({ mark: "+", text: came[b] ?? "" });
      b++;
    }
  }
  return [...lines, ...replace(went.slice(a), came.slice(b))];
}

/** At `a * width + b`: how many lines the rest of `went` from `a` and of `came` from `b` have in common, in order. */
function commonLengths(went: readonly string[], came: readonly string[]): Uint32Array {
  const width = came.length + 1;
  const lengths = new Uint32Array((went.length + 1) * width);
  for (let a = went.length - 1; a >= 0; a--) {
    for (let b = came.length - 1; b >= 0; b--) {
      const isSame = went[a] === came[b];
      const [down, right] = [lengths[(a + 1) * width + b] ?? 0, lengths[a * width + b + 1] ?? 0];
      lengths[a * width + b] = isSame ? (lengths[(a + 1) * width + b + 1] ?? 0) + 1 : Math.max(down, right);
    }
  }
  return lengths;
}

/** Unchanged lines that stand beside no change become three dots. */
function fold(lines: readonly Line[]): readonly string[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ mark }) => mark !== " "),
  );
  return lines.flatMap(({ mark, text }, at) => {
    if (isNear[at]) return [`${mark} ${text}`];
    return at === 0 || isNear[at - 1] ? ["…"] : [];
  });
}
