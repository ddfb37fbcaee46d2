// A database as a process sees it that dies in the middle: from one of its transactions on, nothing of it gets through.

import type { Database } from "../../src/db/database.ts";

class Died extends Error {
  constructor() {
    super("this process is dead");
    this.name = "Died";
  }
}

/** At which transaction it dies, counted from 0: before it, or right after it was committed. */
export type DeathAt = { readonly transaction: number; readonly when: "before" | "after" };

export type DyingDatabase = Database & { readonly isDead: () => boolean };

export function dyingDatabase(db: Database, { transaction, when }: DeathAt): DyingDatabase {
  let begun = 0;
  let dead = false;
  const live = async <T>(work: () => Promise<T>): Promise<T> => {
    const isLast = begun === transaction;
    begun += 1;
    dead ||= isLast && when === "before";
    if (dead) throw new Died();
    const result = await work();
    dead ||= isLast;
    if (dead) throw new Died();
    return result;
  };
  return {
    ...db,
    isDead: () => dead,
    asUser: (identity, work) => live(() => db.asUser(identity, work)),
    asSystem: (work) => live(() => db.asSystem(work)),
    statement: (text, values) => live(() => db.statement(text, values)),
  };
}
