// Which engines this program has. Refusing a run needs no engine loaded, so it is a module of its own.

import type { EngineProblems } from "../runs/ports/engine.ts";

export const engineProblems: EngineProblems = {
  planner: null,
  agent: "the agent engine is not installed in this version; leave `engine` out, or use the planner engine",
};
