// link, unlink, list_links: how things belong together. The tree of documents is not made here but with move_document.

import { z } from "zod";
import type { Edge, EdgeEnd } from "../domain/entity/entity.ts";
import { documentTreeRel } from "../domain/entity/kinds.ts";
import { createEdge, listEdges, removeEdge } from "../store/entity/edge-store.ts";
import { locateEdge } from "../store/entity/node-store.ts";
import { cursor, id, limit, projectId, props, source, typeKey } from "./arg-shapes.ts";
import { oneLine, quoted } from "./bounds.ts";
import { defineRead, defineWrite } from "./define-tool.ts";
import { markNew } from "./homework-tag.ts";
import { isInScope, notFound, openEntity, openProject } from "./scope.ts";
import { listText, moreByCursor, show } from "./show-entity.ts";
import { refuse, type Tool, wrote } from "./tool.ts";

const treeIsMoved = refuse("invalid_arguments", "The tree of documents is changed with move_document.");

const link = defineWrite({
  name: "link",
  description:
    "Links two things (tasks, goals, plans, milestones, documents) with a word for how they belong together.",
  args: z.strictObject({
    src_id: id.describe("Id of the thing the link goes from"),
    rel: typeKey.describe("How they belong together: supports, part_of, depends_on, relates_to, …"),
    dst_id: id.describe("Id of the thing the link goes to"),
    props: props.optional(),
    source,
  }),
  stage: 2,
  write: async (tx, context, asked) => {
    const edgeId = context.newId();
    const { src_id, rel, dst_id } = asked;
    if (rel === documentTreeRel) return treeIsMoved;
    if (src_id === dst_id) return refuse("invalid_arguments", "A thing cannot be linked to itself.");
    const src = await openEntity(tx, context, "thing", src_id, "editor");
    if (!src.ok) return src;
    const dst = await openEntity(tx, context, "thing", dst_id, "viewer");
    if (!dst.ok) return dst;
    const where = { id: edgeId, projectId: src.value.projectId, by: context.userId };
    const mark = markNew(context, asked.props, { source: asked.source });
    const edge = await createEdge(tx, where, { src_id, rel, dst_id, props: mark });
    if (edge === null) return notFound("thing", dst_id);
    const text = `Linked ${src.value.kind} ${src_id} to ${dst.value.kind} ${dst_id} as ${rel}: link ${edgeId}.`;
    const summary = `Linked ${quoted(src.value.title)} to ${quoted(dst.value.title)} (${rel})`;
    return wrote({ kind: "edge", id: edgeId }, text, summary);
  },
});

const unlink = defineWrite({
  name: "unlink",
  description: "Takes a link between two things away. The things themselves stay.",
  args: z.strictObject({ link_id: id.describe("Id of the link, as link or list_links said") }),
  tags: ["destructive"],
  stage: 2,
  write: async (tx, context, { link_id }) => {
    const edge = await locateEdge(tx, link_id);
    if (edge === null || !isInScope(context, edge.srcProjectId) || !isInScope(context, edge.dstProjectId))
      return notFound("link", link_id);
    const project = await openProject(tx, context, edge.srcProjectId, "editor");
    if (!project.ok) return project;
    if (edge.rel === documentTreeRel) return treeIsMoved;
    if (!(await removeEdge(tx, edge.srcProjectId, link_id))) return notFound("link", link_id);
    return wrote({ kind: "edge", id: link_id }, `Took the link ${link_id} away.`, `Took a link away (${edge.rel})`);
  },
});

/** A link whose other end is outside of the scope is not shown: its title would say what may not be seen. */
const listLinks = defineRead({
  name: "list_links",
  description: "Lists links between things of a project, or from and to one thing, newest first.",
  args: z.strictObject({
    id: id.optional().describe("Only links from and to this thing"),
    project_id: projectId.optional(),
    rel: typeKey.optional().describe("Only links of this sort"),
    limit,
    cursor: cursor.optional(),
  }),
  stage: 2,
  read: async (tx, context, asked) => {
    const node = asked.id === undefined ? null : await openEntity(tx, context, "thing", asked.id, "viewer");
    if (node?.ok === false) return node;
    const project = await openProject(tx, context, asked.project_id ?? node?.value.projectId, "viewer");
    if (!project.ok) return project;
    const page = await listEdges(tx, project.value.id, {
      limit: asked.limit,
      cursor: asked.cursor,
      entity_id: asked.id,
      rel: asked.rel,
    });
    const shown = page.items.filter(
      ({ src, dst }) => isInScope(context, src.projectId) && isInScope(context, dst.projectId),
    );
    return show(tx, {
      text: listText("links", shown.map(edgeLine), moreByCursor(page.nextCursor)),
      summary: `Listed ${shown.length} links`,
      projectIds: shown.flatMap(({ src, dst }) => [src.projectId, dst.projectId]),
      ids: shown.flatMap((edge) => [edge.id, edge.src.id, edge.dst.id]),
    });
  },
});

/** Two titles and three ids in a line. */
const endTitleMax = 60;

const edgeLine = ({ id: edge, rel, src, dst }: Edge) =>
  `- link ${edge}: ${endOf(src)} ${oneLine(rel, endTitleMax)} ${endOf(dst)}`;
const endOf = ({ kind, id: end, title }: EdgeEnd) => `${kind} ${end} "${oneLine(title, endTitleMax)}"`;

export const linkTools: readonly Tool[] = [link, unlink, listLinks];
