// The workspace of a run in the database: ordinary documents in a tree, written in its user's name and marked as the run's.
// Everything here may be done twice, or by two at once, and leaves the same pages. What grows is continued on another page,
// so that an iteration costs the same whatever the age of the run.

import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { Entity } from "../../domain/entity/entity.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import { pagePaths, pageTypes, workspaceTitle } from "../../domain/workspace/pages.ts";
import { renderPlan } from "../../domain/workspace/plan-page.ts";
import {
  entriesIn,
  fitsOn,
  lastEntries,
  renderEntry,
  type ScratchpadEntry,
} from "../../domain/workspace/scratchpad.ts";
import type { Workspace } from "../../domain/workspace/workspace.ts";
import { AppError } from "../../lib/app-error.ts";
import { createEntity, findEntity } from "../entity/entity-store.ts";
import { rowOf } from "../row.ts";
import {
  findPageId,
  lockPage,
  makePage,
  markOf,
  type NewPage,
  type PageSource,
  remarked,
  savePage,
  writerOf,
} from "./page-store.ts";
import {
  ensureWorkspaceProject,
  findWorkspaceProject,
  ownWorkspaceProject,
  type RunOfWorkspace,
} from "./workspace-project-store.ts";

const placeRow = rowOf({ workspaceDocumentId: z.string().nullable(), workspaceProjectId: z.string().nullable() });

/** What the root knows, so that it need not be searched for among a thousand pages. */
const rootMarks = z.looseObject({
  homework: z.looseObject({ scratchpad_id: z.string(), scratchpad_pages: z.number() }),
});

/** Null where the run has no workspace, or its root lies in the bin: then another is begun. */
export async function findWorkspace(tx: Tx, runId: string): Promise<Workspace | null> {
  const { rows } =
    await sql`select workspace_document_id, workspace_project_id from homework_runs where id = ${runId}`.execute(tx);
  const { workspaceDocumentId: rootId, workspaceProjectId: projectId } = placeRow.parse(rows[0]);
  if (projectId === null || rootId === null) return null;
  const root = await findEntity(tx, "document", projectId, rootId);
  if (root === null || root.deletedAt !== null) return null;
  return { projectId, rootId, scratchpadId: rootMarks.parse(root.props).homework.scratchpad_id };
}

type NewWorkspace = { readonly run: RunOfWorkspace; readonly newId: () => string };

/** Always drawn in this order, so that a planned workspace and the one made from it have the same ids. */
const drawIds = (newId: () => string) => ({
  rootId: newId(),
  scratchpadId: newId(),
  edgeId: newId(),
  projectId: newId(),
});

/** The one that `ensureWorkspace` would make with the same ids; nothing is written. */
export async function plannedWorkspace(tx: Tx, run: RunOfWorkspace, newId: () => string): Promise<Workspace> {
  const { rootId, scratchpadId, projectId } = drawIds(newId);
  const place = (await ownWorkspaceProject(tx, run)) ?? (await findWorkspaceProject(tx, run.userId));
  return { projectId: place ?? projectId, rootId, scratchpadId };
}

/** Found or made. Comes first in its transaction: it locks the run. */
export async function ensureWorkspace(tx: Tx, { run, newId }: NewWorkspace): Promise<Workspace> {
  await asPlatform(tx, (platform) =>
    sql`select from homework_runs where id = ${run.id} for no key update`.execute(platform),
  );
  const known = await findWorkspace(tx, run.id);
  if (known !== null) return known;
  const { rootId, scratchpadId, edgeId, projectId: spareId } = drawIds(newId);
  const projectId = await ensureWorkspaceProject(tx, run, () => spareId);
  const workspace = { projectId, rootId, scratchpadId };
  await makeRoot(tx, run, workspace);
  const writer = { runId: run.id, userId: run.userId, pageId: scratchpadId, edgeId };
  await makePage(tx, workspace, writer, scratchpadPage(run.id, 1, "", { iteration: 1 }));
  await asPlatform(tx, (platform) =>
    sql`update homework_runs set workspace_document_id = ${rootId} where id = ${run.id}`.execute(platform),
  );
  return workspace;
}

