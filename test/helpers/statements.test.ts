// Every statement that the tests before sent to the first PostgreSQL is one that this one understands: it knows the words, the functions, the
// tables and the types. What a statement does is tested on both by the files of stores (vitest.config.ts).

import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { readStatements } from "./statements.ts";
import { testDb } from "./test-db.ts";

const db = await testDb();
const client = new pg.Client({ connectionString: db.adminUrl, options: "-c search_path=homework" });
await client.connect();
afterAll(() => client.end());

/** Words that begin what PostgreSQL can prepare. What begins otherwise opens and closes transactions, listens or sets, in every file of stores. */
const canBePrepared = /^\s*(?:--.*\n\s*)*\(*(?:select|insert|update|delete|with|values|merge)\b/i;

async function prepare(text: string): Promise<string | null> {
  try {
    await client.query(`prepare asked as ${text}`);
    await client.query("deallocate asked");
    return null;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

test("a statement that this PostgreSQL does not know is told", async () => {
  expect(await prepare("select uuidv47()")).toMatch(/uuidv47/);
  expect(await prepare("select id from onto_projects where id = $1")).toBeNull();
});

test.skipIf(readStatements() === undefined)("every statement of the tests before is understood", async () => {
  const statements = [...(readStatements() ?? [])].filter(([text]) => canBePrepared.test(text));
  const refused: string[] = [];
  for (const [text, file] of statements) {
    const why = await prepare(text);
    if (why !== null) refused.push(`${why}: ${text} (${file})`);
  }
  expect(refused).toEqual([]);
  // There are more than a thousand; fewer would mean that nothing was written down.
  expect(statements.length).toBeGreaterThan(500);
});
