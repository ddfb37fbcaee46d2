// The settings of run-agent once they are read: what the rest of it works with.

import type { AgentRequest, BackendName } from "../backends/backend.ts";
import type { SelectionPolicy } from "../backends/choose-backend.ts";
import type { Secret } from "./secret.ts";

export type AgentSettings = {
  readonly name: string;
  readonly type: BackendName;
  readonly token: Secret | null;
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly command: readonly string[];
  /** What only the acp backend looks at. */
  readonly acp?: Pick<AgentRequest, "permissions" | "mode" | "keyVariable">;
};

export type RunnerConfig = {
  readonly projectsRoot: string;
  readonly maxRestarts: number;
  readonly timeBudgetMs: number | null;
  readonly costBudgetMicroUsd: number | null;
  readonly restartDelayMs: number;
  readonly childWaitTimeoutMs: number;
  readonly childPollIntervalMs: number;
  readonly idleThresholdMs: number;
  readonly stuckThresholdMs: number;
  readonly maxDelegationDepth: number;
  /** Those that are configured, by name. */
  readonly agents: readonly AgentSettings[];
  readonly selection: {
    readonly strategy: SelectionPolicy["strategy"];
    readonly order: readonly string[];
    readonly weights: ReadonlyMap<string, number>;
    readonly cooldownMs: number;
  };
  readonly serve: { readonly host: string; readonly port: number };
};
