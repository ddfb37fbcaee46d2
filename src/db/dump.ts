// A dump of everything in one gzipped file of JSON lines (dump-format.ts). PostgreSQL's own tools are not in what npm brings, and a dump must
// move between server versions; rows travel as the database's own JSON, so no value is rounded.

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { AppError } from "../lib/app-error.ts";
import { partlyHidden, type Sequence, sequencesOf, type Table, tablesInOrder } from "./dump-catalog.ts";
import { format, lineBytesMax, lineOf } from "./dump-format.ts";
import { appliedVersion } from "./migrate.ts";
import { schemaName } from "./roles.ts";

/** As many rows are fetched at once as are about so large. */
const fetchBytes = 4 * 1024 * 1024;
const rowsAtOnceMax = 500;

export type DumpSummary = { readonly schemaVersion: number; readonly rows: number };

/** Whatever the server or the login is set to, values are written the same way, and a long look is not cut off. */
const settings = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local row_security = on`;

/** As an administrator: reads through the platform's role, in one snapshot, while others write. `file` must not be there. */
export async function dump(admin: pg.Client, file: string, signal?: AbortSignal): Promise<DumpSummary> {
  const schemaVersion = await appliedVersion(admin);
  const counter = { rows: 0 };
  await admin.query(`set search_path = ${schemaName}`);
  await admin.query("begin isolation level repeatable read read only");
  try {
    await admin.query(settings);
    const hidden = await partlyHidden(admin);
    if (hidden.length > 0) throw new Error(`bug: the platform does not see all of ${hidden.join(", ")}`);
    const lines = Readable.from(dumpLines(admin, schemaVersion, counter));
    await pipeline(lines, createGzip(), createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }), { signal });
  } finally {
    await admin.query("rollback");
  }
  return { schemaVersion, rows: counter.rows };
}

async function* dumpLines(admin: pg.Client, schemaVersion: number, counter: { rows: number }): AsyncGenerator<string> {
  yield lineOf({ format, schema_version: schemaVersion });
  const tables = await tablesInOrder(admin);
  await admin.query("set local role homework_system");
  for (const table of tables) {
    yield lineOf({ table: table.name });
    for await (const rows of rowsOf(admin, table)) {
      counter.rows += rows.length;
      yield rows.map((row) => `${row}\n`).join("");
    }
  }
  // After the rows: numbers that others draw meanwhile only raise what is written here.
  await admin.query("set local role homework_owner");
  for (const sequence of await sequencesOf(admin))
    yield lineOf({ sequence: sequence.name, next: await nextOf(admin, sequence) });
  yield lineOf({ end: true, rows: counter.rows });
}

async function* rowsOf(admin: pg.Client, { name, columns }: Table): AsyncGenerator<readonly string[]> {
  const selected = columns.map((column) => {
    const quoted = admin.escapeIdentifier(column.name);
    return column.isJson ? `${quoted}::text as ${quoted}` : quoted;
  });
  await admin.query(
    `declare dumped no scroll cursor for
     select to_jsonb(r)::text as row from (select ${selected.join(", ")} from ${admin.escapeIdentifier(name)}) r`,
  );
  for (let count = 1; ; ) {
    const { rows } = await admin.query<{ row: string }>(`fetch ${count} from dumped`);
    if (rows.length === 0) break;
    const longest = Math.max(...rows.map(({ row }) => Buffer.byteLength(row)));
    if (longest > lineBytesMax)
      throw new AppError("too_large", `A row of ${name} is too long for a dump (${longest} bytes)`);
    yield rows.map(({ row }) => row);
    count = Math.max(1, Math.min(rowsAtOnceMax, 2 * count, Math.floor(fetchBytes / longest)));
  }
  await admin.query("close dumped");
}

async function nextOf(admin: pg.Client, { name, step }: Sequence): Promise<string> {
  const { rows } = await admin.query<{ next: string }>(
    `select (case when is_called then last_value + ${step} else last_value end)::text as next
       from ${admin.escapeIdentifier(name)}`,
  );
  return rows[0]?.next ?? "1";
}
