// Perplexity's Agent API in the Responses format: research with sources. It has no tools of this machine: it answers, and writes no
// files. Its chat endpoint ended on 27 September 2026.

import { makeApiCommand, readApiLines } from "./api-agent.ts";
import { checkBaseUrl, checkValue } from "./arguments.ts";
import type { AgentCommand, AgentRequest, Backend } from "./backend.ts";
import { judgeEnd } from "./judge-end.ts";

const keyVariable = "PERPLEXITY_API_KEY";
const usualUrl = "https://api.perplexity.ai/v1";
const usualModel = "perplexity/sonar";
/** Given as the model they choose one themselves; beside a model they say how much it searches. */
const presets = ["fast", "low", "medium", "high", "xhigh"];
const usualPreset = "low";

export const perplexity: Backend = {
  name: "perplexity",
  keyVariable,
  version: null,
  command,
  reader: readApiLines,
  judge: (end, nowMs) => judgeEnd(end, nowMs, end.heard.error?.status ?? null),
};

function command({ model, baseUrl, token }: AgentRequest): AgentCommand {
  const asked = checkValue("a model", model ?? usualModel);
  const isPreset = presets.includes(asked);
  return makeApiCommand({
    url: `${checkBaseUrl(baseUrl ?? usualUrl)}/agent`,
    protocol: "responses",
    keyVariable,
    token,
    body: { model: isPreset ? usualModel : asked, preset: isPreset ? asked : usualPreset },
  });
}
