// Statements of ours that tests send to the first PostgreSQL, written down in the folder TEST_STATEMENTS, so that the second one is asked
// whether it understands each of them (test/helpers/statements.test.ts): most files then need only the first.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";

type Noted = { readonly file: string; readonly statements: readonly string[] };

const folder = process.env.TEST_STATEMENTS;
const isSecond = Boolean(process.env.TEST_DATABASE_URL || process.env.TEST_POSTGRES_BIN);
/** One example of each, by what is left when values are taken out. */
let noted = new Map<string, string>();
let seen = new Set<string>();
let isListening = false;

/** From now on; what the superuser of a test asks is not ours. */
export function noteStatements(): void {
  noted = new Map();
  seen = new Set();
  if (!folder || isSecond || isListening) return;
  isListening = true;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [what] = args;
    const text = typeof what === "string" ? what : (what as { readonly text?: string } | undefined)?.text;
    const isOurs = text !== undefined && this.user?.startsWith("homework_login");
    if (isOurs) note(text);
    const answer: unknown = query.apply(this, args as Parameters<typeof query>);
    if (isOurs && answer instanceof Promise) answer.catch((error) => forgetMistake(text, error));
    return answer;
  } as typeof query;
}

function note(text: string): void {
  if (seen.has(text)) return;
  seen.add(text);
  noted.set(shorten(text), text);
}

/** What the first did not understand either, a test sent on purpose. */
function forgetMistake(text: string, error: { readonly code?: string }): void {
  if (error.code?.startsWith("42")) noted.delete(shorten(text));
}

export function writeStatements(file: string): void {
  if (!folder || isSecond) return;
  mkdirSync(folder, { recursive: true });
  const name = createHash("sha256").update(file).digest("hex").slice(0, 16);
  const found: Noted = { file: path.relative(process.cwd(), file), statements: [...noted.values()] };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(found));
}

/** What the first PostgreSQL was sent, each statement with a file that sends it. Undefined where nothing was written down. */
export function readStatements(): ReadonlyMap<string, string> | undefined {
  if (!folder) return undefined;
  const all = readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Noted);
  const examples = new Map(
    all.flatMap(({ file, statements }) => statements.map((text) => [shorten(text), { text, file }] as const)),
  );
  return new Map([...examples.values()].map(({ text, file }) => [text, file]));
}

/** The same for other values, and for lists of another length. */
function shorten(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'/g, "?")
    .replaceAll(/\$?\b\d+\b/g, "?")
    .replaceAll(/\$\?/g, "?")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\?(?:, \?)+/g, "?")
    .replaceAll(/\(\?\)(?:, \(\?\))+/g, "(?)");
}
