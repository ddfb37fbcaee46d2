// The pages of a run's workspace: of which types they are, and at which paths they stand. Decides no content.

export const workspaceProjectType = "project.homework.workspace";

export const pageTypes = {
  root: "document.homework.workspace",
  scratchpad: "document.homework.scratchpad",
  branch: "document.homework.branch",
  note: "document.homework.note",
  summary: "document.homework.summary",
  plan: "document.homework.plan",
} as const;
export type PageType = (typeof pageTypes)[keyof typeof pageTypes];

/** Pages that a run writes for itself. Lists, trees and search leave them out unless they are asked for. */
export const workingNoteTypes: readonly PageType[] = Object.values(pageTypes);

const root = (runId: string) => `/homework/${runId}`;
const three = (n: number) => String(n).padStart(3, "0");
/** The first page has no number, so that what people look for is at the path they know. */
const numbered = (name: string, page: number) => (page === 1 ? `${name}.md` : `${name}-${three(page)}.md`);

export const pagePaths = {
  root,
  scratchpad: (runId: string, page: number) => `${root(runId)}/${numbered("scratchpad", page)}`,
  plan: (runId: string) => `${root(runId)}/plan.md`,
  summary: (runId: string, iteration: number) => `${root(runId)}/iterations/${three(iteration)}-summary.md`,
  document: (runId: string, name: string) => `${root(runId)}/documents/${name}.md`,
  findings: (runId: string, branchId: string) => `${root(runId)}/branches/${pathPart(branchId)}/findings.md`,
} as const;

/** What a path shows of a name that a model may have chosen: no separators, nothing to climb with. */
const partMax = 80;
const pathPart = (name: string) => name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, partMax);

const titleMax = 80;

export function workspaceTitle(objective: string): string {
  return cut(`Homework: ${oneLine(objective)}`, titleMax);
}

/** As one line: whatever it holds can begin neither a heading nor a list. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // Half of a pair is no character, and the database takes none.
  const kept = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.trimEnd()}…`;
}
