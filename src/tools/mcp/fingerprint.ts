// Tells whether a server still says of a tool what it said at first.

import { createHash } from "node:crypto";
import type { ToolDefinition } from "./mcp-connection.ts";

export function fingerprint({ name, description, inputSchema }: ToolDefinition): string {
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
