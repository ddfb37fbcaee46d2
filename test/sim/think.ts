// What the models of a simulation say. Everything after an answer follows from it, so an answer that is asked for twice, or a
// session that is not replayed, leads to something else and is seen.

import type { Prompt } from "./provider.ts";
import type { Random } from "./random.ts";

export const ends = ["go_on", "claim", "against", "ask", "throw", "error", "tool_miss", "same_again"] as const;
export type End = (typeof ends)[number];

export type SimulatedTool =
  | "note"
  | "write"
  | "effect"
  | "repeatable_effect"
  /** It goes on without the worker that started it. */
  | "lasting_effect"
  /** It is done, and did not work. */
  | "failing"
  /** The gate for tools says no: nothing is done. */
  | "forbidden"
  /** Two executors at once. */
  | "delegate"
  | "end_iteration";

export type ThoughtCall = { readonly tool: SimulatedTool; readonly args: { readonly end?: End } };

export type Thought = {
  readonly text: string;
  readonly calls: readonly ThoughtCall[];
  /** It breaks off in the middle of its calls. */
  readonly isCutOff: boolean;
};

export const say = (text: string, calls: readonly ThoughtCall[] = []): Thought => ({ text, calls, isCutOff: false });
export const call = (tool: SimulatedTool, end?: End): ThoughtCall => ({ tool, args: end === undefined ? {} : { end } });

const plannerTools = [
  "note",
  "write",
  "write",
  "write",
  "effect",
  "effect",
  "repeatable_effect",
  "lasting_effect",
  "failing",
  "forbidden",
  "delegate",
] as const;
const executorTools = plannerTools.filter((tool) => tool !== "delegate");
const likelyEnds: readonly End[] = ["go_on", "go_on", "claim", "claim", "claim", ...ends];

/** A model that says anything. */
export const thinkAtRandom =
  (random: Random) =>
  ({ role }: Prompt): Thought => {
    switch (role) {
      case "judge":
        return say(random.pick(["yes", "yes", "yes", "no", "misquoted"]));
      case "summary":
        return say("It came to an end.");
      case "executor": {
        const calls = Array.from({ length: random.below(3) }, () => call(random.pick(executorTools)));
        return say(`strand ${random.below(1_000)}`, calls);
      }
      default:
        return plan(random);
    }
  };

function plan(random: Random): Thought {
  const calls = Array.from({ length: random.below(3) }, () => call(random.pick(plannerTools)));
  const said = `thought ${random.below(1_000)}`;
  // Without a call of its own it is asked for its end once, and is silent then.
  return random.chance(0.5) ? say(said, [...calls, call("end_iteration", random.pick(likelyEnds))]) : say(said, calls);
}
