// The folder of `run-agent` over HTTP: what agents do, the bus they talk over, and the few things a person does to a task.
// Served by `run-agent serve` for the root it was started on, and by `homework serve` for the root of the signed-in user.

import { z } from "zod";
import { typesOfRunner } from "../../domain/agent/bus-types.ts";
import { limits } from "../../domain/entity/limits.ts";
import { numberIn, pageOf } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { filledText } from "../text.ts";
import {
  agentFact,
  agentFile,
  agentProgram,
  agentProject,
  agentProjectId,
  agentRun,
  agentRunDetail,
  agentRunId,
  agentTask,
  agentTaskDetail,
  agentTaskId,
  busDamage,
  busMessage,
  logPage,
  logStreams,
  messageId,
  taskStatus,
} from "./agent-shapes.ts";

const root = "/api/agents";
const project = `${root}/projects/{agentProject}` as const;
const task = `${project}/tasks/{agentTask}` as const;
const run = `${task}/runs/{agentRun}` as const;

const projectParams = z.object({ agentProject: agentProjectId });
const taskParams = projectParams.extend({ agentTask: agentTaskId });
const runParams = taskParams.extend({ agentRun: agentRunId });

/** Characters of a message; the bus puts more than 64 kB into a file of its own. */
const messageMax = 256 * 1024;
const promptMax = 256 * 1024;
/** Log lines in one answer. */
const linesMax = 5_000;

const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, "must be the name of a file");
/** The last bytes of a file. */
const tail = numberIn(1, 1024 * 1024).default(256 * 1024);
const busQuery = z.strictObject({
  limit: numberIn(1, limits.pageMax).default(limits.pageMax),
  before: messageId.optional(),
});
const busPage = z.object({ items: z.array(busMessage), has_more: z.boolean(), damages: z.array(busDamage) });
const since = messageId.optional();

const newMessage = z.strictObject({
  type: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,39}$/, "must be capitals, digits and underscores")
    .refine((type) => !typesOfRunner.includes(type), "is posted by the runner only")
    .default("USER"),
  message: filledText(messageMax),
  parents: z.array(messageId).max(20).default([]),
  run_id: agentRunId.optional(),
});

const newTask = z.strictObject({
  prompt: filledText(promptMax).optional(),
  /** The project is made where it is missing. */
  new_project: z.boolean().default(false),
  /** An existing task, to start it again. */
  task_id: agentTaskId.optional(),
  attach_mode: z.enum(["new", "restart"]).default("new"),
  /** Where the agent works; left out: the task's own folder. */
  project_root: filledText(4_000).optional(),
  agent: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be the name of an agent")
    .optional(),
  depends_on: z.array(agentTaskId).max(50).default([]),
});

const stopBody = z.strictObject({ reason: filledText(500).default("Stopped on the page.") });
const stopped = z.object({ task_id: z.string(), runs: z.array(z.string()) });

const route = routesTagged("agents");

