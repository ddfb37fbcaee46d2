// The outside world of the security suite: one server that is every website and the search engine, and an MCP server. They answer
// with whatever text a test has left for a code, and write down everything they are told.

import { foreignArgs } from "../../src/tools/mcp/foreign-args.ts";
import type { McpConnection, ToolDefinition } from "../../src/tools/mcp/mcp-connection.ts";
import { makeMcpTool } from "../../src/tools/mcp/mcp-tool.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { webLimits } from "../../src/tools/web/limits.ts";
import { searxngSearch } from "../../src/tools/web/search-provider.ts";
import { makeWebFetch } from "../../src/tools/web-fetch.ts";
import { makeWebSearch } from "../../src/tools/web-search.ts";
import { dialOnly, noReader, startCanary } from "../helpers/web-canary.ts";

export type Outside = {
  readonly tools: readonly Tool[];
  /** What a page, a search result or a note with this code in its name says. */
  readonly texts: Map<string, string>;
  /** Everything that reached it: `web host path`, `name host` (a name was looked up), `mcp tool args`. */
  readonly told: readonly string[];
  readonly pageUrl: (path: string, host?: string) => string;
  /** A server that nobody vouches for, and what it says of its one tool. */
  readonly strangeTool: (description: string) => Tool;
  readonly close: () => Promise<void>;
};

export async function openOutside(): Promise<Outside> {
  const told: string[] = [];
  const texts = new Map<string, string>();
  const textFor = (asked: string) => texts.get(/zq\d{3}/.exec(asked)?.[0] ?? "") ?? "Nothing of interest.";
  const canary = await startCanary((request, response) => {
    const address = `${request.headers.host} ${request.url}`;
    told.push(`web ${decodeURIComponent(address)}`);
    const next = new URL(request.url ?? "/", "http://x.example").searchParams.get("to");
    if (request.url?.startsWith("/redirect") && next !== null)
      return void response.writeHead(302, { Location: next }).end();
    const text = textFor(address);
    if (request.url?.startsWith("/search"))
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(foundFor(text)));
    else response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end(text);
  });
  const foundFor = (text: string) => ({
    results: [{ title: "How to water plants", url: canary.url("/plants", "found.example"), content: text }],
  });
  const dial = dialOnly(canary.port);
  const web = makeWebFetch({
    dial: {
      ...dial,
      resolve: (host) => {
        told.push(`name ${host}`);
        return dial.resolve(host);
      },
    },
    ports: [canary.port],
    limits: webLimits,
    reader: noReader,
  });
  const provider = searxngSearch(`http://127.0.0.1:${canary.port}`, fetch);
  const office = {
    tell: (tool: string, args: unknown) => {
      told.push(`mcp ${tool} ${JSON.stringify(args)}`);
      return textFor(JSON.stringify(args));
    },
  };
  return {
    tools: [web, makeWebSearch({ provider, isTrusted: false }), ...officeTools(office.tell)],
    texts,
    told,
    pageUrl: canary.url,
    strangeTool: (description) => mcpTool("strange", { name: "greet", description }, office.tell),
    close: canary.close,
  };
}

type Tell = (tool: string, args: unknown) => string;

const officeTools = (tell: Tell): readonly Tool[] => [
  mcpTool("office", { name: "read_notes", description: "Reads the notes of the office." }, tell),
  mcpTool("office", { name: "send_mail", description: "Sends a mail." }, tell),
];

/** The real wrapper around a connection without a wire. */
function mcpTool(
  server: string,
  { name, description }: Pick<ToolDefinition, "name" | "description">,
  tell: Tell,
): Tool {
  const definition: ToolDefinition = { name, description, inputSchema: { type: "object", properties: {} } };
  const connection: McpConnection = {
    listTools: async () => [definition],
    callTool: async (tool, args) => ({ content: [{ type: "text", text: tell(tool, args) }], isError: false }),
    close: async () => {},
  };
  const args = foreignArgs(definition.inputSchema);
  if (args === null) throw new Error("a plain schema");
  const trust = server === "office" ? "reads" : "none";
  return makeMcpTool({
    fullName: `mcp__${server}__${name}`,
    server,
    settings: { command: "none", writes: ["send_mail"], trust },
    definition,
    args,
    connection,
    onChanged: () => {},
  });
}
