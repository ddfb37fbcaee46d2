// One kind of agent by its name, without loading the others: the process of an agent run needs no more.

import type { Backend, BackendName } from "./backend.ts";

const loaders: Readonly<Record<BackendName, () => Promise<Backend>>> = {
  claude: async () => (await import("./claude.ts")).claude,
  codex: async () => (await import("./codex.ts")).codex,
  gemini: async () => (await import("./gemini.ts")).gemini,
  opencode: async () => (await import("./opencode.ts")).opencode,
  acp: async () => (await import("./acp.ts")).acp,
  perplexity: async () => (await import("./perplexity.ts")).perplexity,
  openai: async () => (await import("./openai.ts")).openai,
  command: async () => (await import("./command.ts")).command,
};

/** Null: there is no such backend. */
export async function loadBackend(name: string): Promise<Backend | null> {
  return Object.hasOwn(loaders, name) ? loaders[name as BackendName]() : null;
}
