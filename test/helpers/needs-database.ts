// Which test files need the PostgreSQL of the run: those that ask vitest for it, themselves or through what they import.

import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

const asks = 'inject("testServer")';
const imported = /(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g;

/** Test files that match the patterns and need a database. */
export function findDatabaseTests(patterns: readonly string[]): readonly string[] {
  const known = new Map<string, boolean>();
  return globSync(patterns).filter((file) => needsDatabase(file, known));
}

function needsDatabase(file: string, known: Map<string, boolean>): boolean {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  known.set(file, false); // Those that import each other in a circle
  const text = readFileSync(file, "utf8");
  const others = [...text.matchAll(imported)].map(([, to = ""]) => path.join(path.dirname(file), to));
  const needs = text.includes(asks) || others.some((other) => existsSync(other) && needsDatabase(other, known));
  known.set(file, needs);
  return needs;
}
