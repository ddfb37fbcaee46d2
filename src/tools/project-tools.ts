// list_projects, get_project, create_project, update_project. A run that was given projects sees these and makes no others.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Page, Project } from "../domain/entity/entity.ts";
import { kindSpecs, projectStates } from "../domain/entity/kinds.ts";
import { includesRole } from "../domain/identity/identity.ts";
import { sliceText } from "../lib/slice-text.ts";
import { countNodes } from "../store/entity/node-store.ts";
import * as store from "../store/entity/project-store.ts";
import * as arg from "./arg-shapes.ts";
import { bounds, cut, oneLine, quoted, sliceHeading } from "./bounds.ts";
import { checkChange, isRefusal, stale, withNews } from "./change-entity.ts";
import { compareRead, projectNow, sighted, tellStale } from "./compare-read.ts";
import { defineRead, defineWrite } from "./define-tool.ts";
import { markChanged, markNew } from "./homework-tag.ts";
import { notFound, openProject } from "./scope.ts";
import { listText, moreByCursor, show } from "./show-entity.ts";
import { seenText, wholeText } from "./things-read.ts";
import { refuse, type Tool, type ToolContext, wrote } from "./tool.ts";

const listProjects = defineRead({
  name: "list_projects",
  description: "Lists the projects you may work with: id, name, state, and whether you may write there.",
  args: z.strictObject({
    limit: z.int().min(1).max(bounds.list).default(bounds.list).describe("How many to show"),
    cursor: arg.cursor.optional(),
  }),
  stage: 1,
  read: async (tx, context, asked) => {
    const { items, nextCursor } = await projectsOf(tx, context, asked);
    const ids = items.map(({ id }) => id);
    const seen = items.map(({ id, version }) => ({ id, version }));
    const left = context.projectIds === null ? 0 : context.projectIds.length - asked.limit;
    const more = left > 0 ? `There are ${left} more, known by their ids only` : moreByCursor(nextCursor);
    const text = listText("projects", items.map(projectLine), more);
    return show(tx, { text, summary: `Listed ${items.length} projects`, projectIds: ids, ids, seen });
  },
});

type AskedPage = { readonly limit: number; readonly cursor?: string | undefined };

/** A run that was given projects sees these, in the order they were given. */
async function projectsOf(tx: Tx, { projectIds }: ToolContext, asked: AskedPage): Promise<Page<Project>> {
  if (projectIds === null) return store.listProjects(tx, { limit: asked.limit, cursor: asked.cursor, deleted: false });
  const found: Project[] = [];
  for (const id of projectIds.slice(0, asked.limit)) {
    const project = await store.findProject(tx, id);
    if (project !== null && project.deletedAt === null) found.push(project);
  }
  return { items: found, nextCursor: null };
}

function projectLine({ id, name, stateKey, role, description }: Project): string {
  const may = includesRole(role, "editor") ? "you may write" : "you may only look";
  const line = `- ${id} [${oneLine(stateKey, 20)}] ${quoted(name)} · ${may}`;
  return description.trim() === "" ? line : `${line}: ${oneLine(description, bounds.lineDescription)}`;
}

const getProject = defineRead({
  name: "get_project",
  description: "Shows one project: name, description, state, and how many tasks, goals and documents it holds.",
  args: z.strictObject({ project_id: arg.projectId.optional(), offset: arg.offset, limit: arg.pageSize }),
  stage: 1,
  read: async (tx, context, asked) => {
    const opened = await openProject(tx, context, asked.project_id, "viewer");
    if (!opened.ok) return opened;
    const { id, name, stateKey, version, role, props, description } = opened.value;
    const counts = await countNodes(tx, id);
    const held = counts.map(({ kind, count }) => `${count} ${kindSpecs[kind].plural}`).join(", ");
    const slice = sliceText(description, asked.offset, asked.limit);
    const lines = [
      `project ${id}`,
      `name: ${cut(name, bounds.title)}`,
      `state: ${stateKey} · version: ${version} · the user's role: ${role}`,
      `holds: ${held === "" ? "nothing yet" : held}`,
      ...(Object.keys(props).length === 0 ? [] : [`props: ${cut(JSON.stringify(props), bounds.props)}`]),
      sliceHeading("description", description, slice),
      slice.shown,
    ];
    const summary = `Read the project ${quoted(name)}`;
    const seen = [{ id, version, description: seenText(description, slice.from, slice.from + slice.shown.length) }];
    return show(tx, { text: lines.join("\n"), summary, projectIds: [id], ids: [id], seen });
  },
});

const createProject = defineWrite({
  name: "create_project",
  description:
    "Makes a new project that belongs to the user. Not possible where you were given the projects to work in.",
  args: z.strictObject({
    name: arg.title,
    description: arg.description.default(""),
    state: z.enum(projectStates).default("active").describe("Its state at first"),
    props: arg.props.optional(),
    source: arg.source,
  }),
  stage: 2,
  write: async (tx, context, asked) => {
    const id = context.newId();
    if (context.projectIds !== null)
      return refuse("denied", "Only certain projects were given to work in: use one of those (list_projects).");
    await store.createProject(tx, id, context.userId, {
      name: asked.name,
      description: asked.description,
      type_key: "project.default",
      state_key: asked.state,
      props: markNew(context, asked.props, { source: asked.source }),
    });
    const text = `Made the project ${id} (version 1). Use this id as project_id.`;
    const seen = [{ id, version: 1, description: wholeText(asked.description) }];
    return { ...wrote({ kind: "project", id }, text, `Made the project ${quoted(asked.name)}`), seen };
  },
});

const updateProject = defineWrite({
  name: "update_project",
  description: "Changes a project's name, description, state or properties; what you leave out stays.",
  args: z.strictObject({
    project_id: arg.projectId.optional(),
    expected_version: arg.expectedVersion.optional(),
    name: arg.title.optional(),
    description: arg.description.optional(),
    state: z.enum(projectStates).optional().describe("Its new state"),
    props: arg.props.optional(),
    source: arg.source,
  }),
  stage: 2,
  write: async (tx, context, asked) => {
    const opened = await openProject(tx, context, asked.project_id, "editor");
    if (!opened.ok) return opened;
    const { id, version } = opened.value;
    if (asked.expected_version !== undefined && asked.expected_version !== version)
      return tellStale(tx, projectNow(opened.value), asked.expected_version);
    const { name, description, state: state_key } = asked;
    const props = markChanged(opened.value.props, asked.props, asked.source);
    const change = checkChange({ name, description, state_key, props });
    if (isRefusal(change)) return change;
    const compared = await compareRead(tx, context, projectNow(opened.value), { values: change });
    if (!compared.ok) return compared.refusal;
    const saved = await store.updateProject(tx, id, { version, ...change });
    if (saved.outcome === "stale") return stale("project", saved.current);
    if (saved.outcome !== "saved") return notFound("project", id);
    const text = `Changed the project ${id}; it is at version ${saved.value.version}.`;
    const known = description === undefined ? compared.known : (["description"] as const);
    const written = wrote({ kind: "project", id }, text, `Changed the project ${quoted(saved.value.name)}`);
    return withNews(written, { ...compared, seen: [sighted(projectNow(saved.value), known)] });
  },
});

export const projectTools: readonly Tool[] = [listProjects, getProject, createProject, updateProject];
