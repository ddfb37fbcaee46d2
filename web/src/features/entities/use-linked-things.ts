// The things that a thing is linked with, by id: their states and dates. Those that changed last, which is where the work is.

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Edge, EntitySummary } from "../../../../src/protocol/api.ts";
import type { EntityKind } from "../../../../src/protocol/kinds.ts";
import { entitiesQuery } from "../../lib/data/entities.ts";

export type LinkedThings = ReadonlyMap<string, EntitySummary>;

/** Only kinds that are linked are asked for. */
export function useLinkedThings(projectId: string, edges: readonly Edge[]): LinkedThings {
  const kinds = new Set(edges.flatMap(({ src_kind: one, dst_kind: other }) => [one, other]));
  const found = [
    useThings(projectId, "task", kinds),
    useThings(projectId, "goal", kinds),
    useThings(projectId, "plan", kinds),
    useThings(projectId, "milestone", kinds),
    useThings(projectId, "document", kinds),
  ];
  return new Map(found.flat().map((thing) => [thing.id, thing]));
}

function useThings(projectId: string, kind: EntityKind, kinds: ReadonlySet<EntityKind>): readonly EntitySummary[] {
  const query = entitiesQuery(projectId, kind, { limit: 100 });
  const { data } = useInfiniteQuery({ ...query, enabled: kinds.has(kind) });
  return data?.pages.flatMap((page) => page.items) ?? [];
}
