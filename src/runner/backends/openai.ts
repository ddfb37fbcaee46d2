// Any endpoint that speaks OpenAI's chat protocol, or its Responses protocol with the argument `--responses`. It has no tools: it
// answers, and writes no files.

import { AppError } from "../../lib/app-error.ts";
import { makeApiCommand, readApiLines } from "./api-agent.ts";
import { checkBaseUrl, checkValue } from "./arguments.ts";
import type { AgentCommand, AgentRequest, Backend } from "./backend.ts";
import { judgeEnd } from "./judge-end.ts";

const keyVariable = "OPENAI_API_KEY";
const usualUrl = "https://api.openai.com/v1";

export const openai: Backend = {
  name: "openai",
  keyVariable,
  version: null,
  command,
  reader: readApiLines,
  judge: (end, nowMs) => judgeEnd(end, nowMs, end.heard.error?.status ?? null),
};

function command({ model, baseUrl, token, program }: AgentRequest): AgentCommand {
  if (model === null) throw new AppError("invalid_request", "The openai backend needs a model.");
  const protocol = program.includes("--responses") ? "responses" : "chat";
  const base = checkBaseUrl(baseUrl ?? usualUrl);
  return makeApiCommand({
    url: `${base}/${protocol === "responses" ? "responses" : "chat/completions"}`,
    protocol,
    keyVariable,
    token,
    body: { model: checkValue("a model", model) },
  });
}
