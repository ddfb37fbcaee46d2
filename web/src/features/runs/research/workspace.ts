// The documents of a run: which one is shown, and which are new since the page was opened. Pure.

import type { routes } from "../../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../../src/protocol/route.ts";

export type Workspace = NonNullable<RouteResult<typeof routes.runs.get>["workspace"]>;
export type WorkspaceDocument = Workspace["documents"][number];

/** Pages the platform keeps for the run: its plan, its scratchpad, a summary of every iteration. Others show them better. */
const ownTypes = new Set(["document.homework.scratchpad", "document.homework.plan", "document.homework.summary"]);
const rootType = "document.homework.workspace";

const isOwnPage = ({ type_key: type }: WorkspaceDocument) => ownTypes.has(type);

/** What the tree has: one that is being read is always there. The page that holds the others is one of the run's own. */
export function shownDocuments(
  documents: readonly WorkspaceDocument[],
  withOwn: boolean,
  chosenId: string | undefined,
): readonly WorkspaceDocument[] {
  const isShown = (document: WorkspaceDocument) =>
    withOwn || document.id === chosenId || !(isOwnPage(document) || document.type_key === rootType);
  return tellApart(documents.filter(isShown));
}

/** Of several with the same title, the second and later ones have a number. */
function tellApart(documents: readonly WorkspaceDocument[]): readonly WorkspaceDocument[] {
  const seen = new Map<string, number>();
  return documents.map((document) => {
    const count = (seen.get(document.title) ?? 0) + 1;
    seen.set(document.title, count);
    return count === 1 ? document : { ...document, title: `${document.title} (${count})` };
  });
}

/** The one that was asked for; else the first that was written, else the first page of the workspace. */
export function documentOf(workspace: Workspace, wanted: string | undefined): WorkspaceDocument | undefined {
  const { documents, root_document_id: rootId } = workspace;
  if (wanted !== undefined) return documents.find(({ id }) => id === wanted);
  const written = documents.find((document) => !isOwnPage(document) && document.type_key !== rootType);
  return written ?? documents.find(({ id }) => id === rootId) ?? documents[0];
}

/** Those that were not there when one began to look and have not been opened since. */
export function newSince(
  documents: readonly WorkspaceDocument[],
  atFirst: ReadonlySet<string>,
  opened: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(documents.map(({ id }) => id).filter((id) => !atFirst.has(id) && !opened.has(id)));
}