export const agentRoutes = {
  info: route(`GET ${root}`, {
    policy: read,
    summary: "Whether agents can be seen and started here, and which agents are on this machine",
    result: z.object({
      is_available: z.boolean(),
      /** Null: nothing can be started; otherwise tasks can. */
      why_not_start: z.string().nullable(),
      root: z.string(),
      agents: z.array(agentProgram),
    }),
  }),
  projects: route(`GET ${root}/projects`, {
    policy: read,
    summary: "Projects, the latest activity first",
    result: z.object({ items: z.array(agentProject) }),
  }),
  project: route(`GET ${project}`, {
    policy: read,
    summary: "One project",
    params: projectParams,
    result: agentProject,
  }),
  tasks: route(`GET ${project}/tasks`, {
    policy: read,
    summary: "Tasks of a project, the newest first",
    params: projectParams,
    query: z.strictObject({
      limit: numberIn(1, limits.pageMax).default(limits.pageDefault),
      cursor: agentTaskId.optional(),
      status: taskStatus.optional(),
    }),
    result: pageOf(agentTask),
  }),
  start: route(`POST ${project}/tasks`, {
    policy: act,
    summary: "Create a task and start it, or start an existing one again",
    params: projectParams,
    body: newTask,
    result: z.object({ task_id: z.string(), status: z.literal("started") }),
    creates: true,
  }),
  runs: route(`GET ${project}/runs`, {
    policy: read,
    summary: "The latest agent runs of a project with parents and restart chains",
    params: projectParams,
    query: z.strictObject({ limit: numberIn(1, limits.pageMax).default(limits.pageMax) }),
    result: z.object({ items: z.array(agentRun) }),
  }),
  projectBus: route(`GET ${project}/bus`, {
    policy: read,
    summary: "Messages of a project, the last ones",
    params: projectParams,
    query: busQuery,
    result: busPage,
  }),
  postToProject: route(`POST ${project}/bus`, {
    policy: act,
    summary: "Post a message to a project",
    params: projectParams,
    body: newMessage,
    result: busMessage,
    creates: true,
  }),
  projectBusStream: route(`GET ${project}/bus/stream`, {
    policy: read,
    summary: "Messages of a project as they come, after `since`; without it, those from now on",
    params: projectParams,
    query: z.strictObject({ since }),
    result: z.string(),
    streams: true,
  }),
  projectFacts: route(`GET ${project}/facts`, {
    policy: read,
    summary: "Facts of a project",
    params: projectParams,
    result: z.object({ items: z.array(agentFact) }),
  }),
  projectFile: route(`GET ${project}/file`, {
    policy: read,
    summary: "A fact or an attachment of a project",
    params: projectParams,
    query: z.strictObject({ name: fileName, tail }),
    result: agentFile,
  }),
  task: route(`GET ${task}`, {
    policy: read,
    summary: "A task with its runs, its open questions, and whether it will be started again",
    params: taskParams,
    result: agentTaskDetail,
  }),
  stopTask: route(`POST ${task}/stop`, {
    policy: act,
    summary: "Stop a task and its runs; it is not started again",
    params: taskParams,
    body: stopBody,
    result: stopped,
  }),
  bus: route(`GET ${task}/bus`, {
    policy: read,
    summary: "Messages of a task, the last ones",
    params: taskParams,
    query: busQuery,
    result: busPage,
  }),
  post: route(`POST ${task}/bus`, {
    policy: act,
    summary: "Post a message to a task",
    params: taskParams,
    body: newMessage,
    result: busMessage,
    creates: true,
  }),
  answer: route(`POST ${task}/answer`, {
    policy: act,
    summary: "Answer a question of an agent; refused where it has an answer",
    params: taskParams,
    body: z.strictObject({ question_id: messageId, text: filledText(messageMax) }),
    result: busMessage,
    creates: true,
  }),
  busStream: route(`GET ${task}/bus/stream`, {
    policy: read,
    summary: "Messages of a task as they come, after `since`; without it, those from now on",
    params: taskParams,
    query: z.strictObject({ since }),
    result: z.string(),
    streams: true,
  }),
  stream: route(`GET ${task}/stream`, {
    policy: read,
    summary:
      "All that happens to a task: changes, runs, messages, and the log of one run from these offsets on. The id of each event is the cursor to come back with (Last-Event-ID)",
    params: taskParams,
    query: z.strictObject({
      since,
      run_id: agentRunId.optional(),
      stdout: numberIn(0).optional(),
      stderr: numberIn(0).optional(),
    }),
    result: z.string(),
    streams: true,
  }),
  facts: route(`GET ${task}/facts`, {
    policy: read,
    summary: "Facts of a task",
    params: taskParams,
    result: z.object({ items: z.array(agentFact) }),
  }),
  file: route(`GET ${task}/file`, {
    policy: read,
    summary: "A file of a task: TASK.md, TASK_STATE.md, TASK-CONFIG.yaml, a fact, an attachment",
    params: taskParams,
    query: z.strictObject({ name: fileName, tail }),
    result: agentFile,
  }),
  run: route(`GET ${run}`, {
    policy: read,
    summary: "One agent run",
    params: runParams,
    result: agentRunDetail,
  }),
  stopRun: route(`POST ${run}/stop`, {
    policy: act,
    summary: "Stop one agent run; its task may start another",
    params: runParams,
    body: stopBody,
    result: stopped,
  }),
  runFile: route(`GET ${run}/file`, {
    policy: read,
    summary: "A file of a run: prompt.md, output.md, run-info.yaml, agent-stdout.txt, agent-stderr.txt",
    params: runParams,
    query: z.strictObject({ name: fileName, tail }),
    result: agentFile,
  }),
  log: route(`GET ${run}/log`, {
    policy: read,
    summary: "Lines of a run's output with their times: from an offset on, before one, or the last ones",
    params: runParams,
    query: z.strictObject({
      stream: z.enum(logStreams).default("stdout"),
      from: numberIn(0).optional(),
      up_to: numberIn(0).optional(),
      lines: numberIn(1, linesMax).default(2_000),
    }),
    result: logPage,
  }),
} as const;
