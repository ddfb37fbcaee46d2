// The tools that only a planner's session has: its plan, its promises, its executors, its questions and its end. What comes of a
// call is in session-calls.ts.

import { askArgs, delegateArgs, endArgs, planArgs, proposalArgs } from "../../domain/planner/answer.ts";
import { argsSchema } from "../../tools/args-schema.ts";
import { type ParsedArgs, parseArgs } from "../../tools/parse-args.ts";
import type { OfferedTool } from "../../tools/registry.ts";

/** A working session: enough for a paper with its reading, too little to go round in circles. */
export const plannerLimits = { answers: 12, calls: 40, callsAtOnce: 16 } as const;

const tools = {
  update_plan: {
    description: "Adds steps to the plan or changes them; the others stay.",
    args: planArgs,
  },
  propose_checks: {
    description:
      "Names what the run delivers (d1, …) and a check for each (c1, …); the same id replaces. Those of past iterations stay: only add, unless the user asks for less; they approve changes of their own.",
    args: proposalArgs,
  },
  delegate: {
    description: "Sends out executors; answers with their reports.",
    args: delegateArgs,
  },
  ask_user: {
    description: "Asks the user when the iteration ends (exit_signal false).",
    args: askArgs,
  },
  end_iteration: {
    description: "Ends this iteration. Always the last call.",
    args: endArgs,
  },
} as const;

export type SessionToolName = keyof typeof tools;

export const isSessionTool = (name: string): name is SessionToolName => Object.hasOwn(tools, name);

export const parseSessionArgs = (name: SessionToolName, args: unknown): ParsedArgs =>
  parseArgs({ name, args: tools[name].args }, args);

/** The same for every session, so they stand before all others. */
export const sessionOffers: readonly OfferedTool[] = Object.entries(tools).map(([name, tool]) => ({
  name,
  description: tool.description,
  schema: argsSchema(tool),
}));
