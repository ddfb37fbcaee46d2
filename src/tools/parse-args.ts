// Whether what a model sent are arguments of a tool. If not, it is told what is wrong with them and what they should be, in
// words from which they can be repaired.

import { z } from "zod";
import { readJson } from "../lib/json.ts";
import { argsSchema } from "./args-schema.ts";
import { cut } from "./bounds.ts";
import type { Tool } from "./tool.ts";

export type ParsedArgs = { readonly ok: true; readonly args: unknown } | { readonly ok: false; readonly text: string };

/** A model that makes more mistakes than fit here begins anew anyway. */
const problemsMax = 2_000;

export function parseArgs(tool: Pick<Tool, "name" | "args">, given: unknown): ParsedArgs {
  const read = fromString(given);
  if (typeof read === "string") return wrong(tool, "The arguments are no JSON object.");
  const parsed = tool.args.safeParse(read ?? {});
  return parsed.success ? { ok: true, args: parsed.data } : wrong(tool, z.prettifyError(parsed.error));
}

/** Some models send their JSON as a string. What is in it has to fit all the same. */
function fromString(given: unknown): unknown {
  if (typeof given !== "string") return given;
  return given.trim() === "" ? {} : readJson(given, given);
}

const wrong = (tool: Pick<Tool, "name" | "args">, problems: string): ParsedArgs => ({
  ok: false,
  text: `These are no arguments for ${tool.name}:\n${cut(problems, problemsMax)}\nThey must fit this JSON schema:\n${JSON.stringify(argsSchema(tool))}`,
});
