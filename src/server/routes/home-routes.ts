// Home: what happened since the last visit, the runs it begins with, and what every page shows of one's work.

import type { Tx } from "../../db/database.ts";
import { runPages } from "../../domain/run/limits.ts";
import { routes } from "../../protocol/api.ts";
import { news } from "../../protocol/routes/run-parts.ts";
import { countUnread } from "../../store/notification/notification-store.ts";
import { countOpenEscalations } from "../../store/outcome-view/escalation-view-store.ts";
import { countRuns, listRuns, type RunFilter } from "../../store/run-view/run-list-store.ts";
import { noteVisit, readNews } from "../../store/run-view/visit-store.ts";

import { type MountDeps, mountUser } from "../mount.ts";
import { toWireListedRun } from "../run-wire.ts";
import { toWirePage, wireOf } from "../wire.ts";
import type { DesksPort } from "./agent-routes.ts";

export function mountHomeRoutes(deps: MountDeps & { readonly desks: DesksPort }): void {
  mountUser(deps, routes.runParts.home, async ({ tx }) => readHome(tx));

  mountUser(deps, routes.runParts.visit, async ({ tx, actor }) => {
    await noteVisit(tx, actor.userId);
    return toWireNews(await readNews(tx));
  });

  mountUser(deps, routes.runParts.news, async ({ tx }) => toWireNews(await readNews(tx)));

  mountUser(deps, routes.runParts.counts, async ({ tx, actor }) => {
    const { own, runs } = deps.desks.desksFor(actor);
    return {
      counts: { ...(await countRuns(tx)) },
      open_questions: await countOpenEscalations(tx),
      agent_questions: own === null ? [] : (await own.asking()).map((each) => ({ ...each })),
      unread_notifications: await countUnread(tx, actor.userId),
      has_agents: own !== null || runs !== null,
    };
  });
}

async function readHome(tx: Tx) {
  const found = await readNews(tx);
  const list = async (filter: Omit<RunFilter, "limit">, limit: number) =>
    toWirePage(await listRuns(tx, { ...filter, limit }), toWireListedRun);
  const { open, finished } = runPages;
  const { since } = found;
  return {
    news: toWireNews(found),
    needs_you: await list({ group: "needs_you" }, open),
    active: await list({ group: "active" }, open),
    finished_since: since === null ? null : await list({ group: "finished", endedSince: since }, finished),
    finished: await list({ group: "finished", ...(since === null ? {} : { endedBefore: since }) }, finished),
  };
}

const toWireNews = wireOf(news);
