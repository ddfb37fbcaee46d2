// Has the arguments of a tool call corrected by a small model, which sees them, the error and the schema.

import { z } from "zod";
import { repairPrompt } from "../../prompts/repair-prompt.ts";
import { argsSchema } from "../../tools/args-schema.ts";
import type { Tool } from "../../tools/tool.ts";
import { askObject } from "../ask.ts";
import type { ToolHost } from "./tool-host.ts";

const anyArgs = z.record(z.string(), z.unknown());
const outputMax = 2_000;

/** Null where it gave nothing to try. */
export async function repairArgs(
  host: ToolHost,
  key: string,
  tool: Tool,
  args: unknown,
  error: string,
): Promise<unknown> {
  const view = { tool: tool.name, args, error, schema: argsSchema(tool) };
  const { system, message } = repairPrompt(view, host.nonce);
  const repaired = await askObject(
    host,
    key,
    {
      role: "repair",
      system,
      messages: [{ role: "user", text: message }],
      tools: [],
      format: "json",
      maxOutputTokens: outputMax,
      cacheKey: `${host.cacheKey}/repair`,
      view,
    },
    anyArgs,
  );
  return repaired.ok ? repaired.value : null;
}
