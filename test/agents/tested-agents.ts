// The real agents of a test run, installed and pointed at a model lab: TEST_AGENTS says which.

import { type Acts, type AgentLab, startAgentLab } from "./agent-lab.ts";
import { lastWords } from "./agent-scene.ts";
import { agentKey, type TestedAgent } from "./agent-world.ts";
import { type AgentName, agentNames, type InstalledAgent, installAgent } from "./install-agents.ts";

export const wantedNames: readonly string[] = (process.env.TEST_AGENTS ?? agentNames.join(",")).split(",");
export const testedNames: readonly AgentName[] = agentNames.filter((name) => wantedNames.includes(name));

const models: Readonly<Record<AgentName, string>> = {
  claude: "claude-sonnet-4-5",
  codex: "gpt-5.5",
  gemini: "gemini-2.5-pro",
  opencode: "lab/lab-model",
};
/** Claude and Gemini add the version themselves. */
const addresses: Readonly<Record<AgentName, (lab: AgentLab) => string>> = {
  claude: (lab) => lab.baseUrl("anthropic").replace(/\/v1$/, ""),
  codex: (lab) => lab.baseUrl("openai"),
  gemini: (lab) => lab.baseUrl("google").replace(/\/v1$/, ""),
  opencode: (lab) => lab.baseUrl("openai-compatible"),
};

export type TestedAgents = {
  readonly lab: AgentLab;
  readonly find: (name: AgentName) => TestedAgent;
};

export async function openTestedAgents(acts: Acts = {}): Promise<TestedAgents> {
  const installed = new Map<AgentName, InstalledAgent>();
  for (const name of testedNames)
    installed.set(name, await installAgent(name, (line) => process.stderr.write(`${line}\n`)));
  const lab = await startAgentLab(acts);
  const { proxyUrl } = lab;
  return {
    lab,
    find: (name) => ({
      name,
      binFolder: installed.get(name)?.binFolder ?? "",
      model: models[name],
      baseUrl: addresses[name](lab),
      variables: {
        ...{ HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, ALL_PROXY: proxyUrl, NO_PROXY: "127.0.0.1" },
        ...{ http_proxy: proxyUrl, https_proxy: proxyUrl, all_proxy: proxyUrl, no_proxy: "127.0.0.1" },
      },
      lastWords,
    }),
  };
}

/** Its block in config.hcl. */
export const writeAgentBlock = ({ name, baseUrl, model }: TestedAgent): string =>
  `agent "${name}" {\n  token = "${agentKey}"\n  base_url = "${baseUrl}"\n  model = "${model}"\n}\n`;
