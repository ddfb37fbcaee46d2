// A run as the host of its tools: what it may use, where its writes go, and what becomes of a question to its user.

import { z } from "zod";
import type { RunningRun } from "../../domain/run/run.ts";
import { ensureWorkspace } from "../../store/workspace/workspace-store.ts";
import { defineWrite } from "../../tools/define-tool.ts";
import { refuse, type Tool, type ToolContext, wrote } from "../../tools/tool.ts";
import { entryIds } from "../tools/entry-ids.ts";
import { overStagedWrites, type Staging, stageToolWrite } from "../tools/staging.ts";
import type { Refusal, ToolHost } from "../tools/tool-host.ts";
import type { Iteration } from "./iteration.ts";

export function runHost(it: Iteration): ToolHost {
  const { run, phase } = it;
  const { writeMode, allowedTools } = run.permission;
  const isStaged = writeMode === "per_write";
  return {
    ...it,
    cacheKey: run.id,
    identity: { userId: run.userId, runId: run.id },
    allowedTools,
    changeRule: phase === "plan_only" ? "after_plan" : isStaged ? "asked_once" : "free",
    contextFor: (key, branchId) => contextFor(it, key, branchId),
    refOf: (key) => `i${run.state.iteration}/${key}`,
    staging: isStaged
      ? {
          stage: (head, wanted, context) =>
            stageToolWrite({ ...stagingOf(it), ...wanted, context, key: head.key, head }),
          readOver: (tx, work) => overStagedWrites(tx, stagingOf(it), work),
        }
      : null,
    askFirst: (_head, _wanted, { why, question, approval }): Refusal =>
      approval === null
        ? { outcome: refuse("denied", why), grant: null }
        : { outcome: refuse("denied", `${why} The user will be asked.`), grant: { approval, question } },
  };
}

export const stagingOf = (it: Iteration): Staging => ({
  run: it.run,
  journal: it.journal,
  registry: {
    find: (name) => {
      const own = openWorkspaceTool(it.run);
      return name === own.name ? { ok: true, tool: own } : it.registry.find(name);
    },
  },
  context: contextFor(it, "staging", null),
});

export function contextFor(it: Iteration, key: string, branchId: string | null): ToolContext {
  const { run, projectIds, workspace } = it;
  return {
    userId: run.userId,
    runId: run.id,
    iteration: run.state.iteration,
    branchId,
    projectIds,
    workspace,
    timeZone: run.timeZone,
    newId: entryIds(run.id, run.state.iteration, key),
  };
}

/**
 * The workspace as a write like any other, for runs whose every write is approved: the user allows the pages before they are made.
 * No model is offered it.
 */
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
