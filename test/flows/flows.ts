// The flows that every protocol plays: whole runs with several calls, executors, questions, guidance, approvals, crashes, another
// provider in the middle, and answers that broke off.

import { call, hallWords, inProject, pageCheck, repairedRun, step } from "../helpers/planner-scenario.ts";
import { doneStatus, praise, type RoleRequest, type RoleScript, sessionOf, working } from "../helpers/role-script.ts";
import type { LabAnswer, LabRequest } from "../lab/lab-protocol.ts";
import type { Flow } from "./flow.ts";

const promise = {
  plan: { steps: [step("s1", "in_progress")] },
  deliverables: [{ id: "d1", title: "A page about the hall" }],
  checks: [pageCheck],
};
const finish = { plan: { steps: [step("s1", "done")] }, status: doneStatus };

const write = (title: string, prompt: string) =>
  call("create_document", { title, content: `# Goal\n\n${hallWords}`, ...inProject(prompt) });
const makeTask = (prompt: string) => call("create_task", { title: "Call the parish", ...inProject(prompt) });

/** The document that this conversation made last. */
const findDocument = ({ messages }: LabRequest): string =>
  messages.flatMap(({ text }) => [...text.matchAll(/Made the document ([0-9a-f-]{36})/g)]).at(-1)?.[1] ?? "";

const edit = (request: LabRequest) =>
  call("edit_document", {
    id: findDocument(request),
    edits: [{ find: "every ten minutes", replace: "every five minutes" }],
  });

/** What roles say that no flow is about. */
function sayUsual({ role, prompt }: RoleRequest): string | null {
  if (role === "judge") return praise(prompt);
  return role === "summary" ? "You get a page about the hall. ".repeat(5) : null;
}

/** Looks around with several calls at once, writes two things, edits one of them, and ends. */
const sessionAnswers = ({ prompt, request }: RoleRequest) => [
  {
    ...sessionOf({
      ...promise,
      tool_calls: [call("list_projects", {}), call("search", { query: "hall" })],
      status: null,
    }),
    text: "I look around first.",
  },
  { tool_calls: [write("The hall", prompt), makeTask(prompt)], status: null },
  { tool_calls: [edit(request), call("list_tasks", {})], status: null },
  finish,
];

export const session: RoleScript = (asked) => sayUsual(asked) ?? sessionAnswers(asked);

/** What the session comes to, however it went on the way. */
export const sessionEnd = {
  written: ["document The hall", "task Call the parish"],
  reads: ["The hall", "every five minutes"],
  asked: { planner: 4, judge: 1, summary: 1 },
} as const;

const delegation: RoleScript = (asked) => {
  const { role, prompt, turn } = asked;
  const own = /Your task: (.*)$/m.exec(prompt)?.[1] ?? "";
  if (role === "executor" && turn === 0)
    return {
      toolCalls: [
        { name: "list_documents", args: {} },
        { name: "write_note", args: { title: `Notes: ${own}`, content: hallWords } },
      ],
    };
  if (role === "executor") return `${own}: done, and it is in my note.`;
  const tasks = ["Look at the hall", "Ask the parish"].map((title) => ({
    title,
    instructions: "Find out what there is, and write it down.",
    step_id: "s1",
  }));
  return (
    sayUsual(asked) ?? [
      { ...promise, executor_tasks: tasks, status: null },
      { tool_calls: [write("The hall", prompt)], status: null },
      finish,
    ]
  );
};

const wish = "Only halls with a kitchen";
/** Some protocols put what the user says into the message that brings results. */
const hears = ({ request }: RoleRequest) =>
  request.messages.some(({ role, text }) => role !== "assistant" && text.includes(wish));
const titled = (asked: RoleRequest) => (hears(asked) ? "The hall with a kitchen" : "The hall");

