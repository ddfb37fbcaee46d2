// What models say under the chaos: the usual run, whose research is a session of four answers each. Between its answers it
// writes, and it sends out two executors at once, so a kill can come between any two calls of a tool loop.

import { call, hallWords, inProject, longRun, step, task } from "../helpers/planner-scenario.ts";
import { type RoleScript, working } from "../helpers/role-script.ts";

/** Calls of one run that can be in flight at the same time: one of each executor. */
export const executorsAtOnce = 2;

/** `rounds`: iterations of research. */
export const longSessions =
  (rounds: number): RoleScript =>
  (asked) => {
    const { role, iteration, prompt } = asked;
    if (role !== "planner" || iteration === 1 || iteration > rounds + 1) return longRun(rounds)(asked);
    const project = inProject(prompt);
    const halls = Array.from({ length: executorsAtOnce }, (_, n) => executorsAtOnce * iteration + n);
    return [
      {
        plan: { steps: [step("s1", "in_progress"), step("s2", "pending")] },
        tool_calls: [call("create_task", { title: `Write to hall ${iteration}`, ...project })],
        status: null,
      },
      { executor_tasks: halls.map((hall) => task(`Look at hall ${hall}`, "s1")), status: null },
      {
        tool_calls: [
          call("create_document", { title: `Addresses ${iteration}`, content: hallWords, ...project }),
          call("write_note", { title: `Notes ${iteration}`, content: hallWords }),
        ],
        status: null,
      },
      {
        tool_calls: [call("create_task", { title: `Call hall ${iteration}`, ...project })],
        status: working("looking at halls", [`halls from ${halls[0]} on`]),
      },
    ];
  };
