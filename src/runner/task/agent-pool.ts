// The agents that a task may be worked on by: which one is next, and what became of the last. Made from the settings
// (`open-pool.ts`), or by an engine with agents of its own.

import type { Backend, Verdict } from "../backends/backend.ts";
import type { JobRequest } from "../job/job.ts";

export type PoolAgent = Pick<
  JobRequest,
  "backend" | "model" | "baseUrl" | "token" | "program" | "permissions" | "mode" | "keyVariable"
> & {
  readonly name: string;
  readonly backend: Backend;
};

export type PoolChoice = {
  readonly name: string;
  readonly because: string;
  /** Null: it can start now. */
  readonly notBeforeMs: number | null;
};

export type AgentPool = {
  /** Takes the turn of an agent. */
  readonly choose: () => Promise<PoolChoice>;
  readonly find: (name: string) => PoolAgent;
  /** How a run of this agent ended. */
  readonly record: (name: string, verdict: Verdict) => Promise<void>;
  /** Another agent than this one could start now. */
  readonly hasOther: (name: string) => boolean;
};

/** For the record of a run; an agent that is called after its kind needs none. */
export const agentNameOf = ({ name, backend }: PoolAgent): { readonly agent_name?: string } =>
  name === backend.name ? {} : { agent_name: name };
