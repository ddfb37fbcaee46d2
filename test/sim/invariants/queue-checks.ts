// What must be true of deliveries: nobody's job is taken away while it gives signs of life, none comes before its time, only
// the newest delivery counts, and nobody waits for ever behind others.

import type { Commit } from "../memory/memory-database.ts";
import type { JobRow } from "../memory/records.ts";
import { heartbeatMs } from "../memory/rules.ts";
import type { Finding } from "./run-checks.ts";

type Findings = readonly (Finding | false)[];

export class QueueChecks {
  /** For each job that could be taken: how often another was taken instead, and how many there were at most meanwhile. */
  readonly #passedOver = new Map<string, { readonly times: number; readonly most: number }>();
  #isCalm = false;

  calm(): void {
    this.#isCalm = true;
  }

  find(commit: Commit, takeable: () => readonly JobRow[], databaseNowMs: number): readonly Finding[] {
    const findings = [...commit.jobs].flatMap(([id, job]): Findings => {
      const before = commit.before.jobs.get(id) ?? null;
      if (before === null || job === null) return [];
      return [...taken(before, job, databaseNowMs, commit), ...touched(before, job)];
    });
    const late = commit.acknowledged.map(
      ({ from, job }): Finding | false =>
        (job.attempt !== from.attempt || job.state !== "active") && [
          "S4 only_the_newest_delivery_counts",
          `attempt ${from.attempt} ended ${job.state} attempt ${job.attempt}`,
        ],
    );
    return [...findings, ...late, ...this.#fairness(commit, takeable, databaseNowMs)].filter((each) => each !== false);
  }

  /** L4: with M jobs ready, none is passed over more than 2 M times. */
  #fairness(commit: Commit, takeable: () => readonly JobRow[], databaseNowMs: number): Findings {
    const began = [...commit.jobs].filter(
      ([id, job]) => job?.state === "active" && commit.before.jobs.get(id)?.state !== "active",
    );
    for (const [id] of began) this.#passedOver.delete(id);
    if (began.length === 0 || !this.#isCalm) return [];
    const free = takeable();
    const ready = free.filter((job) => job.state !== "active" && job.startAfterMs <= databaseNowMs);
    return ready.map(({ id }) => {
      const before = this.#passedOver.get(id) ?? { times: 0, most: 0 };
      const times = before.times + began.length;
      // Those it came behind may be done by now.
      const most = Math.max(before.most, free.length);
      this.#passedOver.set(id, { times, most });
      return times > 2 * most && ["L4 nobody_waits_for_ever", `${id} was passed over ${times} times`];
    });
  }
}

function taken(before: JobRow, job: JobRow, nowMs: number, { beganAtMs }: Commit): Findings {
  const isFetched = before.state !== "active" && job.state === "active";
  const isGivenBack = before.state === "active" && job.state === "retry";
  const isExpired = isGivenBack && job.givenBackBy === null;
  const newest = Math.max(nowMs, beganAtMs);
  return [
    isFetched &&
      before.startAfterMs > newest && ["S3 no_job_before_its_time", `${before.startAfterMs - nowMs} ms early`],
    isFetched &&
      before.wasStarted &&
      job.attempt !== before.attempt + 1 && ["S4 deliveries_are_numbered", `${job.attempt}`],
    isGivenBack &&
      !isExpired &&
      job.givenBackBy !== before.attempt && [
        "S4 only_the_newest_delivery_counts",
        `attempt ${job.givenBackBy} gave back ${before.attempt}`,
      ],
    isExpired &&
      before.heartbeatMs + heartbeatMs >= newest && [
        "S4 expiry_is_by_the_database",
        `${newest - before.heartbeatMs} ms after a sign of life`,
      ],
  ];
}

function touched(before: JobRow, job: JobRow): Findings {
  const isTouched = before.state === "active" && job.state === "active" && before.heartbeatMs !== job.heartbeatMs;
  return [
    isTouched &&
      job.touchedBy !== job.attempt && ["S4 signs_of_life_are_of_the_newest", `${job.touchedBy} for ${job.attempt}`],
  ];
}
