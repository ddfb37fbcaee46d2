// The kinds of jobs. Each has a queue of its own, which a migration makes with its limits: how long a job may take, how long its
// worker may be silent, how often it is tried. Here is how a worker treats it.

export type KindRules = {
  readonly queue: string;
  /** How often a worker looks for jobs that it was not told of: those that become due, and those of dead workers. */
  readonly pollMs: number;
  /** After a failure: the first wait and the longest; each is twice the one before. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
};

export const jobKinds = {
  /** One iteration of a run (migration 0034). */
  iteration: { queue: "buildos_homework", pollMs: 1_000, retryMs: 1_000, retryMaxMs: 60_000 },
  /** What HOMЯ does for an outcome (migration 0034). */
  homr: { queue: "homework_homr", pollMs: 1_000, retryMs: 1_000, retryMaxMs: 60_000 },
  /** What is done from time to time, once for all processes (migration 0034). */
  schedule: { queue: "homework_schedule", pollMs: 10_000, retryMs: 30_000, retryMaxMs: 600_000 },
  /** One try at a delivery through a channel (migration 0034). Waits between tries are the delivery's: these are after a fault of ours. */
  deliver: { queue: "homework_deliver", pollMs: 2_000, retryMs: 2_000, retryMaxMs: 60_000 },
  /** Hearing what people write to the Telegram bot, once for all processes (migration 0034). */
  telegram: { queue: "homework_telegram", pollMs: 5_000, retryMs: 2_000, retryMaxMs: 60_000 },
} as const satisfies Readonly<Record<string, KindRules>>;

export type JobKind = keyof typeof jobKinds;

export const isJobKind = (name: string): name is JobKind => Object.hasOwn(jobKinds, name);
