// Behind the server's questions about agents: which there are here, and what becomes of the branch of a run on this host.

import { existsSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import type { UserId } from "../domain/identity/identity.ts";
import type { RunId } from "../domain/run/run.ts";
import { namesOf, workFolderOf } from "../engine/agent/agent-place.ts";
import { openGit } from "../runner/work/git.ts";
import { findRepository, findRepositoryProblem } from "../runner/work/repository.ts";
import { mergeWork, removeBranch } from "../runner/work/settle-work.ts";
import type { AgentsPort, RunBranch } from "../server/ports/agents.ts";
import { findAgentProblem, findFolderProblem, listAgentNames, type Variables } from "./agent-settings.ts";
import type { Config } from "./config-schema.ts";
import { agentsFolder } from "./open-agent-engine.ts";

export function showAgents(config: Config, variables: Variables): AgentsPort {
  const git = openGit(variables);
  const placeOf = ({ runId, userId }: Pick<RunBranch, "runId" | "userId">) => {
    const { projectId, taskId } = namesOf({ id: runId as RunId, userId: userId as UserId });
    return { projectId, taskId, folder: path.join(agentsFolder(config.data), projectId, taskId) };
  };
  const branchOf = ({ repository, branch, ...run }: RunBranch) => {
    const folder = workFolderOf({ path: placeOf(run).folder });
    return { git, repository, branch, folder };
  };
  const elsewhere = ({ host }: RunBranch) =>
    host === hostname()
      ? null
      : ({ kind: "in_the_way", why: `The files of this run are on ${host}: do it there.` } as const);
  return {
    show: () => {
      const problem = findAgentProblem(config, variables);
      return { names: problem === null ? listAgentNames(config, variables) : [], problem };
    },
    findPlace: (run) => {
      const { folder, ...place } = placeOf(run);
      return run.host === hostname() && existsSync(folder) ? place : null;
    },
    findRepository: async (folder) => {
      if (!path.isAbsolute(folder)) return { why: "must be an absolute path" };
      const repository = await findRepository(git, folder);
      if (repository === null)
        return { why: `${folder} is not in a git repository; run git init there, or leave it out` };
      const why = findFolderProblem(config, repository) ?? (await findRepositoryProblem(git, repository));
      return why === null ? { repository } : { why };
    },
    merge: async (branch, message) => elsewhere(branch) ?? mergeWork(branchOf(branch), message),
    discard: async (branch) => {
      const other = elsewhere(branch);
      if (other !== null) return other;
      await removeBranch(branchOf(branch));
      return { kind: "discarded" };
    },
  };
}
