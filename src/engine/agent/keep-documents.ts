// Where a run has no repository of its user's, the files that its agents wrote become documents of the project: made, then kept as the
// files are. They are undone and reported like anything else that a run writes. A text that somebody else has changed since stays: the
// file becomes another document beside it.

import type { Tx } from "../../db/database.ts";
import type { FileChange } from "../../domain/agent/work.ts";
import type { Entity } from "../../domain/entity/entity.ts";
import { limits } from "../../domain/entity/limits.ts";
import type { ArtifactRef } from "../../domain/plan/plan.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { readWorkText } from "../../runner/work/read-work-text.ts";
import { findContentOfLine } from "../../store/entity/change-store.ts";
import { createEntity, findEntity, updateEntity } from "../../store/entity/entity-store.ts";
import { ensureWorkspaceProject } from "../../store/workspace/workspace-project-store.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";

export type KeptDocuments = {
  readonly byPath: Readonly<Record<string, string>>;
  readonly artifacts: readonly ArtifactRef[];
  /** One sentence for each document that somebody else has changed, and that stayed as it was. */
  readonly beside: readonly string[];
};

/** Texts that people read; the files themselves stay in the folder. */
const readable = /\.(?:md|markdown|txt|rst|adoc|csv|tsv|html?|json|ya?ml|tex|org)$/i;
const documentsMax = 100;
/** A character has up to four bytes. */
const bytesMax = 4 * limits.content;
const titleMax = 200;

export async function keepDocuments(
  deps: AgentDeps,
  tx: Tx,
  run: RunningRun,
  place: AgentPlace,
  files: readonly FileChange[],
): Promise<KeptDocuments> {
  const known = place.row.documents;
  if (place.work.repository !== null) return { byPath: known, artifacts: [], beside: [] };
  const texts = files
    .filter(({ change, path: file }) => change !== "deleted" && readable.test(file))
    .slice(0, documentsMax)
    .flatMap(({ path: file }) => readDocument(place, file));
  if (texts.length === 0) return { byPath: known, artifacts: [], beside: [] };
  const projectId = await ensureWorkspaceProject(tx, run, deps.env.newId);
  const byPath: Record<string, string> = { ...known };
  const artifacts: ArtifactRef[] = [];
  const beside: string[] = [];
  for (const { file, text } of texts) {
    const kept = await keepOne(deps, tx, run, projectId, { file, text, id: byPath[file] ?? null });
    byPath[file] = kept.id;
    artifacts.push({ kind: "document", id: kept.id });
    if (kept.beside !== null) beside.push(kept.beside);
  }
  return { byPath, artifacts, beside };
}

type File = { readonly file: string; readonly text: string; readonly id: string | null };
type Kept = { readonly id: string; readonly beside: string | null };

/** One that its user has put into the bin since is made anew. */
async function keepOne(
  deps: AgentDeps,
  tx: Tx,
  run: RunningRun,
  projectId: string,
  { file, text, id }: File,
): Promise<Kept> {
  const now = id === null ? null : await findEntity(tx, "document", projectId, id);
  const isThere = now !== null && now.deletedAt === null;
  if (isThere && (await replaceText(tx, now, text))) return { id: now.id, beside: null };
  const title = isThere ? titleBeside(now.title) : titleOf(file, text);
  const made = deps.env.newId();
  const homework = { run_id: run.id, iteration: run.state.iteration, branch_id: null, source: "own", tags: [] };
  await createEntity(
    tx,
    "document",
    { id: made, projectId, by: run.userId },
    { title, content: text, props: { homework: { ...homework, file } } },
  );
  return { id: made, beside: isThere ? tellBeside(now.title, title) : null };
}

/** False: somebody else has changed its text, and the file is no longer what the agents last left there. */
async function replaceText(tx: Tx, now: Entity, text: string): Promise<boolean> {
  if (now.content === text) return true;
  const left = await findContentOfLine(tx, now.id);
  if (left === text) return true;
  if (left !== now.content) return false;
  const { id, projectId, version } = now;
  const saved = await updateEntity(tx, "document", { id, projectId, version }, { content: text });
  return saved.outcome === "saved";
}

/** Says of a document that it is the one beside. */
const besideEnd = " (the run's version)";
const titleBeside = (title: string): string =>
  title.endsWith(besideEnd) ? title : `${title.slice(0, titleMax - besideEnd.length).toWellFormed()}${besideEnd}`;

const tellBeside = (title: string, beside: string): string =>
  `“${title}” was changed by somebody else and stays as it is; the run's text is in a new document, “${beside}”.`;

function readDocument({ work }: AgentPlace, file: string): readonly { readonly file: string; readonly text: string }[] {
  const text = readWorkText(work.folder, file, bytesMax) ?? "";
  if (text.includes("\0") || text.trim() === "" || text.length > limits.content) return [];
  return [{ file, text: text.toWellFormed() }];
}

/** Its own heading, where it has one at its beginning. */
function titleOf(file: string, text: string): string {
  const heading = /^#\s+(.+)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? "";
  return (heading === "" ? file : heading).slice(0, titleMax).toWellFormed();
}
