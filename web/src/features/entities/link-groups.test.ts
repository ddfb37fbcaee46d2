import { expect, test } from "vitest";
import type { Edge } from "../../../../src/protocol/api.ts";
import { groupLinks } from "./link-groups.ts";

const edge = (src_id: string, rel: string, dst_id: string) =>
  ({ id: `${src_id} ${rel} ${dst_id}`, src_id, rel, dst_id }) as Edge;

test("what a thing contains or depends on comes before it; what depends on it waits", () => {
  const { needs, waits, others } = groupLinks(
    [
      edge("it", "depends_on", "a"),
      edge("b", "depends_on", "it"),
      edge("c", "part_of", "it"),
      edge("it", "part_of", "d"),
      edge("it", "blocks", "e"),
      edge("f", "supports", "it"),
      edge("g", "relates_to", "it"),
    ],
    "it",
  );
  const ids = (edges: readonly Edge[]) => edges.map(({ id }) => id);
  expect([ids(needs), ids(waits), ids(others)]).toEqual([
    ["it depends_on a", "c part_of it", "f supports it"],
    ["b depends_on it", "it blocks e"],
    ["it part_of d", "g relates_to it"],
  ]);
});
