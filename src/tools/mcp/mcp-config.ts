// What an operator says of a MCP server: how it is reached, which of its tools may be used, which of them change something.

import { z } from "zod";

const text = z.string("must be text").min(1, "must not be empty").max(4_000);
const texts = z.record(z.string().regex(/^[\w.-]{1,100}$/, "must be a name"), z.string("must be text").max(20_000));
const toolNames = z.array(text, "must be a list of names of tools").max(500);

const mcpServer = z
  .strictObject({
    command: text.optional(),
    args: z.array(z.string("must be text"), "must be a list of texts").max(100).optional(),
    env: texts.optional(),
    url: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .max(2_000)
      .optional(),
    headers: texts.optional(),
    /** Only these; without it, all that the server has. */
    tools: toolNames.optional(),
    /** Those that change something. Without it, each may. */
    writes: toolNames.optional(),
    /** `reads`: what is sent to its other tools stays among those who may see everything. */
    trust: z.enum(["none", "reads"], "must be one of none, reads").default("none"),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), "needs either command or url")
  .refine(({ url, args, env }) => url === undefined || (!args && !env), "args and env go with command only")
  .refine(({ command, headers }) => command === undefined || !headers, "headers go with url only");

/** Short, because the name stands in front of each of its tools, and providers take 64 characters for both. */
const serverName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]|_(?!_)){0,30}$/);

export const mcpServers = z.record(serverName, mcpServer, {
  error: ({ code }) =>
    code === "invalid_key"
      ? "names of servers are lower-case letters, digits, - and _"
      : "must be an object: a server for each name",
});

export type McpServer = Readonly<z.output<typeof mcpServer>>;
export type McpServers = Readonly<Record<string, McpServer>>;
