// The figures of docs/performance.md: what the benches reported at one commit, as tables between two marks. Pure.

type Rows = Readonly<Record<string, unknown>>;
/** `isMissed`: it came to an end below what it aims at, or failed. */
export type Measured = {
  readonly seconds: number;
  readonly isMissed: boolean;
  readonly reports: Readonly<Record<string, Rows>>;
};
export type Figures = {
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
  readonly benches: Readonly<Record<string, Measured>>;
};

const begin = "<!-- figures: written by `npm run bench -- --write` -->";
const end = "<!-- figures: end -->";

/** Figures of another commit or machine are not kept beside new ones. */
export const resumeFigures = (kept: Figures | null, now: Omit<Figures, "benches">): Figures =>
  kept !== null && kept.commit === now.commit && kept.machine === now.machine ? kept : { ...now, benches: {} };

/** The reports of a bench, from what it printed: a line of JSON for each. */
export function readReports(printed: string): Readonly<Record<string, Rows>> {
  const reports: Record<string, Rows> = {};
  for (const line of printed.split("\n").filter((each) => each.startsWith('{"bench":'))) {
    const { bench, ...rows } = JSON.parse(line) as Rows & { readonly bench: string };
    reports[bench] = rows;
  }
  return reports;
}

/** The page with these figures in the place of those before; throws where the page has no place for them. */
export function withFigures(page: string, figures: Figures): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error("docs/performance.md has no marks between which figures are written");
  return `${page.slice(0, from)}${begin}\n\n${renderFigures(figures)}\n${page.slice(to)}`;
}

function renderFigures({ commit, date, machine, benches }: Figures): string {
  const head = `All of commit \`${commit}\`, ${date}. ${machine}. Each table names the bench that it comes from: \`npm run bench -- NAME\`.\n`;
  return [head, ...Object.entries(benches).map(([name, measured]) => renderBench(name, measured))].join("\n");
}

function renderBench(name: string, { seconds, isMissed, reports }: Measured): string {
  const lines = Object.entries(reports).flatMap(([report, rows]) =>
    Object.entries(rows).map(([what, figure]) => `| ${cell(report)} | ${cell(what)} | ${cell(figure)} |`),
  );
  const missed = isMissed ? " It misses what it aims at." : "";
  return `**\`${name}\`** (${Math.round(seconds)} s).${missed}\n\n| of | what | figure |\n|---|---|---|\n${lines.join("\n")}\n`;
}

const cell = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).replaceAll("|", "\\|").replaceAll("\n", " ");
