// The way back from a dump into a migrated database: all of it or nothing, in one transaction. What the dump lacks, or has too much, is refused.

import type pg from "pg";
import { AppError } from "../lib/app-error.ts";
import type { DumpSummary } from "./dump.ts";
import { type Sequence, sequencesOf, type Table, tablesInOrder } from "./dump-catalog.ts";
import { damaged, linesOf, type Mark, markOf, readHeader } from "./dump-format.ts";
import { sqlState } from "./errors.ts";
import { schemaName } from "./roles.ts";

/** Rows are handed over together until they are so many or so large. */
const rowsAtOnce = 500;
const bytesAtOnce = 8 * 1024 * 1024;

/** Into a migrated database that holds nothing, or, with `overwrite`, instead of what it holds. */
export async function restore(admin: pg.Client, file: string, overwrite: boolean): Promise<DumpSummary> {
  await admin.query(`set search_path = ${schemaName}`);
  const tables = await tablesInOrder(admin);
  const sequences = await sequencesOf(admin);
  await admin.query("begin");
  try {
    await admin.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    await admin.query("set local role homework_owner");
    if (!overwrite && !(await isEmpty(admin, tables)))
      throw new AppError("already_exists", "The database holds something already; --overwrite replaces it");
    const names = tables.map(({ name }) => admin.escapeIdentifier(name));
    // Row level security is forced on the owner too, and history must come back as it was, not as a new one.
    for (const name of names)
      await admin.query(`alter table ${name} no force row level security; alter table ${name} disable trigger user`);
    await admin.query(`truncate ${names.join(", ")}; set constraints all deferred`);
    const { summary, nexts } = await readInto(admin, file, tables, sequences);
    await admin.query("set constraints all immediate").catch((thrown: unknown) => {
      throw misfit(thrown, "rows refer to what is not there");
    });
    for (const sequence of sequences) await restart(admin, sequence, nexts.get(sequence.name));
    for (const name of names)
      await admin.query(`alter table ${name} force row level security; alter table ${name} enable trigger user`);
    await admin.query("commit");
    return summary;
  } catch (thrown) {
    await admin.query("rollback");
    throw thrown;
  }
}

type Read = { readonly summary: DumpSummary; readonly nexts: ReadonlyMap<string, string> };

async function readInto(
  admin: pg.Client,
  file: string,
  tables: readonly Table[],
  sequences: readonly Sequence[],
): Promise<Read> {
  const lines = linesOf(file);
  try {
    return await readLines(admin, lines, expectAll(tables, sequences));
  } finally {
    await lines.return(undefined);
  }
}

async function readLines(admin: pg.Client, lines: AsyncGenerator<string>, expected: Expected): Promise<Read> {
  const first = await lines.next();
  const { schemaVersion, isFormer } = readHeader(first.done ? undefined : first.value);
  let insert = inserter(admin, null, isFormer);
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
    else insert = inserter(admin, expected.meet(mark), isFormer);
  }
  if (promised !== rows) throw damaged("it is cut off");
  expected.refuseMissing(isFormer);
  return { summary: { schemaVersion, rows }, nexts: expected.nexts };
}

type Expected = ReturnType<typeof expectAll>;

/** A dump names every table and every sequence of its schema once, the empty ones too. */
function expectAll(tables: readonly Table[], sequences: readonly Sequence[]) {
  const left = new Map(tables.map((table) => [table.name, table]));
  const numbered = new Set(sequences.map(({ name }) => name));
  const nexts = new Map<string, string>();
  const take = (name: string): Table => {
    const table = left.get(name);
    if (!table) throw damaged(`it names a table "${name}" that there is not, or names it twice`);
    left.delete(name);
    return table;
  };
  return {
    nexts,
    /** The table whose rows come next. */
    meet: (mark: Exclude<Mark, { end: true }>): Table | null => {
      if ("table" in mark) return take(mark.table);
      if (!numbered.has(mark.sequence)) throw damaged(`it names a sequence "${mark.sequence}" that there is not`);
      nexts.set(mark.sequence, mark.next);
      return null;
    },
    refuseMissing: (isFormer: boolean): void => {
      const [table] = left.keys();
      if (table !== undefined) throw damaged(`the table "${table}" is not in it`);
      const sequence = [...numbered].find((name) => !nexts.has(name));
      if (sequence !== undefined && !isFormer) throw damaged(`the sequence "${sequence}" is not in it`);
    },
  };
}

/** Rows of one table, some at a time. */
function inserter(admin: pg.Client, table: Table | null, isFormer: boolean) {
  let waiting: string[] = [];
  let bytes = 0;
  const statement = table && insertStatement(admin, table, isFormer);
  const flush = async () => {
    if (waiting.length === 0) return;
    const json = `[${waiting.join(",")}]`;
    waiting = [];
    bytes = 0;
    if (statement === null) throw damaged("it has rows outside of a table");
    await admin.query(statement, [json]).catch((thrown: unknown) => {
      throw misfit(thrown, `rows of ${table?.name} do not fit`);
    });
  };
  const add = async (row: string) => {
    waiting.push(row);
    bytes += row.length;
    if (waiting.length >= rowsAtOnce || bytes >= bytesAtOnce) await flush();
  };
  return { add, flush };
}

/** Numbers of identity columns come back as they were, too; JSON travels as its own text. */
function insertStatement(admin: pg.Client, { name, columns }: Table, isFormer: boolean): string {
  const table = admin.escapeIdentifier(name);
  const quoted = columns.map((column) => admin.escapeIdentifier(column.name));
  const values = columns.map(({ isJson }, at) => (isJson && !isFormer ? `(${quoted[at]} #>> '{}')::json` : quoted[at]));
  return `insert into ${table} (${quoted.join(", ")}) overriding system value
          select ${values.join(", ")} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
}

/** Unlike setval, this is taken back with the transaction. A number that a row has is never drawn again. */
async function restart(admin: pg.Client, { name, step, of }: Sequence, next: string | undefined): Promise<void> {
  const drawn = of
    ? `(select ${step > 0 ? "max" : "min"}(${admin.escapeIdentifier(of.column)}) + ${step} from ${admin.escapeIdentifier(of.table)})`
    : "null";
  const { rows } = await admin.query<{ next: string | null }>(
    `select ${step > 0 ? "greatest" : "least"}($1::bigint, ${drawn})::text as next`,
    [next ?? null],
  );
  const from = rows[0]?.next;
  const restarted = from ? `restart with ${from}` : "restart";
  await admin.query(`alter sequence ${admin.escapeIdentifier(name)} ${restarted}`).catch((thrown: unknown) => {
    throw misfit(thrown, `the sequence ${name} does not reach ${from}`);
  });
}

/** Classes 22, 23 and 54: values of the wrong type, rows that do not fit together, more than the server can hold in one. */
const misfit = (thrown: unknown, why: string): unknown =>
  /^(2[23]|54)/.test(sqlState(thrown) ?? "") ? damaged(why) : thrown;

async function isEmpty(admin: pg.Client, tables: readonly Table[]): Promise<boolean> {
  await admin.query("set local role homework_system");
  for (const { name } of tables) {
    const { rowCount } = await admin.query(`select 1 from ${admin.escapeIdentifier(name)} limit 1`);
    if (rowCount) return false;
  }
  await admin.query("set local role homework_owner");
  return true;
}
