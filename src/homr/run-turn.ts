// A job of HOMЯ, whatever it is about.

import { unreachable } from "../lib/assert.ts";
import type { HomrJob } from "../outcomes/ports/outcome-store.ts";
import { draftJob } from "./draft-job.ts";
import type { HomrDeps } from "./homr-deps.ts";
import { lookJob } from "./look-job.ts";
import { observeJob } from "./observe-job.ts";
import { resolveJob } from "./resolve-job.ts";
import { reviewJob } from "./review-job.ts";
import type { EndedTurn } from "./turn.ts";

export function runHomrJob<Writes>(deps: HomrDeps<Writes>, job: HomrJob, signal: AbortSignal): Promise<EndedTurn> {
  const { turn } = job;
  switch (turn.kind) {
    case "observe":
      return observeJob(deps, job, turn, signal);
    case "review":
      return reviewJob(deps, job, signal);
    case "resolve":
      return resolveJob(deps, job, turn.escalationId, signal);
    case "draft":
      return draftJob(deps, job, signal);
    case "look":
      return lookJob(deps, job);
    default:
      return unreachable(turn);
  }
}
