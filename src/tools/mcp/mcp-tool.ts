// One tool of an MCP server as a tool of ours. What the server said of it at first is pinned for the life of the process: a tool
// that is described differently later may do something else, and is switched off.

import { createHash } from "node:crypto";
import { MCPClientError } from "@ai-sdk/mcp";
import { z } from "zod";
import type { ToolTag } from "../../domain/policy/egress.ts";
import { spoilMarks, visibleText } from "../../domain/policy/fence-text.ts";
import { outsideTool, refuse, type Tool, type ToolOutcome } from "../tool.ts";
import { hideSecretsOf } from "./hide-secrets.ts";
import type { McpServer } from "./mcp-config.ts";
import type { McpConnection, ToolDefinition } from "./mcp-connection.ts";

const descriptionMax = 1_000;

export type McpToolParts = {
  readonly fullName: string;
  readonly server: string;
  readonly settings: McpServer;
  readonly definition: ToolDefinition;
  readonly args: z.ZodType<Record<string, unknown>>;
  readonly connection: McpConnection;
  /** Told once when the tool is switched off. */
  readonly onChanged: () => void;
};

export function makeMcpTool(parts: McpToolParts): Tool {
  const { server, settings, definition, connection } = parts;
  const isKnownRead = settings.writes !== undefined && !settings.writes.includes(definition.name);
  const stillPinned = makePin(parts);
  return outsideTool<Record<string, unknown>>({
    name: parts.fullName,
    description: describe(server, hideSecretsOf(settings)(definition.description)),
    ...(settings.trust === "reads" ? {} : { isForeignText: true as const }),
    args: parts.args,
    tags: tagsOf(isKnownRead && settings.trust === "reads"),
    stage: 2,
    isRepeatable: isKnownRead,
    destination: () => `mcp:${server}/${definition.name}`,
    act: async (_context, args, { signal }) => {
      const reached = await stillPinned(signal);
      if (reached === "unreachable") return refuse("unavailable", `The server "${server}" cannot be reached.`);
      if (reached === "changed")
        return refuse("denied", `The tool has changed since it was first seen, and is switched off until a restart.`);
      try {
        return outcomeOf(parts, await connection.callTool(definition.name, args, signal));
      } catch (thrown) {
        signal.throwIfAborted();
        return failureOf(parts, thrown, isKnownRead);
      }
    },
  });
}

/** What an operator does not vouch for can carry anything anywhere; all of it may show private things of strangers and users. */
function tagsOf(isVouchedFor: boolean): readonly ToolTag[] {
  return isVouchedFor ? ["private", "untrusted"] : ["private", "untrusted", "egress"];
}

/** Bounded, in quotation marks and in one paragraph, so that it cannot pass for our own words. */
function describe(server: string, description: string): string {
  const said = spoilMarks(visibleText(description))
    .replaceAll(/\s+/g, " ")
    .replaceAll('"', "'")
    .trim()
    .slice(0, descriptionMax);
  return `A tool of the server "${server}", which says of it: "${said}"`;
}

function makePin({ definition, connection, onChanged }: McpToolParts) {
  const pin = fingerprint(definition);
  let isOff = false;
  return async (signal: AbortSignal): Promise<"pinned" | "changed" | "unreachable"> => {
    if (isOff) return "changed";
    try {
      const now = (await connection.listTools(signal)).find(({ name }) => name === definition.name);
      if (now && fingerprint(now) === pin) return "pinned";
    } catch {
      signal.throwIfAborted();
      return "unreachable";
    }
    if (!isOff) onChanged();
    isOff = true;
    return "changed";
  };
}

/** Tells whether a server still says of a tool what it said at first. */
function fingerprint({ name, description, inputSchema }: ToolDefinition): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, sorted(inputSchema)]))
    .digest("hex");
}

/** The order in which a server lists keys means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}

function outcomeOf({ server, settings, definition, fullName }: McpToolParts, answer: unknown): ToolOutcome {
  const { text: said, isError } = renderResult(answer);
  const text = hideSecretsOf(settings)(said);
  if (isError) return { ...refuse("failed", text), isUntrusted: true };
  const summary = `called ${definition.name} of ${server}`;
  return { ok: true, text, artifacts: [], summary: summary.slice(0, 200) || fullName, isUntrusted: true };
}

function failureOf({ server, settings }: McpToolParts, thrown: unknown, isKnownRead: boolean): ToolOutcome {
  // A code means that the server has answered, and refused.
  if (MCPClientError.isInstance(thrown) && thrown.code !== undefined) {
    const said = hideSecretsOf(settings)(visibleText(thrown.message)).slice(0, 2_000);
    return { ...refuse("failed", `The server "${server}" refused: ${said}`), isUntrusted: true };
  }
  if (isKnownRead) return refuse("unavailable", `The server "${server}" did not answer. It can be tried again.`);
  return refuse(
    "unavailable",
    `The server "${server}" did not answer. It is not known whether it was done: find out before you try again.`,
  );
}

const resultMax = 100_000;

const resultPart = z.union([
  z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }) => text),
  z
    .object({ type: z.enum(["image", "audio"]), mimeType: z.string().max(100).catch("unknown") })
    .transform(({ type, mimeType }) => `(${type}, ${mimeType}: not shown)`),
  z
    .object({ type: z.literal("resource"), resource: z.object({ uri: z.string(), text: z.string() }) })
    .transform(({ resource }) => `${resource.uri}:\n${resource.text}`),
  z
    .object({ type: z.literal("resource_link"), uri: z.string() })
    .transform(({ uri }) => `(a link to ${uri.slice(0, 1_000)})`),
  z.object({ type: z.string().max(100) }).transform(({ type }) => `(${type}: not shown)`),
]);

const toolResult = z.object({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  toolResult: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

/** An answer as text of bounded length. Pictures and other bytes are named, not shown. */
function renderResult(answer: unknown): { readonly text: string; readonly isError: boolean } {
  const { content, structuredContent, toolResult: plainResult, isError } = toolResult.parse(answer);
  const parts = content.map((entry) => resultPart.safeParse(entry).data ?? "(not readable)");
  const other = structuredContent ?? plainResult;
  const whole = parts.length > 0 ? parts.join("\n\n") : other === undefined ? "" : JSON.stringify(other);
  const text = visibleText(whole.slice(0, resultMax));
  const cut = whole.length > resultMax ? "\n\n(The answer is longer; this is its beginning.)" : "";
  return { text: `${text || "(an empty answer)"}${cut}`, isError };
}
