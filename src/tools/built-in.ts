// The tools there always are: those on the user's own things and on the workspace. What reaches outside is added where the
// program is put together.

import { binTools } from "./bin-entity.ts";
import { createTools } from "./create-entity.ts";
import { documentTools } from "./document-tools.ts";
import { linkTools } from "./link-tools.ts";
import { projectTools } from "./project-tools.ts";
import { getTools, listTools } from "./read-entity.ts";
import { readResult } from "./read-result.ts";
import { search, searchDocuments } from "./search.ts";
import type { Tool } from "./tool.ts";
import { updateTools } from "./update-entity.ts";
import { workspaceTools } from "./workspace-tools.ts";

export const builtInTools: readonly Tool[] = [
  ...projectTools,
  ...listTools,
  ...getTools,
  ...createTools,
  ...updateTools,
  ...documentTools,
  search,
  searchDocuments,
  ...linkTools,
  ...workspaceTools,
  readResult,
  ...binTools,
];
