// Finds the thing a person named: by id, by the first characters of its id, projects and people also by name.
// What fits several things is refused with the list of them; what fits none suggests something close.

import { AppError } from "../lib/app-error.ts";
import { didYouMean } from "../lib/nearest.ts";
import type { EntitySummary, Project } from "../protocol/api.ts";
import { routes } from "../protocol/api.ts";
import { ApiError } from "../protocol/api-error.ts";
import type { Api } from "../protocol/client.ts";
import type { EntityKind } from "../protocol/kinds.ts";
import { fetchList } from "./list.ts";
import { flagOf } from "./options.ts";

const wholeId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Fewer characters of an id are more likely a mistake than a name. */
export const prefixMin = 4;
/** Candidates shown when a name fits several things. */
const candidatesShown = 8;

type Named = { readonly id: string; readonly label: string; readonly names: readonly string[] };

export function isWholeId(ref: string): boolean {
  return wholeId.test(ref);
}

/** The one thing that `ref` names: an exact name first, then the start of an id. */
export function pick<Thing>(what: string, ref: string, things: readonly Thing[], name: (thing: Thing) => Named): Thing {
  const named = things.map((thing) => ({ thing, ...name(thing) }));
  const lower = ref.toLowerCase();
  const ways = [
    named.filter(({ id }) => id.toLowerCase() === lower),
    named.filter(({ names }) => names.includes(ref)),
    named.filter(({ names }) => names.some((each) => each.toLowerCase() === lower)),
    ref.length < prefixMin ? [] : named.filter(({ id }) => id.toLowerCase().startsWith(lower)),
  ];
  const found = ways.find((way) => way.length > 0) ?? [];
  const [first] = found;
  if (found.length === 1 && first) return first.thing;
  if (found.length === 0) {
    const known = named.flatMap(({ names }) => [...names]);
    throw new AppError("not_found", `There is no ${what} "${ref}".${didYouMean(ref, known)}`);
  }
  throw ambiguous(what, ref, found);
}

function ambiguous(what: string, ref: string, found: readonly Named[]): AppError {
  const lines = found.slice(0, candidatesShown).map(({ id, label }) => `  ${id}  ${label}`);
  if (found.length > candidatesShown) lines.push(`  and ${found.length - candidatesShown} more`);
  const message = `"${ref}" fits ${found.length} ${what}s; give more of the id:\n${lines.join("\n")}`;
  return new AppError("invalid_request", message, { details: { candidates: found.map(({ id }) => id) } });
}

export const isLast = (ref: string) => ref === "last" || ref === "-";

/** What `get` answers; null where the server knows no such thing. */
export async function getIfThere<T>(get: Promise<T>): Promise<T | null> {
  try {
    return await get;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === "not_found") return null;
    throw thrown;
  }
}

export async function findProject(api: Api, ref: string, where: { readonly deleted: boolean }): Promise<Project> {
  if (isWholeId(ref) && !where.deleted) return api(routes.projects.get, { params: { projectId: ref } });
  const projects = await allProjects(api, where);
  return pick(where.deleted ? "deleted project" : "project", ref, projects, ({ id, name }) => ({
    id,
    label: name,
    names: [name],
  }));
}

/** The project that was named, or the only one there is. */
export async function findProjectOrOnly(api: Api, ref: string | undefined): Promise<Project> {
  if (ref !== undefined) return findProject(api, ref, { deleted: false });
  const projects = await allProjects(api, { deleted: false });
  const [only] = projects;
  if (only && projects.length === 1) return only;
  if (!only) throw new AppError("not_found", "There is no project yet. Create one with: homework project create NAME");
  const names = projects.slice(0, candidatesShown).map(({ name }) => name);
  throw new AppError(
    "invalid_request",
    `Say which project with -p; you have ${names.join(", ")}${projects.length > names.length ? ", …" : ""}`,
  );
}

async function allProjects(api: Api, where: { readonly deleted: boolean }): Promise<readonly Project[]> {
  const list = await fetchList<Project>({ limit: 0, all: true }, (page) =>
    api(routes.projects.list, { query: { ...page, deleted: flagOf(where.deleted) } }),
  );
  return list.items;
}

export type EntityPlace = { readonly project: string | undefined; readonly deleted: boolean };

/** Looks in one project if it is given, else in all that one belongs to. Without a name it is the one that changed last. */
export async function findEntity(
  api: Api,
  kind: EntityKind,
  ref: string | undefined,
  place: EntityPlace,
): Promise<EntitySummary> {
  const projects =
    place.project === undefined
      ? await allProjects(api, { deleted: false })
      : [await findProject(api, place.project, { deleted: false })];
  const what = `${place.deleted ? "deleted " : ""}${kind}`;
  if (ref === undefined || isLast(ref)) return findLastChanged(api, kind, projects, place, what);
  if (!isWholeId(ref) && ref.length < prefixMin)
    throw new AppError(
      "invalid_request",
      `"${ref}" is too short: give the id or at least its first ${prefixMin} characters`,
    );
  const candidates: EntitySummary[] = [];
  for (const { id } of projects) {
    const here =
      isWholeId(ref) && !place.deleted ? await getIn(api, kind, id, ref) : await listIn(api, kind, id, place);
    candidates.push(...here.filter((entity) => entity.id.startsWith(ref.toLowerCase())));
  }
  return pick(what, ref, candidates, ({ id, title }) => ({ id, label: title, names: [] }));
}

async function findLastChanged(
  api: Api,
  kind: EntityKind,
  projects: readonly Project[],
  place: EntityPlace,
  what: string,
): Promise<EntitySummary> {
  const query = { sort: "updated", limit: 1, deleted: flagOf(place.deleted) } as const;
  const changed: EntitySummary[] = [];
  for (const { id: projectId } of projects)
    changed.push(...(await api(routes[kind].list, { params: { projectId }, query })).items);
  const [last] = changed.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  if (last === undefined) throw new AppError("not_found", `There is no ${what} yet.`);
  return last;
}

async function getIn(api: Api, kind: EntityKind, projectId: string, entityId: string) {
  const found = await getIfThere(api(routes[kind].get, { params: { projectId, entityId } }));
  return found === null ? [] : [found];
}

async function listIn(api: Api, kind: EntityKind, projectId: string, place: EntityPlace) {
  const query = { deleted: flagOf(place.deleted), include_working_notes: "true" } as const;
  const list = await fetchList<EntitySummary>({ limit: 0, all: true }, (page) =>
    api(routes[kind].list, { params: { projectId }, query: { ...page, ...query } }),
  );
  return list.items;
}

/** As much of each id as tells them apart here, so that it can be typed back. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  let length = 8;
  while (length < 36 && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length += 1;
  return (id) => id.slice(0, length);
}
