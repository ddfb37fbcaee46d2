// Which agents have worked on a run so far, by the names of the settings: a reviewer should be another one.

import type { Tx } from "../../db/database.ts";
import type { PoolChoice } from "../../runner/task/agent-pool.ts";
import type { Journal } from "../../runs/ports/engine.ts";
import type { AgentPlace } from "./agent-place.ts";

/** Tries of one iteration that are looked at. */
const triesMax = 100;

export function listAuthors(journal: Journal<Tx>, { row }: AgentPlace): readonly string[] {
  const chosen: string[] = [];
  for (let n = 0; n < triesMax; n++) {
    const choice = journal.recall<PoolChoice>(`choose:${n}`);
    if (choice === null) break;
    chosen.push(choice.result.name);
  }
  return [...new Set([...(row.record?.agents ?? []), ...chosen])];
}
