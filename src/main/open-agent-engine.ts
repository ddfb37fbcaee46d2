// The agent engine of this process, put together from the settings: where its agents work, which they are, and who tells the others
// that this host is alive.

import path from "node:path";
import type { Database } from "../db/database.ts";
import type { AgentDeps } from "../engine/agent/agent-deps.ts";
import { usualTimes } from "../engine/agent/agent-deps.ts";
import { endAbandoned } from "../engine/agent/end-abandoned.ts";
import type { Logger } from "../lib/logger.ts";
import { defaultLimits } from "../runner/job/job.ts";
import { listProcesses } from "../runner/job/process-table.ts";
import { openPool } from "../runner/task/open-pool.ts";
import { openGit } from "../runner/work/git.ts";
import { seeHost } from "../store/agent/work-store.ts";
import { listAgentNames, readRunnerConfig, type Variables } from "./agent-settings.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { openDrive, openJobs } from "./open-agents.ts";
import { openRunnerRoot } from "./open-runner-root.ts";

export const agentsFolder = (data: string): string => path.join(data, "agents");

type AgentInput = { readonly db: Database; readonly config: Config; readonly variables: Variables };

/** Throws where no agent can be used; settings are read anew each time. */
export function openAgentDeps({ db, config, variables }: AgentInput): AgentDeps {
  const root = openRunnerRoot(agentsFolder(config.data));
  const runner = readRunnerConfig(config, variables);
  const names = listAgentNames(config, variables);
  const jobs = openJobs(root, config.agent_config, variables);
  const searchPath = variables.PATH ?? "";
  const pool = openPool(root, { config: runner, names: [], searchPath, folders: [process.cwd()], isRoot: true });
  return {
    db,
    env: realEnv,
    jobs,
    git: openGit(variables),
    pool,
    agents: names.flatMap((name) => {
      try {
        return [pool.find(name)];
      } catch {
        return []; // Configured, and its program is not there.
      }
    }),
    limits: { ...defaultLimits, idleMs: runner.idleThresholdMs, stuckMs: runner.stuckThresholdMs },
    children: { timeoutMs: runner.childWaitTimeoutMs, pollMs: runner.childPollIntervalMs },
    depthMax: runner.maxDelegationDepth,
    times: usualTimes,
    writePrompt: openDrive(jobs).writePrompt,
  };
}

/** A fraction of the grace after which a host is given up. */
const beatMs = 30_000;

type HostInput = { readonly db: Database; readonly config: Config; readonly logger: Logger };

/** Until it is closed, others see that this host can go on with its runs, and what is left of runs that are over is ended. */
export function keepHost({ db, config, logger }: HostInput): { readonly close: () => void } {
  const root = openRunnerRoot(agentsFolder(config.data));
  const beat = async () => {
    try {
      await db.asSystem((tx) => seeHost(tx, root.host));
      const ended = await endAbandoned(db, { root, table: listProcesses });
      if (ended.length > 0) logger.info({ tasks: ended }, "ended what was left of runs that are over");
    } catch (error) {
      logger.debug({ error }, "the sign of life of this host was not written");
    }
  };
  void beat();
  const timer = setInterval(() => void beat(), beatMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
