// The home folder of a run's agents: nothing of the person's own, but the login and settings of the agent itself where it has no key of
// the configuration. A file system is no sandbox: an agent that goes looking for other paths can read what its user may read.

import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BackendName } from "../../runner/backends/backend.ts";
import type { StartDeps } from "../../runner/job/job.ts";
import type { TaskFolder } from "../../runner/layout/runner-root.ts";
import type { PoolAgent } from "../../runner/task/agent-pool.ts";

const logins: Readonly<Partial<Record<BackendName, readonly string[]>>> = {
  claude: [".claude", ".claude.json", "Library/Keychains"],
  codex: [".codex"],
  gemini: [".gemini"],
  opencode: [".config/opencode", ".local/share/opencode", ".local/state/opencode"],
};

const gitConfig = "[user]\n\tname = Homework agent\n\temail = homework@localhost\n";

/** How the agents of this run are started: with a home of their own. */
export function withOwnHome(jobs: StartDeps, task: TaskFolder, agents: readonly PoolAgent[]): StartDeps {
  const { variables } = jobs.surroundings;
  const home = path.join(task.path, "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const config = path.join(home, ".gitconfig");
  if (!existsSync(config)) writeFileSync(config, gitConfig, { mode: 0o600 });
  const own = variables.HOME;
  if (own !== undefined)
    for (const { backend, token } of agents)
      for (const name of token === null ? (logins[backend.name] ?? []) : []) link(own, home, name);
  return { ...jobs, surroundings: { ...jobs.surroundings, variables: { ...variables, HOME: home } } };
}

function link(own: string, home: string, name: string): void {
  const [from, to] = [path.join(own, name), path.join(home, name)];
  if (!existsSync(from) || lstatSync(to, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to);
}
