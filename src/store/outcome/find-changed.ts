// What of a list differs from what was read. Rules leave what they do not change as it is, so the same object is the same thing.

export function findChanged<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
): readonly T[] {
  const known = new Map(before.map((each) => [each.id, each]));
  return after.filter((each) => known.get(each.id) !== each);
}
