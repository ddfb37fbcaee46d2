// The tools of the MCP servers that the operator has configured, under names of their own. A server that cannot be reached or a
// tool that cannot be offered is told of and left out; the other servers and tools still work.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "../lib/logger.ts";
import { foreignArgs } from "./mcp/foreign-args.ts";
import { hideSecretsOf } from "./mcp/hide-secrets.ts";
import type { McpServer, McpServers } from "./mcp/mcp-config.ts";
import {
  type McpConnection,
  type McpEndpoint,
  type McpTimes,
  makeMcpConnection,
  mcpTimes,
  type ToolDefinition,
} from "./mcp/mcp-connection.ts";
import { makeMcpTool } from "./mcp/mcp-tool.ts";
import type { Tool } from "./tool.ts";

export type McpDeps = {
  /** Each server that is a child of ours gets a folder in it as its home. */
  readonly homesFolder: string;
  /** The search path for programs, the only thing children are told of our environment. */
  readonly searchPath: string;
  readonly logger: Logger;
  readonly times?: McpTimes;
};

export type McpTools = {
  readonly tools: readonly Tool[];
  /** For people: what was left out and why. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
};

/** What providers take as the name of a tool. */
const nameMax = 64;
/** The beginning tells what is wrong; the rest may be an answer of the server. */
const whyMax = 200;
const toolName = /^[A-Za-z0-9_.-]{1,64}$/;

type Listed = {
  readonly server: string;
  readonly settings: McpServer;
  readonly connection: McpConnection;
  readonly definitions: readonly ToolDefinition[];
  readonly problems: readonly string[];
};

export async function openMcpTools(servers: McpServers, deps: McpDeps): Promise<McpTools> {
  const listed = await Promise.all(Object.entries(servers).map(([name, settings]) => list(name, settings, deps)));
  const problems = listed.flatMap((entry) => entry.problems);
  const tools = new Map<string, Tool>();
  for (const entry of listed) problems.push(...offer(entry, tools, deps.logger));
  for (const problem of problems) deps.logger.warn({}, `MCP: ${problem}`);
  return {
    tools: [...tools.values()],
    problems,
    close: async () => {
      await Promise.all(listed.map(({ connection }) => connection.close()));
    },
  };
}

async function list(server: string, settings: McpServer, deps: McpDeps): Promise<Listed> {
  const connection = makeMcpConnection(await endpointOf(server, settings, deps), deps.times ?? mcpTimes);
  try {
    const all = await connection.listTools(new AbortController().signal);
    const wanted = settings.tools ?? all.map(({ name }) => name);
    const missing = wanted.filter((name) => !all.some((tool) => tool.name === name));
    return {
      server,
      settings,
      connection,
      definitions: all.filter(({ name }) => wanted.includes(name)),
      problems: missing.map((name) => `the server ${server} has no tool ${name.slice(0, 100)}`),
    };
  } catch (thrown) {
    const why = thrown instanceof Error ? hideSecretsOf(settings)(thrown.message).slice(0, whyMax) : "";
    deps.logger.warn({ server, why }, "MCP server cannot be used");
    return { server, settings, connection, definitions: [], problems: [`the server ${server} cannot be reached`] };
  }
}

/** Puts what can be offered among the tools and returns why the others cannot. */
function offer(listed: Listed, tools: Map<string, Tool>, logger: Logger): readonly string[] {
  const { server, settings, connection } = listed;
  return listed.definitions.flatMap((definition) => {
    const fullName = `mcp__${server}__${definition.name.replaceAll(".", "_")}`;
    const args = foreignArgs(definition.inputSchema);
    const reason = refusal(definition, fullName, args !== null, tools);
    if (reason !== null) return [`${server}: a tool is not offered: ${reason}`];
    if (args === null) return [];
    const onChanged = () => logger.warn({ server, tool: fullName }, "MCP tool has changed and is switched off");
    tools.set(fullName, makeMcpTool({ fullName, server, settings, definition, args, connection, onChanged }));
    return [];
  });
}

function refusal(
  { name }: ToolDefinition,
  fullName: string,
  hasSchema: boolean,
  tools: ReadonlyMap<string, Tool>,
): string | null {
  if (!toolName.test(name)) return "its name has other characters than letters, digits, dots, - and _";
  if (fullName.length > nameMax) return `${fullName} is longer than ${nameMax} characters`;
  if (tools.has(fullName)) return `${fullName} exists already`;
  return hasSchema ? null : `the schema of ${fullName} cannot be used`;
}

async function endpointOf(server: string, settings: McpServer, deps: McpDeps): Promise<McpEndpoint> {
  if (settings.url !== undefined) return { kind: "http", url: settings.url, headers: settings.headers ?? {} };
  const folder = path.join(deps.homesFolder, server);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const env = { PATH: deps.searchPath, HOME: folder, ...settings.env };
  return { kind: "stdio", server: { command: settings.command ?? "", args: settings.args ?? [], env, folder } };
}
