// Tasks, goals, plans, milestones and documents: the same eight verbs for each kind, and the edges between them.

import { z } from "zod";
import { type EntityKind, entityKinds, kindSpecs } from "../../domain/entity/kinds.ts";
import { limits } from "../../domain/entity/limits.ts";
import { flag, pageOf, pageQuery } from "../paging.ts";
import { defineRoute } from "../route.ts";
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

const treeNode = z.object({
  id,
  title: z.string(),
  parent_id: id.nullable(),
  type_key: z.string(),
  state_key: z.string(),
  updated_at: timestamp,
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

/** Fields a caller may set. */
function fieldsOf(kind: EntityKind) {
  const spec = kindSpecs[kind];
  return {
    title,
    description: text(limits.description),
    content: text(limits.content),
    type_key: typeKey,
    state_key: z.enum(spec.states as readonly [string, ...string[]]),
    props,
    priority: priority.nullable(),
    due_at: givenTime.nullable(),
  };
}

const entityRoutes = (kind: EntityKind) =>
  ({ ...lookingRoutes(kind), ...savingRoutes(kind), ...binRoutes(kind) }) as const;

const pathOfKind = (kind: EntityKind) => `/api/projects/{projectId}/${kindSpecs[kind].plural}`;

function lookingRoutes(kind: EntityKind) {
  const { plural, states } = kindSpecs[kind];
  const base = pathOfKind(kind);
  return {
    list: defineRoute({
      method: "get",
      path: base,
      policy: { kind: "project", role: "viewer", scope: "read" },
      tag: plural,
      summary: `The project's ${plural}, a page at a time`,
      params: projectParams,
      query: z.strictObject({
        ...pageQuery,
        sort: z.enum(["updated", "created", "title"]).default("updated"),
        state: z.enum(states as readonly [string, ...string[]]).optional(),
        type_key: typeKey.optional(),
        run_id: id.optional(),
        deleted: flag,
        /** Of documents: also the pages that runs keep for themselves. */
        include_working_notes: flag,
      }),
      status: 200,
      result: pageOf(entitySummary),
    }),
    get: defineRoute({
      method: "get",
      path: `${base}/{entityId}`,
      policy: { kind: "project", role: "viewer", scope: "read" },
      tag: plural,
      summary: `One ${kind}, with its markdown`,
      params: entityParams,
      status: 200,
      result: entity,
    }),
  } as const;
}

function savingRoutes(kind: EntityKind) {
  const { plural, states, defaultType } = kindSpecs[kind];
  const base = pathOfKind(kind);
  const fields = fieldsOf(kind);
  return {
    create: defineRoute({
      method: "post",
      path: base,
      policy: { kind: "project", role: "editor", scope: "run" },
      tag: plural,
      summary: `Make a ${kind}`,
      params: projectParams,
      body: onlyOf(
        kind,
        z.strictObject({
          title: fields.title,
          description: fields.description.default(""),
          content: fields.content.default(""),
          type_key: fields.type_key.default(defaultType),
          state_key: fields.state_key.default(states[0]),
          props: fields.props.default({}),
          priority: fields.priority.optional(),
          due_at: fields.due_at.optional(),
          parent_id: id.nullable().optional(),
        }),
      ),
      status: 201,
      result: entity,
      creates: true,
    }),
    update: defineRoute({
      method: "patch",
      path: `${base}/{entityId}`,
      policy: { kind: "project", role: "editor", scope: "run" },
      tag: plural,
      summary: `Change a ${kind}; \`version\` must be the one last read, else 409 with what is there now`,
      params: entityParams,
      body: onlyOf(
        kind,
        z.strictObject({
          version,
          title: fields.title.optional(),
          description: fields.description.optional(),
          content: fields.content.optional(),
          type_key: fields.type_key.optional(),
          state_key: fields.state_key.optional(),
          props: fields.props.optional(),
          priority: fields.priority.optional(),
          due_at: fields.due_at.optional(),
        }),
      ),
      status: 200,
      result: entity,
    }),
  } as const;
}

function binRoutes(kind: EntityKind) {
  const { plural } = kindSpecs[kind];
  const base = pathOfKind(kind);
  return {
    remove: defineRoute({
      method: "delete",
      path: `${base}/{entityId}`,
      policy: { kind: "project", role: "editor", scope: "run" },
      tag: plural,
      summary: `Put a ${kind} in the bin; it can be restored`,
      params: entityParams,
      status: 200,
      result: entity,
    }),
    restore: defineRoute({
      method: "post",
      path: `${base}/{entityId}/restore`,
      policy: { kind: "project", role: "editor", scope: "run" },
      tag: plural,
      summary: `Take a ${kind} out of the bin`,
      params: entityParams,
      status: 200,
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

export const documentRoutes = {
  tree: defineRoute({
    method: "get",
    path: "/api/projects/{projectId}/document-tree",
    policy: { kind: "project", role: "viewer", scope: "read" },
    tag: "documents",
    summary: "The documents of the project with their parents, by title; working notes of runs if asked for",
    params: projectParams,
    query: z.strictObject({ include_working_notes: flag }),
    status: 200,
    result: z.object({ items: z.array(treeNode), truncated: z.boolean() }),
  }),
  move: defineRoute({
    method: "post",
    path: "/api/projects/{projectId}/documents/{entityId}/move",
    policy: { kind: "project", role: "editor", scope: "run" },
    tag: "documents",
    summary: "Put a document below another one, or at the top with null",
    params: entityParams,
    body: z.strictObject({ parent_id: id.nullable() }),
    status: 200,
    result: entity,
  }),
} as const;

export const edgeRoutes = {
  list: defineRoute({
    method: "get",
    path: "/api/projects/{projectId}/edges",
    policy: { kind: "project", role: "viewer", scope: "read" },
    tag: "edges",
    summary: "Links from and to the project's things, newest first",
    params: projectParams,
    query: z.strictObject({ ...pageQuery, entity_id: id.optional(), rel: typeKey.optional() }),
    status: 200,
    result: pageOf(edge),
  }),
  create: defineRoute({
    method: "post",
    path: "/api/projects/{projectId}/edges",
    policy: { kind: "project", role: "editor", scope: "run" },
    tag: "edges",
    summary: "Link two things; the source is in this project, the target in any project one can see",
    params: projectParams,
    body: z.strictObject({ src_id: id, rel: typeKey, dst_id: id, props: props.default({}) }),
    status: 201,
    result: edge,
    creates: true,
  }),
  remove: defineRoute({
    method: "delete",
    path: "/api/projects/{projectId}/edges/{edgeId}",
    policy: { kind: "project", role: "editor", scope: "run" },
    tag: "edges",
    summary: "Remove a link",
    params: z.object({ projectId: id, edgeId: id }),
    status: 200,
    result: z.object({ ok: z.literal(true) }),
  }),
} as const;
