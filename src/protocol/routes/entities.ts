// Tasks, goals, plans, milestones and documents: the same eight verbs for each kind, and the edges between them.

import { z } from "zod";
import { type EntityKind, type EntitySort, entityKinds, kindSpecs, sortsOfKind } from "../../domain/entity/kinds.ts";
import { limits } from "../../domain/entity/limits.ts";
import { flag, pageOf, pageQuery } from "../paging.ts";
import { editProject, routesTagged, viewProject } from "../route.ts";
import { givenTime, id, props, text, timestamp, title, typeKey } from "../text.ts";

const version = z.number().int().min(1);
const priority = z.number().int().min(1).max(5);
export const entitySummary = z.object({
  id,
  kind: z.enum(entityKinds),
  project_id: id,
  title: z.string(),
  description: z.string(),
  type_key: z.string(),
  state_key: z.string(),
  props,
  /** 1 is most urgent; only tasks have one. */
  priority: priority.nullable(),
  due_at: timestamp.nullable(),
  /** The document above this one; null at the top of the tree and for other kinds. */
  parent_id: id.nullable(),
  version,
  created_by: id.nullable(),
  created_by_run: id.nullable(),
  updated_by_run: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp.nullable(),
});

/** A whole entity: what a list shows, and its markdown. */
export const entity = entitySummary.extend({ content: z.string() });

export const edge = z.object({
  id,
  rel: z.string(),
  src_kind: z.enum(entityKinds),
  src_id: id,
  src_project_id: id,
  src_title: z.string(),
  dst_kind: z.enum(entityKinds),
  dst_id: id,
  dst_project_id: id,
  dst_title: z.string(),
  props,
  created_at: timestamp,
});

export const treeNode = z.object({
  id,
  title: z.string(),
  parent_id: id.nullable(),
  type_key: z.string(),
  state_key: z.string(),
  updated_at: timestamp,
});

/** Someone who wrote a document: a run, or a person where `run_id` is null. */
export const author = z.object({
  run_id: id.nullable(),
  /** The beginning of it; null for a person, and for a run that one may not see. */
  run_objective: z.string().nullable(),
  actor_id: id.nullable(),
  /** How many times; writes that were undone do not count. */
  changes: z.number().int().min(1),
  last_at: timestamp,
});

const projectParams = z.object({ projectId: id });
const entityParams = z.object({ projectId: id, entityId: id });

/** Takes away what the kind does not have, so that it is refused as unknown. What goes is optional in the type already. */
function onlyOf<Shape extends z.ZodObject>(kind: EntityKind, schema: Shape): Shape {
  const spec = kindSpecs[kind];
  const has: Readonly<Record<string, boolean>> = {
    priority: spec.hasPriority,
    due_at: spec.hasDueDate,
    parent_id: kind === "document",
  };
  const foreign = Object.keys(schema.shape).filter((name) => has[name] === false);
  const mask = Object.fromEntries(foreign.map((name) => [name, true] as const));
  return schema.omit(mask as never) as unknown as Shape;
}

