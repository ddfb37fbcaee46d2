// Which engines this program has. A module of its own: whoever only refuses a run need not load an engine.

import type { EngineProblems } from "../runs/ports/engine.ts";

export const engineProblems: EngineProblems = {
  planner: null,
  agent: "the agent engine is not installed in this version; leave `engine` out, or use the planner engine",
};
