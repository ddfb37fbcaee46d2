// Every kind of agent that run-agent can start, by name.

import { AppError } from "../../lib/app-error.ts";
import { quote } from "../layout/ids.ts";
import { acp } from "./acp.ts";
import type { Backend, BackendName } from "./backend.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { opencode } from "./opencode.ts";
import { perplexity } from "./perplexity.ts";

export const backends: readonly Backend[] = [claude, codex, gemini, opencode, acp, perplexity, openai, command];

export function requireBackend(name: string): Backend {
  const found = backends.find((backend) => backend.name === name);
  if (found) return found;
  const names: readonly BackendName[] = backends.map((backend) => backend.name);
  throw new AppError("invalid_request", `There is no backend ${quote(name)}. Use one of ${names.join(", ")}.`);
}
