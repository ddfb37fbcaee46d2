// Which statements of ours each PostgreSQL was sent, so that a file may be kept to one of them: `TEST_STATEMENTS=<folder> npm test`
// writes them down, and tells at its end which went to the first alone.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";

type Noted = { readonly file: string; readonly isSecond: boolean; readonly statements: readonly string[] };

const folder = process.env.TEST_STATEMENTS;
const isSecond = Boolean(process.env.TEST_DATABASE_URL || process.env.TEST_POSTGRES_BIN);
let noted = new Set<string>();
let isListening = false;

/** From now on; what the superuser of a test asks is not ours. */
export function noteStatements(): void {
  noted = new Set();
  if (!folder || isListening) return;
  isListening = true;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [what] = args;
    const text = typeof what === "string" ? what : (what as { readonly text?: string } | undefined)?.text;
    if (text !== undefined && this.user?.startsWith("homework_login")) noted.add(shorten(text));
    return query.apply(this, args as Parameters<typeof query>);
  } as typeof query;
}

export function writeStatements(file: string): void {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const name = createHash("sha256").update(`${file} ${isSecond}`).digest("hex").slice(0, 16);
  const found: Noted = { file: path.relative(process.cwd(), file), isSecond, statements: [...noted] };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(found));
}

/** What the first PostgreSQL was sent and the second was not, each with a file that sends it. */
export function findSentOnce(): readonly string[] {
  if (!folder) return [];
  const all = readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Noted);
  const second = new Set(all.filter((each) => each.isSecond).flatMap(({ statements }) => statements));
  const once = new Map<string, string>();
  for (const { file, statements } of all) for (const each of statements) if (!second.has(each)) once.set(each, file);
  return [...once].map(([statement, file]) => `${file}: ${statement}`).toSorted();
}

/** The same for other values, for lists of another length, and for other kinds and columns of what people keep. */
function shorten(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'/g, "?")
    .replaceAll(/\$?\b\d+\b/g, "?")
    .replaceAll(/\$\?/g, "?")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\?(?:, \?)+/g, "?")
    .replaceAll(/\(\?\)(?:, \(\?\))+/g, "(?)")
    .replaceAll(/"?\bonto_\w+"?/g, "onto_?")
    .replaceAll(/\("\w+"(?:, "\w+")*\)/g, "(columns)")
    .replaceAll(/\bset (?:"\w+" = \?, )+/g, "set columns, ")
    .replaceAll(/\bselect (?:"e"\."\w+"(?:, )?)+/g, "select columns ");
}