async function makeRoot(tx: Tx, run: RunOfWorkspace, { projectId, rootId, scratchpadId }: Workspace): Promise<void> {
  const homework = {
    run_id: run.id,
    scope: run.scope.kind,
    created_by: "homework_engine",
    path: pagePaths.root(run.id),
    scratchpad_id: scratchpadId,
    scratchpad_pages: 1,
  };
  const fields = {
    title: workspaceTitle(run.objective),
    description: "What a run found out, noted and planned.",
    content: run.objective,
    type_key: pageTypes.root,
    state_key: "workspace",
    props: { homework },
  };
  await createEntity(tx, "document", { id: rootId, projectId, by: run.userId }, fields);
}

const scratchpadPage = (runId: string, page: number, content: string, marks: NewPage["marks"]): NewPage => ({
  type: pageTypes.scratchpad,
  title: page === 1 ? "Scratchpad" : `Scratchpad ${page}`,
  path: pagePaths.scratchpad(runId, page),
  content,
  marks,
});

/** A page is added to a workspace with its root locked, so that two writers at once make one. It may lie in the bin. */
async function lockRoot(tx: Tx, { rootId, projectId }: Workspace) {
  await sql`select from onto_documents where id = ${rootId} for no key update`.execute(tx);
  const root = await findEntity(tx, "document", projectId, rootId);
  if (root === null) throw new AppError("not_found", "The workspace of this run is gone, or you may not see it");
  return { page: root, marks: rootMarks.parse(root.props).homework };
}

const scratchpadMarks = z.looseObject({
  homework: z.looseObject({ iteration: z.number(), previous_id: z.string().optional() }),
});
/** A person may have written over them. */
const marksOf = ({ props }: Entity) => scratchpadMarks.safeParse(props).data?.homework;

export type Appended = { readonly documentId: string; readonly isNew: boolean };

/** `isNew` false: the iteration has its entry already, and nothing was written. */
export async function appendScratchpad(
  tx: Tx,
  workspace: Workspace,
  entry: ScratchpadEntry,
  source: PageSource = "own",
): Promise<Appended> {
  const root = await lockRoot(tx, workspace);
  const { scratchpad_id: currentId, scratchpad_pages: count } = root.marks;
  const page = await lockPage(tx, workspace, currentId);
  if (page !== null && isEntered(page, entry.iteration)) return { documentId: currentId, isNew: false };
  const text = renderEntry(entry);
  if (page !== null && fitsOn(page.content, text)) {
    await savePage(tx, page, { content: below(page.content, text), ...remarked(page, source) });
    return { documentId: currentId, isNew: true };
  }
  const writer = await writerOf(tx);
  const marks = { iteration: entry.iteration, previous_id: currentId, ...markOf(source) };
  const id = await makePage(tx, workspace, writer, scratchpadPage(writer.runId, count + 1, text, marks));
  const homework = { ...root.marks, scratchpad_id: id, scratchpad_pages: count + 1 };
  if (root.page.deletedAt === null) await savePage(tx, root.page, { props: { ...root.page.props, homework } });
  return { documentId: id, isNew: true };
}

const below = (page: string, text: string) => (page === "" ? text : `${page.trimEnd()}\n\n${text}`);

/** Iterations only go up: what comes before the first entry of this page stands on an older one. */
const isEntered = (page: Entity, iteration: number) =>
  entriesIn(page.content).includes(iteration) || iteration < (marksOf(page)?.iteration ?? 1);

/** The entries a planner reads are few and stand on one page or two; long ones on a page each. */
const tailPagesMax = 6;

/** The last entries, oldest first, and the pages that were read for them. */
export async function readScratchpad(
  tx: Tx,
  workspace: Workspace,
  count: number,
): Promise<{ readonly text: string; readonly ids: readonly string[] }> {
  const { projectId, rootId, scratchpadId } = workspace;
  const root = await findEntity(tx, "document", projectId, rootId);
  let wanted: string | undefined = rootMarks.safeParse(root?.props).data?.homework.scratchpad_id ?? scratchpadId;
  let entries: readonly string[] = [];
  const ids = [rootId];
  for (let read = 0; wanted !== undefined && read < tailPagesMax && entries.length < count; read += 1) {
    const page: Entity | null = await findEntity(tx, "document", projectId, wanted);
    if (page === null) break;
    ids.push(page.id);
    entries = [...lastEntries(page.content, count - entries.length), ...entries];
    wanted = marksOf(page)?.previous_id;
  }
  return { text: entries.join("\n\n"), ids };
}

