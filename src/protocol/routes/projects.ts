// Projects, who belongs to them, what changed in them, and search over all of it.

import { z } from "zod";
import { entityKinds, projectStates } from "../../domain/entity/kinds.ts";
import { limits } from "../../domain/entity/limits.ts";
import { projectRoles } from "../../domain/identity/identity.ts";
import { flag, numberIn, pageOf, pageQuery, sinceQuery } from "../paging.ts";
import { act, editProject, manageMembers, ownProject, read, routesTagged, viewProject } from "../route.ts";
import { filledText, id, props, text, timestamp, title, typeKey } from "../text.ts";

const version = z.number().int().min(1);
export const project = z.object({
  id,
  name: z.string(),
  description: z.string(),
  type_key: z.string(),
  state_key: z.enum(projectStates),
  props,
  /** The caller's own role in it. */
  role: z.enum(projectRoles),
  version,
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp.nullable(),
});

export const member = z.object({
  user_id: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(projectRoles),
  added_at: timestamp,
});

/** One write to a thing of the project, as the history and the live stream tell it. */
export const change = z.object({
  seq: z.number().int().min(1),
  at: timestamp,
  op: z.enum(["created", "updated", "deleted", "restored"]),
  kind: z.enum(["project", ...entityKinds, "edge"]),
  entity_id: id,
  title: z.string(),
  version: version.nullable(),
  actor_id: id.nullable(),
  run_id: id.nullable(),
});

/** What the thing looked like before the write; null where it was created. */
const changeWithBefore = change.extend({ before: props.nullable() });

export const searchHit = z.object({
  kind: z.enum(["project", ...entityKinds]),
  id,
  project_id: id,
  project_name: z.string(),
  title: z.string(),
  /** Pieces of text; `match` marks what was searched for. */
  snippet: z.array(z.object({ text: z.string(), match: z.boolean() })),
  state_key: z.string(),
  updated_at: timestamp,
});

const outcomeKinds = ["outcome", "escalation", "observation"] as const;

export const outcomeHit = z.object({
  kind: z.enum(outcomeKinds),
  id,
  /** The outcome itself, or the one it is about. */
  outcome_id: id,
  outcome_name: z.string(),
  title: z.string(),
  snippet: searchHit.shape.snippet,
  state_key: z.string(),
  updated_at: timestamp,
});

/** What a caller may set. */
const fields = {
  name: title,
  description: text(limits.description),
  type_key: typeKey,
  state_key: z.enum(projectStates),
  props,
};

const params = z.object({ projectId: id });
const memberParams = z.object({ projectId: id, userId: id });
const route = routesTagged("projects");

export const projectRoutes = {
  list: route("GET /api/projects", {
    policy: read,
    summary: "The projects one belongs to, last changed first",
    query: z.strictObject({ ...pageQuery, state: z.enum(projectStates).optional(), deleted: flag }),
    result: pageOf(project),
  }),
  create: route("POST /api/projects", {
    policy: act,
    summary: "Make a project; the caller becomes its owner",
    body: z.strictObject({
      ...fields,
      description: fields.description.default(""),
      type_key: typeKey.default("project.default"),
      state_key: fields.state_key.default("active"),
      props: props.default({}),
    }),
    result: project,
    creates: true,
  }),
  get: route("GET /api/projects/{projectId}", {
    policy: viewProject,
    summary: "One project",
    params,
    result: project,
  }),
  update: route("PATCH /api/projects/{projectId}", {
    policy: editProject,
    summary: "Change a project; `version` must be the one last read",
    params,
    body: z.strictObject({ version, ...z.object(fields).partial().shape }),
    result: project,
  }),
  remove: route("DELETE /api/projects/{projectId}", {
    policy: ownProject,
    summary: "Put a project in the bin; it can be restored",
    params,
    result: project,
  }),
  restore: route("POST /api/projects/{projectId}/restore", {
    policy: ownProject,
    summary: "Take a project out of the bin",
    params,
    result: project,
  }),
  listMembers: route("GET /api/projects/{projectId}/members", {
    policy: viewProject,
    summary: "Who belongs to the project",
    params,
    result: z.object({ items: z.array(member) }),
  }),
  addMember: route("POST /api/projects/{projectId}/members", {
    policy: manageMembers,
    summary: "Add someone who has an account here, by e-mail",
    params,
    body: z.strictObject({ email: z.email().max(254), role: z.enum(projectRoles) }),
    result: member,
    creates: true,
  }),
  updateMember: route("PATCH /api/projects/{projectId}/members/{userId}", {
    policy: manageMembers,
    summary: "Change someone's role; a project keeps at least one owner",
    params: memberParams,
    body: z.strictObject({ role: z.enum(projectRoles) }),
    result: member,
  }),
  removeMember: route("DELETE /api/projects/{projectId}/members/{userId}", {
    policy: manageMembers,
    summary: "Remove someone; a project keeps at least one owner",
    params: memberParams,
    result: z.object({ ok: z.literal(true) }),
  }),
  listChanges: route("GET /api/projects/{projectId}/changes", {
    policy: viewProject,
    summary: "Every write, newest first, with what was there before",
    params,
    query: z.strictObject({ ...pageQuery, entity_id: id.optional() }),
    result: pageOf(changeWithBefore),
  }),
  stream: route("GET /api/projects/{projectId}/stream", {
    policy: viewProject,
    summary: "Live changes as server-sent events; `Last-Event-ID` or `since_seq` replays what was missed",
    params,
    query: sinceQuery,
    result: change,
    streams: true,
  }),
  search: routesTagged("search")("GET /api/search", {
    policy: read,
    summary: "Full-text search over everything one may see, best match first",
    query: z.strictObject({
      q: filledText(limits.searchQuery),
      project_id: id.optional(),
      kind: z.enum(["project", ...entityKinds, ...outcomeKinds]).optional(),
      /** Only what this run of one's own has written. */
      run_id: id.optional(),
      /** Also the pages that runs keep for themselves. */
      include_working_notes: flag,
      limit: numberIn(1, 50).default(20),
    }),
    result: z.object({
      items: z.array(searchHit),
      /** One's outcomes, and what HOMЯ asked and saw in them; as many at most. */
      outcomes: z.array(outcomeHit),
    }),
  }),
} as const;
