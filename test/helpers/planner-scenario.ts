// The scenario that models of the lab play with the planner engine: it promises a page, has it researched and written, and
// says so. With parts to build others from.

import { doneStatus, praise, type RoleScript, working } from "./role-script.ts";

export const objective = "Find a hall for the repair café";

export const hallWords = [
  "The hall is free on Saturdays and has tables, light and power for twenty people.",
  "Its rent is paid by the parish, which asks for nothing but a clean floor afterwards.",
  "A tram stops in front of the door every ten minutes until late in the evening.",
  "The kitchen next to it may be used for coffee if someone brings cups and milk.",
  "Tools are kept in a locked cupboard whose key hangs at the office on the first floor.",
].join(" ");

/** The usual run: promises a page, has it researched and written, and says so. */
export const pageRun: RoleScript = ({ role, iteration, turn, prompt }) => {
  if (role === "summary") return "It was asked for a page. ".repeat(6);
  if (role === "judge") return praise(prompt);
  if (role === "executor")
    return turn === 0
      ? { toolCalls: [{ name: "write_note", args: { title: "Findings", content: hallWords } }] }
      : "I looked at the hall and wrote a note about it.";
  if (iteration === 1)
    return {
      plan: { steps: [step("s1", "in_progress"), step("s2", "pending")] },
      deliverables: [{ id: "d1", title: "A page about the hall" }],
      checks: [pageCheck],
      executor_tasks: [task("Look at the hall", "s1")],
    };
  if (iteration === 2)
    return {
      plan: { steps: [step("s1", "done"), step("s2", "in_progress")] },
      tool_calls: [
        call("create_document", { title: "The hall", content: `# Goal\n\n${hallWords}`, ...inProject(prompt) }),
      ],
    };
  return { status: doneStatus, plan: { steps: [step("s1", "done"), step("s2", "done", madeBefore(prompt))] } };
};

/** The same, but the executor gets the arguments of its call wrong, twice. */
export const repairedRun: RoleScript = (asked) => {
  if (asked.role === "repair") return JSON.stringify({ title: "Findings", content: hallWords });
  if (asked.role === "executor" && asked.turn < 2)
    return { toolCalls: [{ name: "write_note", args: { name: "Findings", body: hallWords } }] };
  return pageRun(asked);
};

/** The same, but the research takes `rounds` more iterations: in each, two halls are looked at and a task is made. */
export const longRun =
  (rounds: number): RoleScript =>
  (asked) => {
    const { role, iteration, prompt } = asked;
    if (role !== "planner" || iteration === 1) return repairedRun(asked);
    if (iteration > rounds + 1) return pageRun({ ...asked, iteration: iteration - rounds });
    const halls = [2 * iteration, 2 * iteration + 1];
    return {
      status: working("looking at halls", [`halls from ${2 * iteration} on`]),
      plan: { steps: [step("s1", "in_progress"), step("s2", "pending")] },
      tool_calls: [call("create_task", { title: `Write to hall ${iteration}`, ...inProject(prompt) })],
      executor_tasks: halls.map((hall) => task(`Look at hall ${hall}`, "s1")),
    };
  };

export const step = (id: string, status: "pending" | "in_progress" | "done", evidence: readonly string[] = []) => ({
  id,
  title: `Step ${id}`,
  status,
  evidence: [...evidence],
});

export const task = (title: string, stepId: string) => ({
  title,
  instructions: "Find out what there is, and write it down.",
  step_id: stepId,
});

export const call = (tool: string, args: Record<string, unknown>) => ({ tool, args });

export const pageCheck = {
  id: "c1",
  deliverable_id: "d1",
  kind: "document_has" as const,
  title_like: "hall",
  headings: ["Goal"],
  words_at_least: 50,
  sources_at_least: 0,
};

/** The first project that the prompt names. */
export const inProject = (prompt: string) => ({
  project_id: /^- project "[^\n]*": ([0-9a-f-]{36})$/m.exec(prompt)?.[1] ?? "",
});

/** Ids of what the last iteration made or changed, as the prompt lists them. */
export const madeBefore = (prompt: string): readonly string[] =>
  [...prompt.matchAll(/^- \w+ "[^\n]*": ([0-9a-f-]{36})$/gm)]
    .filter(([line]) => !line.startsWith("- project "))
    .map(([, id = ""]) => id);
