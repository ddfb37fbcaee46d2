// An installation without agents, as tests have it unless they are about them.

import type { EngineProblems } from "../../src/runs/ports/engine.ts";
import type { AgentsPort } from "../../src/server/ports/agents.ts";

export const engineProblems: EngineProblems = {
  planner: null,
  agent: "the agent engine is not installed here; leave `engine` out, or use the planner engine",
};

export const noAgents: AgentsPort = {
  show: () => ({ names: [], problem: engineProblems.agent }),
  findPlace: () => null,
  findRepository: async () => ({ why: "there are no agents" }),
  merge: async () => ({ kind: "in_the_way", why: "there are no agents" }),
  discard: async () => ({ kind: "in_the_way", why: "there are no agents" }),
};
