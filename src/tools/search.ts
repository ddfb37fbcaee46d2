// search and search_documents: full text over what may be looked at. Where a run has several projects each is searched by
// itself, so that hits elsewhere cannot crowd out those that count.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { entityKinds } from "../domain/entity/kinds.ts";
import { limits } from "../domain/entity/limits.ts";
import { type SearchHit, search as searchText } from "../store/entity/search-store.ts";
import { id, limit, text, workingNotes } from "./arg-shapes.ts";
import { oneLine, quoted } from "./bounds.ts";
import { defineRead } from "./define-tool.ts";
import { isInScope, openProject } from "./scope.ts";
import { listText, show } from "./show-entity.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

const common = {
  query: text(limits.searchQuery).trim().min(1).describe('Words to look for; "…" for a phrase, -word to leave out'),
  project_id: id.optional().describe("Only in this project; everywhere it may look if left out"),
  include_working_notes: workingNotes,
  limit,
};

const searchArgs = z.strictObject({
  ...common,
  kind: z
    .enum(["project", ...entityKinds])
    .optional()
    .describe("Only things of this kind"),
});

export const search = defineRead({
  name: "search",
  description: "Full-text search over projects, tasks, goals, plans, milestones and documents; best hits first.",
  args: searchArgs,
  stage: 1,
  read: look,
});

export const searchDocuments = defineRead({
  name: "search_documents",
  description: "Full-text search over documents, with the passages that match; best hits first.",
  args: z.strictObject(common),
  stage: 1,
  read: (tx, context, asked) => look(tx, context, { ...asked, kind: "document" }),
});

type Asked = z.output<typeof searchArgs>;

async function look(tx: Tx, context: ToolContext, asked: Asked): Promise<ToolOutcome> {
  if (asked.project_id !== undefined) {
    const project = await openProject(tx, context, asked.project_id, "viewer");
    if (!project.ok) return project;
  }
  const hits = (await findHits(tx, context, asked)).filter((hit) => isInScope(context, hit.project_id));
  return show(tx, {
    text: listText(`hits for ${quoted(asked.query)}`, hits.map(hitLine), moreOf(context, asked, hits.length)),
    summary: `Searched for ${quoted(asked.query)}: ${hits.length} found`,
    projectIds: hits.map((hit) => hit.project_id),
    ids: hits.map((hit) => hit.id),
  });
}

function moreOf({ projectIds }: ToolContext, asked: Asked, found: number): string | null {
  if (asked.project_id === undefined && projectIds !== null && projectIds.length > projectsMax)
    return `Only the first ${projectsMax} projects were searched: name another one with project_id`;
  return found < asked.limit ? null : "There may be more: use other words, or narrow it by project_id or kind";
}

/** More projects than this are not searched one by one: each is a query. */
const projectsMax = 30;

async function findHits(tx: Tx, { projectIds }: ToolContext, asked: Asked): Promise<readonly SearchHit[]> {
  const { query: q, kind, limit: max, include_working_notes } = asked;
  const wanted = { q, kind, limit: max, include_working_notes };
  if (asked.project_id !== undefined) return searchText(tx, { ...wanted, project_id: asked.project_id });
  if (projectIds === null) return searchText(tx, wanted);
  const found: (readonly SearchHit[])[] = [];
  for (const project of projectIds.slice(0, projectsMax))
    found.push(await searchText(tx, { ...wanted, project_id: project }));
  return inTurns(found).slice(0, max);
}

/** The best of each, then the second best of each, and so on. */
function inTurns(lists: readonly (readonly SearchHit[])[]): readonly SearchHit[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Of the passages around a match. */
const snippetMax = 160;

function hitLine({ kind, id: found, project_id, state_key, title, snippet }: SearchHit): string {
  const passage = oneLine(snippet.map((part) => part.text).join(""), snippetMax);
  const place = kind === "project" ? "" : ` in project ${project_id}`;
  return `- ${kind} ${found}${place} [${oneLine(state_key, 20)}] ${quoted(title)}${passage === "" ? "" : `: ${passage}`}`;
}
