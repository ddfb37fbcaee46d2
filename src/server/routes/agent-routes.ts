// Agents inside of Homework: each user has a root folder of their own, and the agents of their Homework runs. Projects, tasks and runs of
// others do not exist for them.

import type { Tx } from "../../db/database.ts";
import type { Actor } from "../../domain/identity/identity.ts";
import { steer } from "../../domain/run/commands.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import type { AnyRoute, RouteResult } from "../../protocol/route.ts";
import { answerRun } from "../../runs/answer-run.ts";
import { listAgentRuns } from "../../store/agent/work-store.ts";
import { stagedWrites } from "../../store/change/change-set-store.ts";
import type { AgentDesk } from "../agents/agent-desk.ts";
import { joinDesks } from "../agents/desk-by-project.ts";
import type { EventStreams } from "../agents/event-streams.ts";
import { mountAgentRoutes } from "../agents/mount-agents.ts";
import { type HomeworkRuns, openRunsDesk } from "../agents/runs-desk.ts";
import { type ChangeDeps, changeRun, command, viewOf } from "../change-run.ts";
import { type MountDeps, mountStream, mountUser } from "../mount.ts";

export type UserDesks = {
  /** Tasks of the user's own; null: they have no folder for them here. */
  readonly own: AgentDesk | null;
  /** The folder with the agents of all Homework runs. A user sees one project of it, `runsProject`. Null: this server works on no agent runs. */
  readonly runs: AgentDesk | null;
  readonly runsProject: string;
};

export type DesksPort = { readonly desksFor: (user: Pick<Actor, "userId" | "name">) => UserDesks };

export const noDesks: DesksPort = { desksFor: () => ({ own: null, runs: null, runsProject: "" }) };

type AgentRouteDeps = MountDeps & ChangeDeps;

export function mountAgents(deps: AgentRouteDeps, agents: DesksPort, streams: EventStreams): void {
  const findDesk = (actor: Actor, homework: HomeworkRuns): AgentDesk | null => {
    const { own, runs, runsProject } = agents.desksFor(actor);
    return joinDesks(own, runs && openRunsDesk(runs, runsProject, homework), runsProject);
  };
  const deskOf = (actor: Actor, homework: HomeworkRuns): AgentDesk => {
    const desk = findDesk(actor, homework);
    if (desk === null) throw new AppError("not_found", "There are no agents here. See the setting agents_root.");
    return desk;
  };
  mountUser(deps, routes.agents.info, async ({ actor }) => {
    const info = findDesk(actor, notNeeded)?.info() ?? noInfo;
    return { ...info, agents: info.agents.map((agent) => ({ ...agent })) };
  });
  mountAgentRoutes({
    answer: (route, handle) =>
      mountUser<AnyRoute>(deps, route, async ({ actor, tx, ...input }) => {
        const desk = deskOf(actor, homeworkRuns(deps, tx, actor));
        return (await handle(desk, input as Parameters<typeof handle>[1])) as RouteResult<AnyRoute>;
      }),
    stream: (route, open) =>
      mountStream<AnyRoute>(deps, route, ({ c, actor, stillAdmitted, ...input }) =>
        streams.answer(c, {
          caller: actor.userId,
          open: (cursor, signal) => open(deskOf(actor, notNeeded), input as Parameters<typeof open>[1], cursor, signal),
          stillAdmitted,
        }),
      ),
  });
}

const noInfo = { is_available: false, why_not_start: "Agents are off.", root: "", agents: [] };

/** Streams tell of files alone. */
const asked = () => Promise.reject(new Error("bug: a stream asks no run"));
const notNeeded: HomeworkRuns = { find: asked, steer: asked, answer: asked };

function homeworkRuns(deps: ChangeDeps, tx: Tx, actor: Actor): HomeworkRuns {
  const lastMessage = async (runId: string) => (await viewOf(tx, runId)).messages.at(-1)?.id ?? "";
  return {
    find: async (ids) => new Map((await listAgentRuns(tx, ids)).map((run) => [run.id as string, run])),
    steer: async (runId, text) => {
      await command(deps, { tx, actor, params: { runId } }, "run_steered", (run) => steer(run, text));
      return lastMessage(runId);
    },
    answer: async (runId, questionId, text) => {
      await changeRun(deps, { tx, actor, params: { runId } }, "run_answered", (runs, platform, whose) =>
        answerRun(runs, stagedWrites(platform), whose, [{ questionId, text }], deps.limits),
      );
      return lastMessage(runId);
    },
  };
}
