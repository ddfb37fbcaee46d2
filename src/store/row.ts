// How rows become what the domain works with. Rows of raw statements are parsed, not cast; columns get the names of the domain.

import { z } from "zod";
import type { Change } from "../domain/entity/entity.ts";
import { entityKinds, kindSpecs } from "../domain/entity/kinds.ts";

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;
type CamelCased<Row> = { readonly [Name in keyof Row as CamelCase<Name>]: Row[Name] };

/** `created_at` is `createdAt` from here on. The types of a row that the query builder read come along. */
export const camelCased = <Row extends object>(row: Row): CamelCased<Row> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [toCamelCase(name), value])) as CamelCased<Row>;

/** By column: a row of a run has sixty, and is read twice in every iteration. */
const camelCaseNames = new Map<string, string>();

function toCamelCase(name: string): string {
  const known = camelCaseNames.get(name);
  if (known !== undefined) return known;
  const made = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  camelCaseNames.set(name, made);
  return made;
}

/** A row of a raw statement, by the names of the domain. */
export const rowOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((row) => (typeof row === "object" && row !== null ? camelCased(row) : row), z.object(shape).readonly());

/** PostgreSQL's bigint comes as text. */
export const whole = z.coerce.number().int();
export const objectColumn = z.record(z.string(), z.unknown());
export const idColumn = <Id extends string>() => z.string().transform((id) => id as Id);

/** What the history tells of. */
export const kindColumn = z.enum(["project", ...entityKinds, "edge"]);
export const opColumn = z.enum(["created", "updated", "deleted", "restored"]);

/** Where things of a kind are kept. */
export const tableOf = (kind: Change["kind"]): string =>
  kind === "project" ? "onto_projects" : kind === "edge" ? "onto_edges" : kindSpecs[kind].table;
