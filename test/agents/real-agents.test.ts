// The real programs, from npm, on the model lab: clean HOME, a key that means nothing, and no host but this machine. Which ones is
// in TEST_AGENTS (`npm run test:agents`: all of them; `npm test`: one).

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentLab, startAgentLab } from "./agent-lab.ts";
import { lastWords } from "./agent-scene.ts";
import type { TestedAgent } from "./agent-world.ts";
import { describeAgent } from "./contract.ts";
import { type AgentName, agentNames, type InstalledAgent, installAgent } from "./install-agents.ts";
import { describeTask } from "./task-contract.ts";

const wanted = (process.env.TEST_AGENTS ?? agentNames.join(",")).split(",");
const names = agentNames.filter((name) => wanted.includes(name));

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

let lab: AgentLab;
const installed = new Map<AgentName, InstalledAgent>();

beforeAll(async () => {
  lab = await startAgentLab();
  for (const name of names) installed.set(name, await installAgent(name, (line) => process.stderr.write(`${line}\n`)));
});
afterAll(() => lab.close());

function describeTested(name: AgentName): TestedAgent {
  const { proxyUrl } = lab;
  return {
    name,
    binFolder: installed.get(name)?.binFolder ?? "",
    model: models[name],
    baseUrl: addresses[name](lab),
    variables: {
      ...{ HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, ALL_PROXY: proxyUrl, NO_PROXY: "127.0.0.1" },
      ...{ http_proxy: proxyUrl, https_proxy: proxyUrl, all_proxy: proxyUrl, no_proxy: "127.0.0.1" },
    },
    lastWords,
  };
}

test("at least one agent is tested", () => {
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual(wanted);
});

describe.each(names)("%s", (name) => {
  describeAgent("as a job", () => describeTested(name), "job");
  describe("as a task", () => describeTask(() => describeTested(name)));
});

test("no host outside was asked for, and the lab refused nothing", () => {
  expect(lab.outside).toEqual([]);
  expect(lab.refusals.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
});
