// How high the tasks of a column stand in the picture of dependencies: each as level with those it is joined to as the order and the
// distances of its column allow, so that what follows from one another is a row. Pure.

/** A task, or the lane of an edge that passes. */
export type Slot = { readonly id: string; readonly rank: number; readonly isTask: boolean };
/** What is joined to a slot, on one of its sides. */
export type Joints = ReadonlyMap<string, readonly string[]>;

export const nodeHeight = 62;
const gapY = 14;
/** Between an edge that passes and what is beside it. */
const laneGap = 12;
/** Then rows hardly move any more. */
const rounds = 12;

/** The middle of each slot, from the top. */
export function placeRows(columns: readonly (readonly Slot[])[], before: Joints, behind: Joints): Map<string, number> {
  const rows = new Map<string, number>();
  const slotOf = new Map(columns.flat().map((slot) => [slot.id, slot]));
  for (const column of columns)
    for (const [at, offset] of offsetsOf(column).entries()) rows.set(idAt(column, at), offset);
  const ranks = columns.map((_, rank) => rank);
  for (let round = 0; round < rounds; round++)
    for (const rank of round % 2 === 0 ? ranks : ranks.toReversed()) {
      const column = columns[rank] ?? [];
      const wished = column.map((slot) =>
        levelOf(slot, [...(before.get(slot.id) ?? []), ...(behind.get(slot.id) ?? [])]),
      );
      for (const [at, row] of settle(wished, offsetsOf(column)).entries()) rows.set(idAt(column, at), row);
    }
  const top = Math.min(...[...rows].map(([id, row]) => row - heightOf(slotOf.get(id)) / 2));
  return new Map([...rows].map(([id, row]) => [id, Math.round(row - top)]));

  /** Edges that pass weigh more: a bend in the middle of a line helps least. */
  function levelOf(slot: Slot, joined: readonly string[]): number {
    const own = rows.get(slot.id) ?? 0;
    if (joined.length === 0) return own;
    const weights = joined.map((id) => (slot.isTask ? 1 : 2) * (slotOf.get(id)?.isTask ? 1 : 4));
    const sum = joined.reduce((total, id, at) => total + (rows.get(id) ?? own) * (weights[at] ?? 1), 0);
    return sum / weights.reduce((total, weight) => total + weight, 0);
  }
}

const idAt = (column: readonly Slot[], at: number): string => column[at]?.id ?? "";
const heightOf = (slot: Slot | undefined): number => (slot?.isTask ? nodeHeight : 0);

/** How far below the first of its column each has to be at least. */
function offsetsOf(column: readonly Slot[]): readonly number[] {
  let offset = 0;
  return column.map((slot, at) => {
    const above = column[at - 1];
    if (above) offset += (heightOf(above) + heightOf(slot)) / 2 + (above.isTask && slot.isTask ? gapY : laneGap);
    return offset;
  });
}

type Block = { readonly sum: number; readonly count: number };
const meanOf = ({ sum, count }: Block): number => sum / count;

/** As near to what is wished as the distances allow: neighbours that would be too close move together, by the mean of their wishes. */
function settle(wished: readonly number[], offsets: readonly number[]): readonly number[] {
  const blocks: Block[] = [];
  for (const [at, wish] of wished.entries()) {
    let block: Block = { sum: wish - (offsets[at] ?? 0), count: 1 };
    for (let last = blocks.at(-1); last && meanOf(last) >= meanOf(block); last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  return blocks
    .flatMap((block) => Array.from({ length: block.count }, () => meanOf(block)))
    .map((base, at) => base + (offsets[at] ?? 0));
}
