// What the model lab says in tests of a run's pages: scripts that ask, wait for a yes, stop, or go on and on. Objectives name
// the scene, so that several runs can be at work at once.

import { call, hallWords, inProject, madeBefore, pageCheck, step } from "./planner-scenario.ts";
import { doneStatus, praise, type ScriptedIteration, type SlowScript, working } from "./role-script.ts";

/** Promises a page about a hall, writes it in iteration `writesIn`, and says that it is done in the one after. */
export function hallScript(writesIn = 2): SlowScript {
  return ({ role, iteration, prompt }) => {
    if (role === "judge") return praise(prompt);
    if (role !== "planner") return "It looked for a hall and wrote a page about it. ".repeat(4);
    if (iteration < writesIn) return { status: working(`looking, round ${iteration}`), ...promise("in_progress") };
    if (iteration === writesIn)
      return {
        status: working("writing the page"),
        ...promise("in_progress"),
        tool_calls: [
          call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) }),
        ],
      };
    return { status: doneStatus, ...promise("done", madeBefore(prompt)) };
  };
}

const promise = (status: "in_progress" | "done", evidence: readonly string[] = []) => ({
  plan: { steps: [{ ...step("s1", status, evidence), title: "Look for a hall and write about it" }] },
  deliverables: [{ id: "d1", title: "A page about the hall" }],
  checks: [pageCheck],
});

/** Asks these in iteration 1 and goes on as `after` does, one iteration later. */
export function askingScript(questions: NonNullable<ScriptedIteration["questions"]>, after: SlowScript): SlowScript {
  return (asked) => {
    if (asked.role !== "planner") return after(asked);
    if (asked.iteration === 1)
      return {
        status: working("asking"),
        ...promise("in_progress"),
        questions,
      };
    return after({ ...asked, iteration: asked.iteration - 1 });
  };
}

/** Goes on for ever, a task each time. */
export const endlessScript: SlowScript = ({ role, iteration, prompt }) =>
  role === "planner"
    ? {
        status: working(`round ${iteration}`, [`from ${iteration} on`]),
        ...promise("in_progress"),
        tool_calls: [call("create_task", { title: `Task ${iteration}`, ...inProject(prompt) })],
      }
    : "It went on.";

/** The same, but nothing is answered before the gate of that iteration is open. */
export function gated(script: SlowScript, gates: Readonly<Record<number, Promise<void>>>): SlowScript {
  return async (asked) => {
    if (asked.role === "planner") await gates[asked.iteration];
    return script(asked);
  };
}
