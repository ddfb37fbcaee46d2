// What HOMЯ learnt, for its owner to see, correct and delete.

import { correctMemory, forgetMemory } from "../../domain/homr/commands/forget.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import {
  deleteMemory,
  listMemories,
  lockOutcomesOf,
  updateMemory,
} from "../../store/outcome-view/memory-list-store.ts";
import { toWireMemory } from "../homr-wire.ts";
import { mountUser } from "../mount.ts";
import { type Change, changeOutcome, type OutcomeDeps } from "../outcome-desk.ts";
import { missing, toWirePage } from "../wire.ts";

export function mountMemoryRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.memories.list, async ({ tx, query }) =>
    toWirePage(await listMemories(tx, query), toWireMemory),
  );

  mountUser(deps, routes.memories.update, async ({ tx, actor, params, body }) => {
    const offeredTo = body.content === undefined ? [] : await lockOutcomesOf(tx, params.memoryId);
    const saved = await updateMemory(tx, params.memoryId, body);
    if (saved === "missing") throw missing("memory");
    if (saved === "duplicate") throw new AppError("already_exists", "Another memory says the same already");
    const command: Change["command"] = (state, world) => correctMemory(state, saved.id, saved.content, world);
    for (const outcomeId of offeredTo)
      await changeOutcome(deps, { tx, actor, params: { outcomeId } }, { action: "outcome_intervened", command });
    return toWireMemory(saved);
  });

  mountUser(deps, routes.memories.remove, async ({ tx, actor, params }) => {
    const command: Change["command"] = (state, world) => forgetMemory(state, params.memoryId, world);
    for (const outcomeId of await lockOutcomesOf(tx, params.memoryId))
      await changeOutcome(deps, { tx, actor, params: { outcomeId } }, { action: "outcome_intervened", command });
    if (!(await deleteMemory(tx, params.memoryId))) throw missing("memory");
    return { id: params.memoryId, deleted: true as const };
  });
}