const question: RoleScript = (asked) => {
  const { iteration, prompt } = asked;
  const ask = { questions: [{ text: "Which kind of hall?" }], status: working("asked", ["write the page"]) };
  if (asked.role === "planner" && iteration === 1) return { ...promise, ...ask };
  return sayUsual(asked) ?? [{ tool_calls: [write(titled(asked), prompt)], status: null }, finish];
};

/** What the user says changes a check as well: the page may be shorter. */
const lowered = { checks: [{ ...pageCheck, words_at_least: 40 }] };

const guided = (asked: RoleRequest) => [
  { ...promise, tool_calls: [call("list_projects", {})], status: null },
  { ...lowered, tool_calls: [write(titled(asked), asked.prompt)], status: null },
  finish,
];

/** Plans, plans again because of the user's wish, and works once it may. */
const approval: RoleScript = (asked) => {
  const { role, iteration, prompt } = asked;
  if (role === "planner" && iteration < 3) return { ...promise, status: working("planned", ["all of it"]) };
  return sayUsual(asked) ?? [{ tool_calls: [write(titled(asked), prompt), makeTask(prompt)], status: null }, finish];
};

/** The session, with an answer before its second one that breaks off in the middle of a call. */
export const breakOff =
  (how: Partial<LabAnswer>): RoleScript =>
  (asked) => {
    const usual = sayUsual(asked);
    if (usual !== null) return usual;
    const [first = "", second = "", ...rest] = sessionAnswers(asked);
    const half = sessionOf({
      tool_calls: [write("Half a page", asked.prompt), call("create_task", { title: "Half a task" })],
      status: null,
    });
    return [first, { ...half, text: "I write it all down.", ...how }, second, ...rest];
  };

export const flows: readonly Flow[] = [
  { name: "session", script: () => session, ...sessionEnd },
  {
    name: "delegation",
    script: () => delegation,
    written: ["document The hall", "note Notes: Ask the parish", "note Notes: Look at the hall"],
    asked: { planner: 3, executor: 4, judge: 1, summary: 1 },
  },
  {
    name: "question",
    script: () => question,
    answers: [wish],
    written: ["document The hall with a kitchen"],
    asked: { planner: 3, judge: 1, summary: 1 },
  },
  {
    name: "guidance",
    script:
      ({ steer }) =>
      async (asked) => {
        if (asked.role === "planner" && asked.turn === 0) await steer(wish);
        return sayUsual(asked) ?? guided(asked);
      },
    written: ["document The hall with a kitchen"],
    asked: { planner: 3, judge: 1, summary: 1 },
  },
  {
    name: "approval",
    over: { permission: { writeMode: "approve_plan", allowedTools: null } },
    script: () => approval,
    answers: [`Not yet. ${wish}`, "approve"],
    written: ["document The hall with a kitchen", "task Call the parish"],
    asked: { planner: 4, judge: 1, summary: 1 },
  },
  {
    name: "crash",
    script: () => session,
    deaths: [
      { key: "tool:1.0", when: "after" },
      { key: "llm:3", when: "before" },
    ],
    ...sessionEnd,
  },
  {
    name: "fallback",
    script: () => session,
    breaksAt: "planner 1.2",
    lost: ["refused"],
    ...sessionEnd,
    asked: { ...sessionEnd.asked, planner: 5 },
  },
  {
    name: "cut off",
    script: () => breakOff({ finish: "length", isHalf: true }),
    ...sessionEnd,
    asked: { ...sessionEnd.asked, planner: 5 },
  },
  {
    name: "outages",
    script: () => repairedRun,
    faults: [
      { at: "planner 1.0", fault: () => ({ status: 500 }) },
      { at: "executor 0.2", fault: (answer) => ({ ...answer, cut: 3 }) },
      { at: "planner 2.0", fault: () => ({ status: 429, headers: { "retry-after": "1" } }) },
    ],
    lost: ["lost", "refused", "refused"],
    written: ["document The hall", "note Findings"],
    asked: { planner: 5, executor: 4, repair: 1, judge: 1, summary: 1 },
  },
];
