// From what the domain holds to what the contract carries: names with underscores, nothing left out by accident.

import type { z } from "zod";
import type { Edge as DomainEdge, Project as DomainProject, Page, Saved } from "../domain/entity/entity.ts";
import { AppError } from "../lib/app-error.ts";
import { unreachable } from "../lib/assert.ts";
import type { Edge, Project } from "../protocol/api.ts";
import { entity, entitySummary } from "../protocol/routes/entities.ts";
import { change, member, project } from "../protocol/routes/projects.ts";

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** What fills a shape of the contract: `project_id` comes from `projectId`. */
type Source<Wire> = { readonly [Name in keyof Wire as CamelCase<Name & string>]: Wire[Name] };

/** Takes the fields of a shape from an object of the domain; what else that object has stays behind. */
export function wireOf<Shape extends z.ZodObject>({ shape }: Shape) {
  const names = Object.keys(shape).map((name) => [name, camelCase(name)] as const);
  return (from: Source<z.output<Shape>>) => {
    const values = from as Readonly<Record<string, unknown>>;
    return Object.fromEntries(names.map(([name, own]) => [name, values[own]])) as z.output<Shape>;
  };
}

/** The other way round: what a request carries, by the names of the domain. */
export const fromWire = <Wire extends object>(given: Wire): Source<Wire> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [camelCase(name), value])) as Source<Wire>;

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const projectOf = wireOf(project);
export const toWireProject = (from: DomainProject): Project =>
  projectOf({ ...from, stateKey: from.stateKey as Project["state_key"] });

export const toWireSummary = wireOf(entitySummary);
export const toWireEntity = wireOf(entity);
export const toWireMember = wireOf(member);
export const toWireChange = wireOf(change);

export const toWireEdge = (edge: DomainEdge): Edge => ({
  id: edge.id,
  rel: edge.rel,
  src_kind: edge.src.kind,
  src_id: edge.src.id,
  src_project_id: edge.src.projectId,
  src_title: edge.src.title,
  dst_kind: edge.dst.kind,
  dst_id: edge.dst.id,
  dst_project_id: edge.dst.projectId,
  dst_title: edge.dst.title,
  props: edge.props,
  created_at: edge.createdAt,
});

export const toWirePage = <From, To>({ items, nextCursor }: Page<From>, toWire: (item: From) => To) => ({
  items: items.map(toWire),
  next_cursor: nextCursor,
});

/** A write against a version: the new state, or the error that says why not. */
export function savedOrThrow<From, To>(saved: Saved<From>, what: string, toWire: (value: From) => To): To {
  switch (saved.outcome) {
    case "saved":
      return toWire(saved.value);
    case "stale":
      throw new AppError("stale_version", `Someone changed this ${what} since you read it`, {
        details: { current: toWire(saved.current) },
      });
    case "binned":
      throw new AppError("deleted", `This ${what} is in the bin; restore it first`);
    case "missing":
      throw missing(what);
    default:
      return unreachable(saved);
  }
}

export const missing = (what: string) => new AppError("not_found", `There is no such ${what}, or you may not see it`);

export function foundOrThrow<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw missing(what);
  return value;
}
