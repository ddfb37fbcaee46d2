// The workspace as a write like any other, for runs whose every write is approved: the user allows the pages before they are
// made. No model is offered it.

import { z } from "zod";
import type { RunningRun } from "../../domain/run/run.ts";
import { ensureWorkspace } from "../../store/workspace-store.ts";
import { defineWrite } from "../../tools/define-tool.ts";
import { type Tool, wrote } from "../../tools/tool.ts";

export const openWorkspaceTool = (run: RunningRun): Tool =>
  defineWrite({
    name: "open_workspace",
    description: "Opens the pages this run keeps: its workspace and its scratchpad.",
    args: z.strictObject({}),
    tags: ["private"],
    stage: 3,
    write: async (tx, { newId }) => {
      const { rootId, scratchpadId } = await ensureWorkspace(tx, { run, newId });
      const text = `The workspace is document ${rootId}, the scratchpad document ${scratchpadId}.`;
      return wrote(null, text, "Opened the workspace");
    },
  });