export type Branch = {
  readonly branchId: string;
  readonly title: string;
  readonly iteration: number;
  readonly source?: PageSource;
};

/** The page of a branch, where its findings go. */
export async function ensureBranch(
  tx: Tx,
  workspace: Workspace,
  { branchId, title, iteration, source = "own", newId }: Branch & { readonly newId?: () => string },
): Promise<{ readonly documentId: string }> {
  const drawn = newId === undefined ? {} : { pageId: newId(), edgeId: newId() };
  const writer = { ...(await writerOf(tx)), ...drawn };
  const path = pagePaths.findings(writer.runId, branchId);
  const marks = { iteration, branch_id: branchId, ...markOf(source) };
  await lockRoot(tx, workspace);
  const known = await findPageId(tx, workspace, writer.runId, path);
  if (known !== null) return { documentId: known };
  return {
    documentId: await makePage(tx, workspace, writer, { type: pageTypes.branch, title, path, content: "", marks }),
  };
}

/** Characters on the page of a branch. An executor is short-lived, so it fills no more; what would is refused. */
const branchPageMax = 200_000;

export async function appendToBranch(
  tx: Tx,
  workspace: Workspace,
  documentId: string,
  text: string,
  source: PageSource = "own",
): Promise<void> {
  const page = await lockPage(tx, workspace, documentId);
  if (page === null) throw new AppError("deleted", "The page of this branch is gone, or lies in the bin");
  if (!fitsOn(page.content, text, branchPageMax))
    throw new AppError("too_large", `The page of a branch holds ${branchPageMax} characters`);
  await savePage(tx, page, { content: below(page.content, text), ...remarked(page, source) });
}

/** The page of a branch is made by the first words on it: a branch that writes nothing has none. */
export async function writeToBranch(
  tx: Tx,
  workspace: Workspace,
  branch: Branch & { readonly newId?: () => string },
  text: string,
): Promise<{ readonly documentId: string }> {
  const { documentId } = await ensureBranch(tx, workspace, branch);
  await appendToBranch(tx, workspace, documentId, text, branch.source);
  return { documentId };
}

export const writePlanDocument = (tx: Tx, workspace: Workspace, plan: Plan, iteration: number, source?: PageSource) =>
  putPage(tx, workspace, { iteration, source }, (runId) => ({
    type: pageTypes.plan,
    title: "Plan",
    path: pagePaths.plan(runId),
    content: renderPlan(plan),
  }));

export const writeIterationSummary = (
  tx: Tx,
  workspace: Workspace,
  iteration: number,
  text: string,
  source?: PageSource,
) =>
  putPage(tx, workspace, { iteration, source }, (runId) => ({
    type: pageTypes.summary,
    title: `Iteration ${iteration}: summary`,
    path: pagePaths.summary(runId, iteration),
    content: text,
  }));

/** The page at a path holds this from now on. */
async function putPage(
  tx: Tx,
  workspace: Workspace,
  { iteration, source = "own" }: { readonly iteration: number; readonly source: PageSource | undefined },
  pageFor: (runId: string) => Omit<NewPage, "marks">,
): Promise<string> {
  await lockRoot(tx, workspace);
  const writer = await writerOf(tx);
  const page = { ...pageFor(writer.runId), marks: { iteration, ...markOf(source) } };
  const known = await findPageId(tx, workspace, writer.runId, page.path);
  if (known === null) return makePage(tx, workspace, writer, page);
  const current = await lockPage(tx, workspace, known);
  if (current !== null && current.content !== page.content)
    await savePage(tx, current, { content: page.content, ...remarked(current, source) });
  return known;
}
