// Who wrote an entry, in words: the same on pages and on the command line. Pure.

/** `planner`, `executor 1`, `judge`; a lane that this version does not know is called by its name. */
export function laneWords(lane: string): string {
  const number = executorNumber(lane);
  return number === null ? lane : `executor ${number}`;
}

/** From 1; null: not an executor's lane (`exec:1`). */
export function executorNumber(lane: string): number | null {
  const number = lane.startsWith("exec:") ? Number(lane.slice("exec:".length)) : 0;
  return Number.isInteger(number) && number > 0 ? number : null;
}
