// Every setting of run-agent, with its default, its limits and what it means. What settings must be together is in `check-config.ts`.

import { backendNames, permissionPolicies } from "../backends/backend.ts";
import { strategies } from "../backends/choose-backend.ts";
import {
  count,
  dollars,
  duration,
  family,
  folder,
  group,
  limit,
  list,
  oneOf,
  optionalFile,
  optionalOneOf,
  optionalText,
  text,
  webAddress,
} from "./setting.ts";

/** Names that were settings, or are in the seed of this program, and why they are none. */
export const droppedSettings: Readonly<Record<string, string>> = {
  deploy_ssh_key: " Projects are not kept in a git repository, so no key is used. Remove it.",
};

const weights = family("Share of each agent for the strategy weights.", count(0, 1_000, 1, "Share of this agent."));

const agents = family(
  'Agents that run-agent may start. In config.hcl each one is a block: agent "name" { … }.',
  group("", {
    type: optionalOneOf(backendNames, "Kind of agent. Not needed where the name is one of them.", { owners: true }),
    token: optionalText('Key of the provider, or "@/path" of a file with it. Better: token_file.', {
      owners: true,
      secret: true,
    }),
    token_file: optionalFile("File with the key of the provider.", { owners: true }),
    base_url: webAddress("Address of the provider, where it is not the usual one.", { owners: true }),
    model: optionalText("Model to use; without it, the agent's own choice."),
    permissions: optionalOneOf(
      permissionPolicies,
      "acp: allow what stays in the work folder and ask about the rest (the default), ask about all, or reject all.",
      { owners: true },
    ),
    mode: optionalText("acp: mode of the session, as the agent calls it.", { owners: true }),
    key_variable: optionalText("acp: variable that the key goes into, where the agent is not a known one.", {
      owners: true,
    }),
    command: list("Program and arguments of a command or acp agent; extra arguments for the others.", {
      owners: true,
    }),
  }),
);

export const settings = group("", {
  projects_root: folder("~/run-agent", "Folder that holds the projects.", { owners: true }),
  max_restarts: count(0, 10_000, 100, "How often the root agent of a task is started again."),
  time_budget: limit(
    "1s",
    "365d",
    "24h",
    "Time the agents of a task may work, all starts together; waiting does not count.",
  ),
  cost_budget: dollars(
    1_000_000,
    "Dollars a task may cost, all starts of its root agent together; files of a task or project can only lower it. null: no limit.",
  ),
  restart_delay: duration("0s", "1h", "1s", "Pause before the root agent is started again."),
  child_wait_timeout: duration(
    "0s",
    "7d",
    "5m",
    "How long a task with DONE waits for child runs that are still running.",
  ),
  child_poll_interval: duration("50ms", "1h", "1s", "How often child runs are looked at while a task waits for them."),
  idle_threshold: duration(
    "1s",
    "7d",
    "5m",
    "An agent is idle after this long without output while its children are idle.",
  ),
  stuck_threshold: duration(
    "1s",
    "30d",
    "15m",
    "An agent is stuck after this long without output. Longer than idle_threshold.",
  ),
  max_delegation_depth: count(1, 100, 16, "How deep agents may start other agents."),
  agents,
  selection: group("Which agent the next run gets.", {
    strategy: oneOf(strategies, "round-robin", "In turn, at random, or at random by weights."),
    order: list("Agents in this order; the others are not used. Empty: all of them."),
    weights,
    cooldown: duration("0s", "7d", "10m", "How long an agent that failed is passed over."),
  }),
  serve: group("The page of run-agent serve.", {
    host: text("127.0.0.1", "Address to listen on.", { owners: true }),
    port: count(0, 65_535, 14_355, "Port to listen on. 0: any free one.", { owners: true }),
  }),
});
