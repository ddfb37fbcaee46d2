// Completing a job and enqueueing the next one as parts of a statement of the caller's. The library has no API for that, so
// these write to its table as its own statements do (plans.js: completeJobs, insertJobs); job-parts.test.ts compares what
// both leave behind, with the version of the library that we are pinned to.

import { jobIdOf } from "./job-id.ts";
import type { JobRef, NewJob } from "./job-queue.ts";
import { queueName } from "./queue-name.ts";

/** Names a value of the statement. */
export type Bind = (value: unknown, type: string) => string;

/**
 * Only where the part called `after` has a row. One row comes back, or none: it was given to someone else since, or
 * dropped.
 */
export const completePart = (bind: Bind, after: string, { id, attempt }: JobRef): string => `
  update homework_queue.job_common j set completed_on = homework_queue.job_now(), state = 'completed', output = null from ${after}
   where j.name = '${queueName}' and j.id = ${bind(id, "uuid")} and j.state = 'active'
     and j.retry_count = ${bind(attempt, "int")}
  returning j.id`;

/** Due at once, and known to whoever did the job before. No row comes back where there is one of this key already. */
export const enqueuePart = (bind: Bind, after: string, { key, data }: Pick<NewJob, "key" | "data">): string => `
  insert into homework_queue.job_common (id, name, data, start_after, created_on, expire_seconds, deletion_seconds, keep_until,
    retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
  select ${bind(jobIdOf(key), "uuid")}, q.name, ${bind(JSON.stringify(data), "jsonb")}, t.now, t.now, q.expire_seconds,
         q.deletion_seconds, t.now + q.retention_seconds * interval '1s', q.retry_limit, q.retry_delay, q.retry_backoff,
         q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    from ${after}, homework_queue.queue q, (select homework_queue.job_now() as now) as t where q.name = '${queueName}'
  on conflict do nothing
  returning id`;
