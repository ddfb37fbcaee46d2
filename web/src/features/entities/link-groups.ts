// Links sorted by which end waits for the other. Pure.

import type { Edge } from "../../../../src/protocol/api.ts";

type LinkGroups = {
  /** Has to be done before. */
  readonly needs: readonly Edge[];
  /** Can only be done afterwards. */
  readonly waits: readonly Edge[];
  readonly others: readonly Edge[];
};

const needed = { outgoing: new Set(["depends_on"]), incoming: new Set(["part_of", "supports", "blocks"]) };
const waiting = { outgoing: new Set(["blocks"]), incoming: new Set(["depends_on"]) };

export function groupLinks(edges: readonly Edge[], id: string): LinkGroups {
  const isIn = ({ outgoing, incoming }: typeof needed, { src_id: from, rel }: Edge) =>
    (from === id ? outgoing : incoming).has(rel);
  return {
    needs: edges.filter((edge) => isIn(needed, edge)),
    waits: edges.filter((edge) => isIn(waiting, edge)),
    others: edges.filter((edge) => !isIn(needed, edge) && !isIn(waiting, edge)),
  };
}
