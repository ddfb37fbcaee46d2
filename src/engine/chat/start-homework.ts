// `start_homework`, for conversations: hands an objective over as a run of its own. It writes, so it happens only with the
// user's word. Where text of strangers was read, the run has read it, too, and shows its plan before it changes anything.

import { z } from "zod";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { Chat } from "../../domain/chat/chat.ts";
import { runLimits } from "../../domain/run/limits.ts";
import { newRun } from "../../domain/run/new-run.ts";
import type { RunId, RunScope } from "../../domain/run/run.ts";
import type { Limits } from "../../runs/carry-out.ts";
import { createRun } from "../../runs/create-run.ts";
import type { EngineProblems } from "../../runs/ports/engine.ts";
import { nameChatOfRun } from "../../store/chat/chat-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { usualBudget } from "../../store/identity/quota-store.ts";
import type { RunJobs } from "../../store/run/run-jobs.ts";
import { inRunTx } from "../../store/run/run-store.ts";
import { source } from "../../tools/arg-shapes.ts";
import { defineWrite } from "../../tools/define-tool.ts";
import { openProject } from "../../tools/scope.ts";
import { refuse, type Tool, type ToolContext, wrote } from "../../tools/tool.ts";

export function startHomework(chat: Chat, jobs: RunJobs, limits: Limits, engines: EngineProblems): Tool {
  return defineWrite({
    name: "start_homework",
    description: "Hands an objective over as a run that works on it by itself, for hours if needed, and reports back.",
    args: z.strictObject({
      objective: z
        .string()
        .trim()
        .min(1)
        .max(runLimits.objective)
        .describe(
          "What shall be done, with everything from this conversation that the run has to know: it cannot read it",
        ),
      source,
      project_id: z.uuid().optional().describe("Only in this project; left out: everything the user has"),
    }),
    stage: 1,
    write: async (tx, context, asked) => {
      const scope = await scopeOf(tx, context, asked.project_id);
      if ("ok" in scope) return scope;
      const { userId, newId, timeZone = "UTC" } = context;
      const isUntrusted = asked.source === "web";
      const run = newRun({
        id: newId() as RunId,
        userId,
        objective: asked.objective,
        scope,
        context: { type: scope.kind, entityId: null },
        timeZone,
        budget: await usualBudget(tx, userId),
        permission: { writeMode: isUntrusted ? "approve_plan" : "autopilot", allowedTools: null },
      });
      const problem = engines[run.engine];
      if (problem !== null) return refuse("unavailable", `No run can be started here: ${problem}.`);
      await asPlatform(tx, async (platform) => {
        await inRunTx(platform, jobs, (runs) => createRun(runs, run, limits));
        await nameChatOfRun(platform, run.id, chat.id, isUntrusted);
      });
      await writeAudit(tx, { actorId: run.userId, action: "run_created", target: `run:${run.id}` });
      const text = `The run ${run.id} works on it now: /homework/runs/${run.id}`;
      return wrote(null, text, `Started the run ${run.id}`);
    },
  });
}

async function scopeOf(tx: Tx, context: ToolContext, projectId: string | undefined) {
  if (projectId === undefined) return { kind: "global" } as const satisfies RunScope;
  const opened = await openProject(tx, context, projectId, "editor");
  return opened.ok ? ({ kind: "project", projectId } as const satisfies RunScope) : opened;
}
