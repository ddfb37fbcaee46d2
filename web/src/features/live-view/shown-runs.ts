// Which runs the live view lists: those that need the user, those at work and in line, and those that were there when it was
// opened and have ended since, so that nothing vanishes while one looks at it. Pure.

export type ListedRun = { readonly id: string };

/** Longer lists are for the page of all runs. */
export const listedMax = 20;

/** In the order of the list: new ones come behind those that were shown, ones that need the user go first. */
export function shownRuns(
  before: readonly string[],
  needsYou: readonly ListedRun[],
  active: readonly ListedRun[],
): readonly string[] {
  const waiting = needsYou.map(({ id }) => id);
  const others = [...before, ...active.map(({ id }) => id)].filter((id) => !waiting.includes(id));
  return [...new Set([...waiting, ...others])].slice(0, listedMax);
}
