// Agents inside of Homework: each user has a root folder of their own, so projects, tasks and runs of others do not exist for them.

import type { Actor } from "../../domain/identity/identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import type { AnyRoute, RouteResult } from "../../protocol/route.ts";
import type { AgentDesk } from "../agents/agent-desk.ts";
import type { EventStreams } from "../agents/event-streams.ts";
import { mountAgentRoutes } from "../agents/mount-agents.ts";
import { type MountDeps, mountStream, mountUser } from "../mount.ts";

export type DesksPort = {
  /** Null: this user has no agents here. */
  readonly deskFor: (user: Pick<Actor, "userId" | "name">) => AgentDesk | null;
};

export const noDesks: DesksPort = { deskFor: () => null };

export function mountAgents(deps: MountDeps, agents: DesksPort, streams: EventStreams): void {
  const deskOf = (actor: Actor): AgentDesk => {
    const desk = agents.deskFor(actor);
    if (desk === null) throw new AppError("not_found", "There are no agents here. See the setting agents_root.");
    return desk;
  };
  mountUser(deps, routes.agents.info, async ({ actor }) => {
    const desk = agents.deskFor(actor);
    const info = desk?.info() ?? { is_available: false, why_not_start: "Agents are off.", root: "", agents: [] };
    return { ...info, agents: info.agents.map((agent) => ({ ...agent })) };
  });
  mountAgentRoutes({
    answer: (route, handle) =>
      mountUser<AnyRoute>(deps, route, async ({ actor, ...input }) => {
        const answer = await handle(deskOf(actor), input as Parameters<typeof handle>[1]);
        return answer as RouteResult<AnyRoute>;
      }),
    stream: (route, open) =>
      mountStream<AnyRoute>(deps, route, ({ c, actor, stillAdmitted, ...input }) =>
        streams.answer(c, {
          caller: actor.userId,
          open: (cursor, signal) => open(deskOf(actor), input as Parameters<typeof open>[1], cursor, signal),
          stillAdmitted,
        }),
      ),
  });
}
