// How much may be asked of one run. Every bound of the wire contract about runs comes from here.

export const runLimits = {
  /** Characters; longer briefs belong in a document of the project. */
  objective: 32_000,
  message: 20_000,
  title: 200,
  answers: 20,
  projects: 50,
  checks: 50,
  deliverables: 20,
  allowedTools: 200,
  /** Budgets: more than anyone means. */
  iterations: 10_000,
  runningMs: 30 * 24 * 3_600_000,
  costUsd: 100_000,
  tokens: 1e12,
  toolCalls: 1e7,
} as const;

/** Runs of a group that the home page begins with: those that have not ended are seldom more, and are put in order on the screen. */
export const runPages = { open: 100, finished: 25 } as const;
