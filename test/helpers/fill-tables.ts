// Rows for every table of the schema, made from the catalog: types, not null, checks, domains, references and unique keys say what a row may be.
// A row begins at random and is mended where a check fails until PostgreSQL takes it, so a table that comes later is filled by itself.

import type pg from "pg";
import { type Random, seeded } from "../sim/random.ts";
import { sampleOfPattern } from "./pattern-sample.ts";

type Column = {
  readonly name: string;
  readonly type: string;
  /** Of a domain what is below it, of an array what is in it. */
  readonly base: string;
  readonly isArray: boolean;
  readonly isRequired: boolean;
  /** Given by the database: identity and generated ones. */
  readonly isGiven: boolean;
  /** What its checks compare it with. */
  readonly literals: readonly string[];
  /** What its domain compares it with: it takes nothing else. */
  readonly admitted: readonly string[];
};
type Reference = { readonly columns: readonly string[]; readonly parent: string; readonly keys: readonly string[] };
type Check = { readonly name: string; readonly expression: string; readonly columns: readonly string[] };
type Table = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly checks: readonly Check[];
  readonly references: readonly Reference[];
};
type Value = string | readonly string[] | null;
type Row = Readonly<Record<string, Value>>;
type Making = {
  readonly client: pg.Client;
  readonly random: Random;
  readonly made: ReadonlyMap<string, Row[]>;
};

/** A table has fewer rows than its parents, so that one more still finds a parent of its own. */
const rowsMost = 7;
const rowsFewest = 3;
const stepsMax = 1500;
const triesMax = 20;

/** Fills what is empty, as a superuser, the same way for the same seed; returns the columns that have no value in any row. */
export async function fillTables(client: pg.Client, seed: number): Promise<readonly string[]> {
  // No trigger and no reference is asked while the rows come; the references are kept by how the rows are made.
  await client.query("set search_path = homework; set session_replication_role = replica");
  const tables = inOrder(await readTables(client));
  const making = { client, random: seeded(seed), made: new Map<string, Row[]>(tables.map(({ name }) => [name, []])) };
  for (const table of tables) await defineChecks(client, table);
  const depths = new Map<string, number>();
  for (const { name, references } of tables)
    depths.set(name, Math.max(0, ...references.map(({ parent }) => (depths.get(parent) ?? -1) + 1)));
  for (const table of tables) {
    const rows = Math.max(rowsFewest, rowsMost - (depths.get(table.name) ?? 0));
    for (let n = 0; n < rows; n++) await addRow(making, table, null);
  }
  const empty = await fillColumns(making, tables);
  await client.query("set session_replication_role = origin");
  return empty;
}

/** References in a circle find their parents only now. */
async function fillColumns(making: Making, tables: readonly Table[]): Promise<readonly string[]> {
  const columns = tables.flatMap((table) =>
    table.columns.filter(({ isGiven }) => !isGiven).map(({ name }) => ({ table, name })),
  );
  const isEmpty = ({ table, name }: (typeof columns)[number]) =>
    (making.made.get(table.name) ?? []).every((row) => (row[name] ?? null) === null);
  for (const column of columns) if (isEmpty(column)) await addRow(making, column.table, column.name);
  return columns.filter(isEmpty).map(({ table, name }) => `${table.name}.${name}`);
}