function entityRoutes(kind: EntityKind) {
  const { plural, states, defaultType } = kindSpecs[kind];
  const route = routesTagged(plural);
  const base = `/api/projects/{projectId}/${plural}`;
  const one = `${base}/{entityId}`;
  const state = z.enum(states as readonly [string, ...string[]]);
  const sort = z.enum(sortsOfKind(kind) as readonly [EntitySort, ...EntitySort[]]).default("updated");
  const fields = {
    title,
    description: text(limits.description),
    content: text(limits.content),
    type_key: typeKey,
    state_key: state,
    props,
    priority: priority.nullable().optional(),
    due_at: givenTime.nullable().optional(),
  };
  const created = z.strictObject({
    ...fields,
    description: fields.description.default(""),
    content: fields.content.default(""),
    type_key: typeKey.default(defaultType),
    state_key: state.default(states[0]),
    props: props.default({}),
    parent_id: id.nullable().optional(),
  });
  const changed = z.strictObject({ version, ...z.object(fields).partial().shape });
  return {
    list: route(`GET ${base}`, {
      policy: viewProject,
      summary: `The project's ${plural}, a page at a time`,
      params: projectParams,
      query: z.strictObject({
        ...pageQuery,
        sort,
        state: state.optional(),
        type_key: typeKey.optional(),
        run_id: id.optional(),
        deleted: flag,
        /** Of documents: also the pages that runs keep for themselves. */
        include_working_notes: flag,
      }),
      result: pageOf(entitySummary),
    }),
    get: route(`GET ${one}`, {
      policy: viewProject,
      summary: `One ${kind}, with its markdown`,
      params: entityParams,
      result: entity,
    }),
    create: route(`POST ${base}`, {
      policy: editProject,
      summary: `Make a ${kind}`,
      params: projectParams,
      body: onlyOf(kind, created),
      bodyBytes: limits.bodyBytes,
      result: entity,
      creates: true,
    }),
    update: route(`PATCH ${one}`, {
      policy: editProject,
      summary: `Change a ${kind}; \`version\` must be the one last read, else 409 with what is there now`,
      params: entityParams,
      body: onlyOf(kind, changed),
      bodyBytes: limits.bodyBytes,
      result: entity,
    }),
    ...binRoutes(kind, one),
  } as const;
}

function binRoutes(kind: EntityKind, one: string) {
  const route = routesTagged(kindSpecs[kind].plural);
  return {
    remove: route(`DELETE ${one}`, {
      policy: editProject,
      summary: `Put a ${kind} in the bin; it can be restored`,
      params: entityParams,
      result: entity,
    }),
    restore: route(`POST ${one}/restore`, {
      policy: editProject,
      summary: `Take a ${kind} out of the bin`,
      params: entityParams,
      result: entity,
    }),
  } as const;
}

export const routesOfKind = {
  task: entityRoutes("task"),
  goal: entityRoutes("goal"),
  plan: entityRoutes("plan"),
  milestone: entityRoutes("milestone"),
  document: entityRoutes("document"),
} as const satisfies Record<EntityKind, unknown>;

const documentRoute = routesTagged("documents");

export const documentRoutes = {
  tree: documentRoute("GET /api/projects/{projectId}/document-tree", {
    policy: viewProject,
    summary: "The documents of the project with their parents, by title; working notes of runs if asked for",
    params: projectParams,
    query: z.strictObject({ include_working_notes: flag }),
    result: z.object({ items: z.array(treeNode), truncated: z.boolean() }),
  }),
  authors: documentRoute("GET /api/projects/{projectId}/documents/{entityId}/authors", {
    policy: viewProject,
    summary: "Who wrote a document, in the order of their first write: people and runs",
    params: entityParams,
    result: z.object({ items: z.array(author) }),
  }),
  move: documentRoute("POST /api/projects/{projectId}/documents/{entityId}/move", {
    policy: editProject,
    summary: "Put a document below another one, or at the top with null",
    params: entityParams,
    body: z.strictObject({ parent_id: id.nullable() }),
    result: entity,
  }),
} as const;

const edgeRoute = routesTagged("edges");

export const edgeRoutes = {
  list: edgeRoute("GET /api/projects/{projectId}/edges", {
    policy: viewProject,
    summary: "Links from and to the project's things, newest first",
    params: projectParams,
    query: z.strictObject({ ...pageQuery, entity_id: id.optional(), rel: typeKey.optional() }),
    result: pageOf(edge),
  }),
  create: edgeRoute("POST /api/projects/{projectId}/edges", {
    policy: editProject,
    summary: "Link two things; the source is in this project, the target in any project one can see",
    params: projectParams,
    body: z.strictObject({ src_id: id, rel: typeKey, dst_id: id, props: props.default({}) }),
    result: edge,
    creates: true,
  }),
  remove: edgeRoute("DELETE /api/projects/{projectId}/edges/{edgeId}", {
    policy: editProject,
    summary: "Remove a link",
    params: z.object({ projectId: id, edgeId: id }),
    result: z.object({ ok: z.literal(true) }),
  }),
} as const;
