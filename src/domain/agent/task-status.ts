// How the task of an agent stands, in one word that terminal, HTTP and pages share.

export const agentTaskStatuses = [
  /** No agent was started yet, and none is about to be. */
  "new",
  /** Tasks that it depends on are not done. */
  "blocked",
  /** Its agent is about to be started, or started again. */
  "starting",
  "running",
  /** It goes on once you have answered. */
  "waiting",
  /** A provider's limit holds it up; it goes on by itself. */
  "held",
  /** DONE is there; children and checks come first. */
  "finishing",
  "done",
  "stopped",
  "failed",
  "canceled",
  /** Not done, and nothing works on it. */
  "ended",
] as const;

export type AgentTaskStatus = (typeof agentTaskStatuses)[number];
