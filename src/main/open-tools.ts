// The tools of this process: those on our own database, the web as far as the settings allow it, and the operator's MCP
// servers.

import path from "node:path";
import type { Logger } from "../lib/logger.ts";
import { builtInTools } from "../tools/built-in.ts";
import { openMcpTools } from "../tools/mcp-tools.ts";
import type { Tool } from "../tools/tool.ts";
import { systemDial } from "../tools/web/dial.ts";
import { fetchPage } from "../tools/web/fetch-page.ts";
import { openKilledPages } from "../tools/web/killed-pages.ts";
import { usualPorts, webLimits } from "../tools/web/limits.ts";
import { helperMemoryMb, openPageReader } from "../tools/web/readable-page.ts";
import { makeWebTools } from "../tools/web-tools.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";

export type OpenTools = {
  readonly all: readonly Tool[];
  /** For checks that an address answers: asked like a page is fetched, so nothing inside our network. */
  readonly answers: (url: string, signal: AbortSignal) => Promise<{ readonly isGreen: boolean; readonly seen: string }>;
  readonly close: () => Promise<void>;
};

export async function openTools(config: Config, logger: Logger): Promise<OpenTools> {
  const dial = systemDial();
  const killed = openKilledPages(path.join(config.data, "unreadable-pages"), realEnv.now);
  const reader = openPageReader({ parseMs: webLimits.parseMs, memoryMb: helperMemoryMb }, killed);
  const { webFetch, webSearch } = makeWebTools({
    settings: {
      webFetch: config.web_fetch,
      webPorts: config.web_fetch_ports,
      braveApiKey: config.brave_api_key,
      tavilyApiKey: config.tavily_api_key,
      searxngUrl: config.searxng_url,
      isSearchTrusted: config.web_search_trusted,
    },
    dial,
    fetch,
    reader,
  });
  const homesFolder = path.join(config.data, "mcp");
  const searchPath = process.env.PATH ?? "";
  const mcp = await openMcpTools(config.mcp_servers ?? {}, { homesFolder, searchPath, logger });
  const web = [webFetch, webSearch].filter((tool) => tool !== null);
  const pages = { dial, limits: webLimits, ports: config.web_fetch_ports ?? usualPorts };
  return {
    all: [...builtInTools, ...web, ...mcp.tools],
    answers: async (url, signal) => {
      const answer = await fetchPage(url, pages, signal);
      return answer.kind === "page"
        ? { isGreen: true, seen: `${answer.url} answers with ${answer.mediaType}` }
        : { isGreen: false, seen: answer.why };
    },
    close: async () => {
      await Promise.all([mcp.close(), reader.close()]);
    },
  };
}