async function readTables(client: pg.Client): Promise<readonly Table[]> {
  const { rows: columns } = await client.query<Column & { table: string; domain: string | null }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
            a.attidentity <> '' or a.attgenerated <> '' as "isGiven", e.oid is not null as "isArray",
            coalesce(e.typname, b.typname, t.typname) as base,
            (select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k where k.contypid = t.oid) as domain
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
       left join pg_type b on b.oid = t.typbasetype left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      where c.relnamespace = 'homework'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`,
  );
  const { rows: checks } = await client.query<Check & { table: string }>(
    `select c.relname as table, k.conname as name, pg_get_expr(k.conbin, k.conrelid) as expression, ${columnsOf("conkey", "conrelid")} as columns
       from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype = 'c' and k.connamespace = 'homework'::regnamespace`,
  );
  const { rows: references } = await client.query<Reference & { table: string }>(
    `select c.relname as table, p.relname as parent, ${columnsOf("conkey", "conrelid")} as columns, ${columnsOf("confkey", "confrelid")} as keys
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'homework'::regnamespace`,
  );
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, found]) => {
    const own = checks.filter(({ table }) => table === name);
    const expressionsOn = (column: string) =>
      own.filter((check) => check.columns.includes(column)).map(({ expression }) => expression);
    return {
      name,
      columns: found.map((column) => ({
        ...column,
        literals: expressionsOn(column.name).flatMap(literalsIn),
        admitted: literalsIn(column.domain ?? ""),
      })),
      checks: own,
      references: references.filter(({ table }) => table === name),
    };
  });
}

const literalsIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/'((?:[^']|'')*)'|(?<![\w.])(\d+)(?![\w.])/g)].map(([, text, number]) =>
    (text ?? number ?? "").replaceAll("''", "'"),
  );

const columnsOf = (key: string, relation: string) =>
  `(select array_agg(a.attname::text order by u.n) from unnest(k.${key}) with ordinality u (at, n)
      join pg_attribute a on a.attrelid = k.${relation} and a.attnum = u.at)`;

/** Parents first, as far as they are not in a circle. */
function inOrder(tables: readonly Table[]): readonly Table[] {
  const left = new Set(tables);
  const ordered: Table[] = [];
  const waits = (table: Table) =>
    table.references.filter(({ parent }) => parent !== table.name && [...left].some(({ name }) => name === parent));
  while (left.size > 0) {
    // In a circle, the one that can be without its parents goes first.
    const canBeWithout = (table: Table) =>
      waits(table).filter(({ columns }) =>
        columns.every((name) => table.columns.find((column) => column.name === name)?.isRequired),
      ).length;
    const [next] = [...left].toSorted((a, b) => canBeWithout(a) - canBeWithout(b) || waits(a).length - waits(b).length);
    if (!next) break;
    left.delete(next);
    ordered.push(next);
  }
  return ordered;
}

/** A check that cannot be computed for a row, as the length of an array of what is none, does not hold. */
async function defineChecks(client: pg.Client, { name, checks }: Table): Promise<void> {
  const each = checks.map(
    (check) => `begin
      select (${check.expression}) into holds from (select r.*) as all_of_it;
      if holds is false then bad := bad || ${client.escapeLiteral(check.name)}::text; end if;
    exception when others then bad := bad || ${client.escapeLiteral(check.name)}::text; end;`,
  );
  await client.query(
    `create function pg_temp.violated(r homework.${name}) returns text[] language plpgsql set search_path = homework as $violated$
     declare bad text[] := '{}'; holds boolean; begin ${each.join("\n")} return bad; end $violated$`,
  );
}

async function addRow(making: Making, table: Table, wanted: string | null): Promise<void> {
  const { client, made } = making;
  const written = table.columns.filter(({ isGiven }) => !isGiven);
  const names = written.map(({ name }) => `"${name}"`).join(", ");
  const places = written.map(({ type }, at) => `$${at + 1}::${type}`).join(", ");
  for (let tries = 0; tries < triesMax; tries++) {
    const row = await mend(making, table, wanted);
    if (row === null) continue;
    const values = written.map(({ name }) => row[name] ?? null);
    await client.query("begin");
    try {
      await client.query(`insert into ${table.name} (${names}) values (${places})`, values);
      await client.query("commit");
      made.get(table.name)?.push(row);
      return;
    } catch (thrown) {
      await client.query("rollback");
      if ((thrown as pg.DatabaseError).code !== "23505") throw thrown; // Another row has the same key.
    }
  }
}

/** Walks from a random row to one that all checks and references allow. */
async function mend(making: Making, table: Table, wanted: string | null): Promise<Row | null> {
  const { client, random, made } = making;
  const typed = table.columns.map(({ type }, at) => `$${at + 1}::${type}`).join(", ");
  const draw = (column: Column, row: Row): Value =>
    column.isGiven || (!column.isRequired && column.name !== wanted && random.chance(0.5))
      ? null
      : valueFor(random, column, row);
  const start = (): Row => Object.fromEntries(table.columns.map((column) => [column.name, draw(column, {})]));
  let row = start();
  for (let step = 0; step < stepsMax; step++) {
    if (step % 150 === 149) row = start();
    const homeless = table.references.filter((reference) => !hasParent(reference, row, made));
    const values = table.columns.map(({ name }) => row[name] ?? null);
    const { rows } = await client.query<{ bad: string[] }>(
      `select pg_temp.violated(row(${typed})::homework.${table.name}) as bad`,
      values,
    );
    const bad = rows[0]?.bad ?? [];
    if (bad.length === 0 && homeless.length === 0) return row;
    const reference = homeless[random.below(homeless.length)];
    if (reference && (bad.length === 0 || random.chance(0.5))) {
      row = { ...row, ...adopt(making, table, reference, wanted) };
      continue;
    }
    const failed = random.pick(bad);
    const beside = table.checks.find(({ name }) => name === failed)?.columns ?? [];
    const mended = random.pick(beside);
    const column = table.columns.find(({ name }) => name === mended);
    if (column) row = { ...row, [mended]: draw(column, only(row, beside)) };
  }
  return null;
}

function hasParent({ columns, parent, keys }: Reference, row: Row, made: ReadonlyMap<string, Row[]>): boolean {
  if (columns.some((name) => row[name] === null)) return true;
  const same = (other: Row) => columns.every((name, at) => String(row[name]) === String(other[keys[at] ?? ""]));
  return (made.get(parent) ?? []).some(same);
}

function adopt(
  { random, made }: Making,
  table: Table,
  { columns, parent, keys }: Reference,
  wanted: string | null,
): Row {
  const parents = made.get(parent) ?? [];
  const found = parents[random.below(parents.length)];
  const free = columns.filter((name) => !table.columns.find((column) => column.name === name)?.isRequired);
  const isOrphan = free.length > 0 && !columns.includes(wanted ?? "") && random.chance(0.3);
  if (!found || isOrphan) return Object.fromEntries(free.map((name) => [name, null]));
  return Object.fromEntries(columns.map((name, at) => [name, found[keys[at] ?? ""] ?? null]));
}

const strange = 'He said "\\no"\n\t☂ {"table":"onto_tasks"} 𝒳 \u0001';
const json = [
  "null",
  "[]",
  "{}",
  '"☂"',
  "1.50",
  '[{"a":1},{"b":null}]',
  '{"b":1,"a":{"z":null,"é":[1e400]}}',
  "[1,2,3]",
];

/** `beside`: the other columns of a check that failed; a text may have to repeat one of them. */
function valueFor(random: Random, column: Column, beside: Row): Value {
  const one = () => oneValue(random, column, beside);
  return column.isArray ? [one(), one()].slice(0, random.between(1, 2)) : one();
}

function oneValue(random: Random, { base, literals, admitted }: Column, beside: Row): string {
  if (admitted.length > 0) return random.pick(admitted);
  const numbers = literals.filter((text) => /^\d+$/.test(text)).flatMap((text) => [Number(text), Number(text) + 1]);
  const near = (max: number) => String(random.pick([...numbers, 1, random.between(1, max)]));
  switch (base) {
    case "uuid":
      return random.id();
    case "bool":
      return String(random.chance(0.5));
    case "int2":
    case "int4":
      return near(10_000);
    case "int8":
      return near(Number.MAX_SAFE_INTEGER);
    case "float4":
    case "float8":
    case "numeric":
      return String(random.below(1001) / 1000);
    case "json":
      return random.pick([...json, '{"b":1, "a":2,"b":3}']);
    case "jsonb":
      return random.pick(json);
    case "bytea":
      return "\\x00ff0a5c";
    case "timestamptz":
      return `20${random.between(10, 89)}-02-03T04:05:06.${random.between(100_000, 999_999)}+00`;
    case "date":
      return "2026-02-28";
    case "interval":
      return "1 mon 2 days 03:04:05.678901";
    case "tsvector":
      return "'a':1 'b''c':2";
    case "xid8":
      return "4294967297";
    case "inet":
      return "192.0.2.7";
    case "text":
    case "varchar":
      return textFrom(random, literals, beside);
    default:
      throw new Error(`no value is known for the type ${base}: give it a line in fill-tables.ts`);
  }
}

function textFrom(random: Random, literals: readonly string[], beside: Row): string {
  const own = `${strange} ${random.id()}`;
  const words = literals.filter((text) => !/^\d+$/.test(text));
  if (words.length === 0 || random.chance(0.2)) return own;
  const literal = random.pick(words);
  const [other = ""] = Object.values(beside).filter((value) => typeof value === "string" && value.length === 36);
  return random.pick([
    literal,
    sampleOfPattern(literal),
    sampleOfPattern(literal) + random.id(),
    `${literal.replace("%", "")}${other}`,
    own,
  ]);
}

const only = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
