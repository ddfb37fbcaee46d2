// What engine and prover of one iteration share: where the agents work, and the iteration that lets them.

import type { Tx } from "../../db/database.ts";
import type { AgentIteration } from "../../runner/task/agent-iteration.ts";
import type { AgentPlace } from "./agent-place.ts";

/** Null until the engine has come so far. */
export type AgentSession = {
  place: AgentPlace | null;
  iteration: AgentIteration<Tx> | null;
};
