// A dump of everything in one gzipped file of JSON lines, and the way back. PostgreSQL's own tools are not in what npm
// brings, and a dump must move between server versions; rows travel as the database's own JSON, so no value is rounded.

import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { z } from "zod";
import { AppError } from "../lib/app-error.ts";
import { sqlState } from "./errors.ts";
import { appliedVersion, newestVersion } from "./migrate.ts";
import { schemaName } from "./roles.ts";

const format = "homework-dump-1";
const header = z.object({ format: z.literal(format), schema_version: z.number().int() });
const rowsAtOnce = 500;

/** Migrations make these; they are not data. */
const notData = ["schema_migrations"];

export type DumpSummary = { readonly schemaVersion: number; readonly rows: number };

/** As an administrator: reads through the platform's role, in one snapshot. */
export async function dump(admin: pg.Client, file: string): Promise<DumpSummary> {
  const schemaVersion = await appliedVersion(admin);
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify({ format, schema_version: schemaVersion })}\n`;
    for (const table of await tablesInOrder(admin)) {
      const columns = await columnsOf(admin, table);
      yield `${JSON.stringify({ table })}\n`;
      await admin.query(
        `declare dumped no scroll cursor for select to_jsonb(r)::text as row from (select ${columns} from ${table}) r`,
      );
      for (;;) {
        const { rows: found } = await admin.query<{ row: string }>(`fetch ${rowsAtOnce} from dumped`);
        if (found.length === 0) break;
        rows += found.length;
        yield found.map(({ row }) => `${row}\n`).join("");
      }
      await admin.query("close dumped");
    }
    yield `${JSON.stringify({ end: true, rows })}\n`;
  }
  await admin.query(`set search_path = ${schemaName}`);
  await admin.query("begin isolation level repeatable read read only");
  try {
    await admin.query("set local role homework_system");
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(file, { flags: "wx", mode: 0o600 }));
  } finally {
    await admin.query("rollback");
  }
  return { schemaVersion, rows };
}

/** Into a migrated database that holds nothing, or, with `overwrite`, instead of what it holds. All or nothing. */
export async function restore(admin: pg.Client, file: string, overwrite: boolean): Promise<DumpSummary> {
  await admin.query(`set search_path = ${schemaName}`);
  const tables = await tablesInOrder(admin);
  await admin.query("begin");
  try {
    await admin.query("set local role homework_owner");
    if (!overwrite && !(await isEmpty(admin, tables)))
      throw new AppError("already_exists", "The database holds something already; --overwrite replaces it");
    // Row level security is forced on the owner too, and history must come back as it was, not as a new one.
    for (const table of tables)
      await admin.query(`alter table ${table} no force row level security; alter table ${table} disable trigger user`);
    await admin.query(`truncate ${tables.join(", ")}; set constraints all deferred`);
    const summary = await readInto(admin, file, new Set(tables));
    await admin.query("set constraints all immediate").catch((thrown: unknown) => {
      throw misfit(thrown, "rows refer to what is not there");
    });
    for (const table of tables)
      await admin.query(`alter table ${table} force row level security; alter table ${table} enable trigger user`);
    await admin.query("commit");
    return summary;
  } catch (thrown) {
    await admin.query("rollback");
    throw thrown;
  }
}

async function readInto(admin: pg.Client, file: string, tables: ReadonlySet<string>): Promise<DumpSummary> {
  const lines = linesOf(file);
  const first = await lines.next();
  const schemaVersion = readHeader(first.done ? "" : first.value);
  let insert = inserter(admin, "", "");
  let rows = 0;
  let promised: number | null = null;
  for await (const line of lines) {
    const mark = markOf(line);
    if (mark === null) {
      rows += 1;
      await insert.add(line);
      continue;
    }
    await insert.flush();
    if ("end" in mark) promised = mark.rows;
    else if (tables.has(mark.table)) insert = inserter(admin, mark.table, await columnsOf(admin, mark.table));
    else throw damaged(`it names a table "${mark.table}" that there is not`);
  }
  if (promised !== rows) throw damaged("it is cut off");
  return { schemaVersion, rows };
}

/** Rows of one table, a few hundred at a time. */
function inserter(admin: pg.Client, table: string, columns: string) {
  let waiting: string[] = [];
  const flush = async () => {
    if (waiting.length === 0) return;
    if (table === "") throw damaged("it has rows before the first table");
    const json = `[${waiting.join(",")}]`;
    waiting = [];
    const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
    await admin.query(insert, [json]).catch((thrown: unknown) => {
      throw misfit(thrown, `rows of ${table} do not fit`);
    });
  };
  const add = async (row: string) => {
    waiting.push(row);
    if (waiting.length >= rowsAtOnce) await flush();
  };
  return { add, flush };
}

/** Classes 22 and 23: values of the wrong type, rows that do not fit together. */
const misfit = (thrown: unknown, why: string): unknown =>
  /^2[23]/.test(sqlState(thrown) ?? "") ? damaged(why) : thrown;

const damaged = (why: string) => new AppError("invalid_request", `This dump cannot be used: ${why}`);

async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on("error", (error) => text.destroy(error));
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new AppError("not_found", `There is no file ${file}`, { cause });
    throw damaged(`it is not a dump of ours, or damaged (${code ?? "unreadable"})`);
  }
}

function readHeader(line: string): number {
  const parsed = header.safeParse(parseLine(line));
  if (!parsed.success) throw damaged("it does not begin like one");
  const { schema_version: version } = parsed.data;
  if (version === newestVersion()) return version;
  throw new AppError(
    version > newestVersion() ? "schema_newer" : "schema_older",
    `The dump has schema ${version}, this program has ${newestVersion()}: restore it with the program that made it, then upgrade`,
  );
}

const markShape = z.union([
  z.strictObject({ table: z.string() }),
  z.strictObject({ end: z.literal(true), rows: z.number() }),
]);

/** Lines between the rows: the next table, or the end. A row of ours always has more columns than these. */
function markOf(line: string): z.infer<typeof markShape> | null {
  if (line.length > 200 || !(line.startsWith('{"table":') || line.startsWith('{"end":'))) return null;
  const parsed = markShape.safeParse(parseLine(line));
  return parsed.success ? parsed.data : null;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Referenced tables before those that refer to them; deferrable references are checked when everything is there. */
async function tablesInOrder(admin: pg.Client): Promise<readonly string[]> {
  const { rows: tables } = await admin.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = $1 order by tablename",
    [schemaName],
  );
  const { rows: links } = await admin.query<{ child: string; parent: string }>(
    `select c.relname as child, p.relname as parent from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = $1::regnamespace and not k.condeferrable`,
    [schemaName],
  );
  const left = new Set(tables.map(({ name }) => name).filter((name) => !notData.includes(name)));
  const ordered: string[] = [];
  while (left.size > 0) {
    const ready = [...left].filter((name) => !links.some(({ child, parent }) => child === name && left.has(parent)));
    if (ready.length === 0) throw new Error(`bug: tables refer to each other in a circle: ${[...left].join(", ")}`);
    for (const name of ready) left.delete(name);
    ordered.push(...ready);
  }
  return ordered;
}

/** Generated columns are left out: the database makes them again. */
async function columnsOf(admin: pg.Client, table: string): Promise<string> {
  const { rows } = await admin.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [`${schemaName}.${table}`],
  );
  return rows.map(({ name }) => `"${name}"`).join(", ");
}

async function isEmpty(admin: pg.Client, tables: readonly string[]): Promise<boolean> {
  await admin.query("set local role homework_system");
  for (const table of tables) {
    const { rowCount } = await admin.query(`select 1 from ${table} limit 1`);
    if (rowCount) return false;
  }
  await admin.query("set local role homework_owner");
  return true;
}
