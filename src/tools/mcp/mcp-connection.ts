// A connection to one MCP server that is made when it is first needed and made again once when it broke. It knows nothing of
// what tools mean; every question to the server has a time limit.

import { type CallToolResult, createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import { unreachable } from "../../lib/assert.ts";
import { type StdioServer, StdioTransport } from "./stdio-transport.ts";

export type McpTimes = { readonly connectMs: number; readonly listMs: number; readonly callMs: number };

/** A server started by a package runner first has to be downloaded. */
export const mcpTimes: McpTimes = { connectMs: 30_000, listMs: 15_000, callMs: 60_000 };

export type McpEndpoint =
  | { readonly kind: "stdio"; readonly server: StdioServer }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

export type McpConnection = {
  /** Where the connection is broken, it is made anew, once. */
  readonly listTools: (signal: AbortSignal) => Promise<readonly ToolDefinition[]>;
  /** Never repeated: who calls knows whether that would do harm. */
  readonly callTool: (name: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult>;
  readonly close: () => Promise<void>;
};

/** Servers page their lists; one with more is not for a model. */
const pagesMax = 20;
const toolsMax = 500;

export function makeMcpConnection(endpoint: McpEndpoint, times: McpTimes): McpConnection {
  let opened: Promise<MCPClient> | null = null;
  let isClosed = false;

  const current = (): Promise<MCPClient> => {
    opened ??= isClosed ? Promise.reject(new Error("the connection was closed")) : connect(endpoint, times);
    return opened;
  };
  /** Others may have connected anew already; theirs stays. */
  const drop = async (used: Promise<MCPClient> | null): Promise<void> => {
    if (opened === used) opened = null;
    await used?.then((client) => client.close()).catch(() => {});
  };

  return {
    listTools: async (signal) => {
      const used = current();
      try {
        return await listAll(await used, times.listMs, signal);
      } catch (thrown) {
        await drop(used);
        if (signal.aborted || isClosed) throw thrown;
        return await listAll(await current(), times.listMs, signal);
      }
    },
    callTool: async (name, args, signal) => {
      const client = await current();
      return await client.callTool({ name, arguments: args, options: { signal, timeout: times.callMs } });
    },
    close: async () => {
      isClosed = true;
      await drop(opened);
    },
  };
}

function connect(endpoint: McpEndpoint, times: McpTimes): Promise<MCPClient> {
  return createMCPClient({
    transport: transportOf(endpoint),
    clientName: "homework",
    initializationOptions: { timeout: times.connectMs },
    // Also messages that the client does not understand, such as notifications, which no call waits for.
    onUncaughtError: () => {},
  });
}

async function listAll(client: MCPClient, timeout: number, signal: AbortSignal): Promise<readonly ToolDefinition[]> {
  const tools: ToolDefinition[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax && tools.length < toolsMax; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const answer = await client.listTools({ ...params, options: { timeout, signal } });
    for (const { name, description = "", inputSchema } of answer.tools)
      tools.push({ name, description, inputSchema: { ...inputSchema } });
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return tools.slice(0, toolsMax);
}

function transportOf(endpoint: McpEndpoint): Parameters<typeof createMCPClient>[0]["transport"] {
  switch (endpoint.kind) {
    case "stdio":
      return new StdioTransport(endpoint.server);
    case "http":
      return {
        type: "http",
        url: endpoint.url,
        headers: { ...endpoint.headers },
        redirect: "error",
        fetch: boundedFetch,
      };
    default:
      return unreachable(endpoint);
  }
}

/** Of one answer, as for a line of a server that is our child. */
const bytesMax = 8_000_000;

/** `fetch` whose answers end at a limit, for servers that would send more than anyone can read. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > bytesMax) controller.error(new Error("the server sent too much"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
};
