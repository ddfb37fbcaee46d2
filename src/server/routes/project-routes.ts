// Projects, members, history and search.

import { asPlatform, type Tx } from "../../db/database.ts";
import { keepMark } from "../../domain/entity/keep-mark.ts";
import { includesRole, type ProjectRole, type UserId } from "../../domain/identity/identity.ts";
import { routes } from "../../protocol/api.ts";
import { listChanges } from "../../store/entity/change-store.ts";
import {
  addMember,
  changeMember,
  createProject,
  findProject,
  listMembers,
  listProjects,
  removeMember,
  setProjectBinned,
  updateProject,
} from "../../store/entity/project-store.ts";
import { lengthenSnippets, search, searchOutcomes } from "../../store/entity/search-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { accountTopic, tellTopics } from "../../store/notification/topics.ts";
import { type MountDeps, mountUser, mountWithoutTransaction, type UserRequest } from "../mount.ts";
import { restWork } from "../project-rights.ts";
import type { ShutDeps } from "../shut-account.ts";
import { takeTurns } from "../take-turns.ts";
import { foundOrThrow, missing, savedOrThrow, toWireChange, toWireMember, toWirePage, toWireProject } from "../wire.ts";

type OfMember = { readonly projectId: string; readonly userId: string };

async function restWithoutRights(deps: ShutDeps, tx: Tx, { projectId, userId }: OfMember, role: ProjectRole) {
  if (includesRole(role, "editor")) return;
  const project = foundOrThrow(await findProject(tx, projectId), "project");
  await asPlatform(tx, (platform) => restWork(platform, deps, userId as UserId, project));
}

/**
 * Two connections to the database, of ten that there usually are; a page asks for one search at a time. A search of 30 ms has its user rest for a tenth of a second, which is
 * less than typing takes; one of a second, for three.
 */
const searchTurns = { atOnce: 2, perUser: 8, inAll: 100, restFactor: 3 };

export function mountProjectRoutes(deps: MountDeps & ShutDeps): void {
  mountUser(deps, routes.projects.list, async ({ tx, query }) =>
    toWirePage(await listProjects(tx, query), toWireProject),
  );

  mountUser(deps, routes.projects.create, async ({ tx, actor, body }) =>
    toWireProject(await createProject(tx, deps.env.newId(), actor.userId, body)),
  );

  mountUser(deps, routes.projects.get, async ({ tx, params }) =>
    toWireProject(foundOrThrow(await findProject(tx, params.projectId), "project")),
  );

  mountUser(deps, routes.projects.update, async ({ tx, params, body }) => {
    const now = body.props && (await findProject(tx, params.projectId));
    const change = body.props ? { ...body, props: keepMark(now?.props, body.props) } : body;
    return savedOrThrow(await updateProject(tx, params.projectId, change), "project", toWireProject);
  });

  const setBinned = async ({ tx, actor, params }: UserRequest<typeof routes.projects.remove>, isBinned: boolean) => {
    const moved = foundOrThrow(await setProjectBinned(tx, params.projectId, isBinned), "project");
    const action = isBinned ? "project_binned" : "project_restored";
    await writeAudit(tx, { actorId: actor.userId, action, target: `project:${params.projectId}` });
    return toWireProject(moved);
  };
  mountUser(deps, routes.projects.remove, (request) => setBinned(request, true));
  mountUser(deps, routes.projects.restore, (request) => setBinned(request, false));

  mountUser(deps, routes.projects.listChanges, async ({ tx, params, query }) =>
    toWirePage(await listChanges(tx, params.projectId, query), (change) => ({
      ...toWireChange(change),
      before: change.before,
    })),
  );

  const searches = takeTurns(searchTurns, "searches", deps.env);
  mountWithoutTransaction(deps, routes.projects.search, ({ actor: { userId }, query }) =>
    searches(userId, () =>
      deps.db.asUser({ userId }, async (tx) => ({
        items: (await lengthenSnippets(tx, await search(tx, query))).map((hit) => ({
          ...hit,
          snippet: [...hit.snippet],
        })),
        outcomes: (await lengthenSnippets(tx, await searchOutcomes(tx, query))).map((hit) => ({
          ...hit,
          snippet: [...hit.snippet],
        })),
      })),
    ),
  );

  mountMemberRoutes(deps);
}

function mountMemberRoutes(deps: MountDeps & ShutDeps): void {
  mountUser(deps, routes.projects.listMembers, async ({ tx, params }) => ({
    items: (await listMembers(tx, params.projectId)).map(toWireMember),
  }));

  mountUser(deps, routes.projects.addMember, async ({ tx, actor, params, body }) => {
    const added = await addMember(tx, params.projectId, body.email, body.role);
    const member = foundOrThrow(added, "account with that e-mail address");
    const details = { project: params.projectId, role: body.role };
    await writeAudit(tx, { actorId: actor.userId, action: "member_added", target: `user:${member.userId}`, details });
    return toWireMember(member);
  });

  mountUser(deps, routes.projects.updateMember, async ({ tx, actor, params, body }) => {
    const member = foundOrThrow(await changeMember(tx, params.projectId, params.userId, body.role), "member");
    await restWithoutRights(deps, tx, params, body.role);
    const details = { project: params.projectId, role: body.role };
    await writeAudit(tx, { actorId: actor.userId, action: "member_changed", target: `user:${params.userId}`, details });
    return toWireMember(member);
  });

  mountUser(deps, routes.projects.removeMember, async ({ tx, actor, params }) => {
    const project = foundOrThrow(await findProject(tx, params.projectId), "project");
    if (!(await removeMember(tx, params.projectId, params.userId))) throw missing("member");
    await asPlatform(tx, (platform) => restWork(platform, deps, params.userId as UserId, project));
    // Their streams look at once what they may still follow, in every process.
    await tellTopics(tx, [accountTopic(params.userId)]);
    const details = { project: params.projectId };
    await writeAudit(tx, { actorId: actor.userId, action: "member_removed", target: `user:${params.userId}`, details });
    return { ok: true as const };
  });
}
