// What an iteration did: its tool calls and its executors.

import type { CalledTool } from "./call-tool.ts";
import type { Executed } from "./run-executor.ts";

export type Done = {
  readonly calls: readonly (CalledTool & { readonly stepId: string | null })[];
  readonly executed: readonly Executed[];
};
