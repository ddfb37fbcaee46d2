// What HOMЯ learnt, for its owner to see, correct and delete.

import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { deleteMemory, listMemories, updateMemory } from "../../store/outcome-view/memory-list-store.ts";
import { toWireMemory } from "../homr-wire.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import { missing, toWirePage } from "../wire.ts";

export function mountMemoryRoutes(deps: MountDeps): void {
  mountUser(deps, routes.memories.list, async ({ tx, query }) =>
    toWirePage(await listMemories(tx, query), toWireMemory),
  );

  mountUser(deps, routes.memories.update, async ({ tx, params, body }) => {
    const saved = await updateMemory(tx, params.memoryId, body);
    if (saved === "missing") throw missing("memory");
    if (saved === "duplicate") throw new AppError("already_exists", "Another memory says the same already");
    return toWireMemory(saved);
  });

  mountUser(deps, routes.memories.remove, async ({ tx, params }) => {
    if (!(await deleteMemory(tx, params.memoryId))) throw missing("memory");
    return { id: params.memoryId, deleted: true as const };
  });
}
