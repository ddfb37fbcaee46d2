// Tasks, goals, plans, milestones, documents, the tree of documents, and edges.

import type { Tx } from "../../db/database.ts";
import { keepMark } from "../../domain/entity/keep-mark.ts";
import { type EntityKind, entityKinds } from "../../domain/entity/kinds.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { routes } from "../../protocol/api.ts";
import { author, routesOfKind, treeNode } from "../../protocol/routes/entities.ts";
import { listAuthors } from "../../store/entity/change-store.ts";
import { createEdge, documentTree, listEdges, moveDocument, removeEdge } from "../../store/entity/edge-store.ts";
import {
  createEntity,
  findEntity,
  listEntities,
  setEntityBinned,
  updateEntity,
} from "../../store/entity/entity-store.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import {
  foundOrThrow,
  missing,
  savedOrThrow,
  toWireEdge,
  toWireEntity,
  toWirePage,
  toWireSummary,
  wireOf,
} from "../wire.ts";

export function mountEntityRoutes(deps: MountDeps): void {
  for (const kind of entityKinds) mountKind(deps, kind);
  mountDocumentRoutes(deps);
  mountEdgeRoutes(deps);
}

function mountKind(deps: MountDeps, kind: EntityKind): void {
  const own = routesOfKind[kind];

  mountUser(deps, own.list, async ({ tx, params, query }) =>
    toWirePage(await listEntities(tx, kind, params.projectId, query), toWireSummary),
  );

  mountUser(deps, own.create, async ({ tx, actor, params, body }) => {
    const { parent_id: parentId, ...fields } = body;
    const id = deps.env.newId();
    await createEntity(tx, kind, { id, projectId: params.projectId, by: actor.userId }, fields);
    if (parentId) await place(deps, tx, actor.userId, params.projectId, id, parentId);
    return toWireEntity(foundOrThrow(await findEntity(tx, kind, params.projectId, id), kind));
  });

  mountUser(deps, own.get, async ({ tx, params }) =>
    toWireEntity(foundOrThrow(await findEntity(tx, kind, params.projectId, params.entityId), kind)),
  );

  mountUser(deps, own.update, async ({ tx, params, body }) => {
    const { version, ...given } = body;
    const where = { id: params.entityId, projectId: params.projectId, version };
    const now = given.props && (await findEntity(tx, kind, where.projectId, where.id));
    const fields = given.props ? { ...given, props: keepMark(now?.props, given.props) } : given;
    return savedOrThrow(await updateEntity(tx, kind, where, fields), kind, toWireEntity);
  });

  mountUser(deps, own.remove, async ({ tx, params }) =>
    toWireEntity(foundOrThrow(await setEntityBinned(tx, kind, params.projectId, params.entityId, true), kind)),
  );

  mountUser(deps, own.restore, async ({ tx, params }) =>
    toWireEntity(foundOrThrow(await setEntityBinned(tx, kind, params.projectId, params.entityId, false), kind)),
  );
}

/** Below `parentId`, or at the top with null. */
async function place(deps: MountDeps, tx: Tx, by: UserId, projectId: string, id: string, parentId: string | null) {
  const where = { edgeId: deps.env.newId(), projectId, by };
  if ((await moveDocument(tx, where, id, parentId)) === "missing") throw missing("parent document");
}

const toWireNode = wireOf(treeNode);
const toWireAuthor = wireOf(author);

function mountDocumentRoutes(deps: MountDeps): void {
  mountUser(deps, routes.documents.tree, async ({ tx, params, query }) => {
    const { nodes, truncated } = await documentTree(tx, params.projectId, query.include_working_notes);
    return { items: nodes.map(toWireNode), truncated };
  });

  mountUser(deps, routes.documents.authors, async ({ tx, params }) => {
    const { projectId, entityId } = params;
    foundOrThrow(await findEntity(tx, "document", projectId, entityId), "document");
    return { items: (await listAuthors(tx, projectId, entityId)).map(toWireAuthor) };
  });

  mountUser(deps, routes.documents.move, async ({ tx, actor, params, body }) => {
    const { projectId, entityId } = params;
    foundOrThrow(await findEntity(tx, "document", projectId, entityId), "document");
    await place(deps, tx, actor.userId, projectId, entityId, body.parent_id);
    return toWireEntity(foundOrThrow(await findEntity(tx, "document", projectId, entityId), "document"));
  });
}

function mountEdgeRoutes(deps: MountDeps): void {
  mountUser(deps, routes.edges.list, async ({ tx, params, query }) =>
    toWirePage(await listEdges(tx, params.projectId, query), toWireEdge),
  );

  mountUser(deps, routes.edges.create, async ({ tx, actor, params, body }) => {
    const where = { id: deps.env.newId(), projectId: params.projectId, by: actor.userId };
    return toWireEdge(foundOrThrow(await createEdge(tx, where, body), "pair of things to link"));
  });

  mountUser(deps, routes.edges.remove, async ({ tx, params }) => {
    if (!(await removeEdge(tx, params.projectId, params.edgeId))) throw missing("link");
    return { ok: true as const };
  });
}
