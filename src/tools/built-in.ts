// The tools there always are: those on the user's own things and on the workspace. What reaches outside is added where the
// program is put together.

import { appendDocument } from "./append-document.ts";
import { binTools } from "./bin-entity.ts";
import { createTools } from "./create-entity.ts";
import { createProject } from "./create-project.ts";
import { editDocument } from "./edit-document.ts";
import { getTools } from "./get-entity.ts";
import { getProject } from "./get-project.ts";
import { link } from "./link.ts";
import { listDocumentTree } from "./list-document-tree.ts";
import { listTools } from "./list-entities.ts";
import { listLinks } from "./list-links.ts";
import { listProjects } from "./list-projects.ts";
import { moveDocument } from "./move-document.ts";
import { readResult } from "./read-result.ts";
import { search, searchDocuments } from "./search.ts";
import { startBranch } from "./start-branch.ts";
import type { Tool } from "./tool.ts";
import { unlink } from "./unlink.ts";
import { updateTools } from "./update-entity.ts";
import { updateProject } from "./update-project.ts";
import { writeNote } from "./write-note.ts";
import { writeSummary } from "./write-summary.ts";

export const builtInTools: readonly Tool[] = [
  listProjects,
  getProject,
  createProject,
  updateProject,
  ...listTools,
  ...getTools,
  ...createTools,
  ...updateTools,
  appendDocument,
  editDocument,
  moveDocument,
  listDocumentTree,
  search,
  searchDocuments,
  link,
  unlink,
  listLinks,
  writeNote,
  startBranch,
  writeSummary,
  readResult,
  ...binTools,
];
