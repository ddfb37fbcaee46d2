// Several tabs hear of the same notification; only one of them may show it as the system does. The tab that gets its lock
// first shows it. Storage alone would not do: what one tab writes, another may see a moment later.

const storageKey = "homework-told";
/** After this, what the first tab wrote is seen by all. */
const heldMs = 30_000;
/** More do not come within the seconds that matter. */
const kept = 50;

/** The list with it, or null where it is in there already. Pure. */
export function withTold(told: readonly string[], id: string): readonly string[] | null {
  return told.includes(id) ? null : [...told, id].slice(-kept);
}

function readTold(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** Whether it is this tab's to tell. */
export function takeTelling(id: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const take = async (lock: Lock | null) => {
      const told = lock === null ? null : withTold(readTold(), id);
      resolve(told !== null);
      if (told === null) return;
      localStorage.setItem(storageKey, JSON.stringify(told));
      await new Promise((done) => setTimeout(done, heldMs));
    };
    navigator.locks.request(`${storageKey}:${id}`, { ifAvailable: true }, take).catch(reject);
  });
}
