// Agents on the wire: projects, tasks, agent runs, messages of a bus, facts, files and log lines, as their folders show them.

import { z } from "zod";
import { agentTaskStatuses } from "../../domain/agent/task-status.ts";
import { runStatuses } from "../../domain/run/run.ts";

/** Names of folders: none of them can leave the root, whatever a caller sends. */
export const agentProjectId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be the id of a project");
export const agentTaskId = z
  .string()
  .regex(/^task-\d{8}-\d{6}-[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/, "must be the id of a task");
export const agentRunId = z.string().regex(/^\d{8}-\d{10}-[1-9]\d{0,9}$/, "must be the id of an agent run");
/** Ids of messages come from files that any program may have written. */
export const messageId = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  .regex(/^[^\u0000-\u001f]+$/, "must be the id of a message");

export const taskStatus = z.enum(agentTaskStatuses);

/** When something was last heard of; null: never. */
const signOfLife = z.string().nullable();
const stop = z.object({ at: z.string(), by: z.string(), reason: z.string() });

/** Whether the agent is started again once its run ends, and why. */
const restartForecast = z.object({
  will_restart: z.enum(["yes", "no", "unknown"]),
  why: z.string(),
});

export const agentProgram = z.object({ name: z.string(), file: z.string() });

export const agentProject = z.object({
  project_id: z.string(),
  /** `homework_runs`: the tasks are those of the user's Homework runs, and only Homework starts them. */
  kind: z.enum(["own", "homework_runs"]),
  tasks: z.number(),
  /** How many of the latest tasks stand how. */
  by_status: z.partialRecord(taskStatus, z.number()),
  last_activity: signOfLife,
});

const homeworkRun = z.object({
  run_id: z.string(),
  /** How it begins. */
  objective: z.string(),
  status: z.enum(runStatuses),
  role: z.enum(["work", "review"]),
});

export const agentTask = z.object({
  project_id: z.string(),
  task_id: z.string(),
  title: z.string(),
  status: taskStatus,
  why: z.string(),
  /** When it goes on by itself; null: at once, or not by itself. */
  until: z.string().nullable(),
  /** Something of it is at work, or will be without anyone starting it. */
  is_alive: z.boolean(),
  state: z.string(),
  created_at: z.string(),
  last_activity: signOfLife,
  runs: z.number(),
  active_runs: z.number(),
  /** The agents of its runs, each once. */
  agents: z.array(z.string()),
  cost_usd: z.number().nullable(),
  open_questions: z.number(),
  restart: restartForecast,
  /** The Homework run whose agents work on it, or review it; null: a task of `run-agent` alone. */
  homework_run: homeworkRun.nullable(),
});

export const agentRun = z.object({
  run_id: z.string(),
  task_id: z.string(),
  project_id: z.string(),
  status: z.enum(["running", "completed", "failed", "unknown"]),
  is_active: z.boolean(),
  /** Null: a root run. The parent may belong to another task. */
  parent_run_id: z.string().nullable(),
  /** Null: the first of its restart chain. */
  previous_run_id: z.string().nullable(),
  agent: z.string(),
  model: z.string().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  last_output_at: signOfLife,
  exit_code: z.number().nullable(),
  error: z.string().nullable(),
  cost_usd: z.number().nullable(),
  stop_requested: stop.nullable(),
});

const usage = z.object({
  input_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
});

export const agentRunDetail = agentRun.extend({
  agent_version: z.string().nullable(),
  chosen_because: z.string().nullable(),
  command_line: z.string().nullable(),
  work_folder: z.string().nullable(),
  folder: z.string(),
  host: z.string().nullable(),
  pid: z.number().nullable(),
  usage: usage.nullable(),
  /** What the watcher of the run saw last: working, waiting, idle, stuck. Null: nothing was written down. */
  watch: z.object({ state: z.string(), since: z.string().nullable() }).nullable(),
  files: z.array(z.object({ name: z.string(), bytes: z.number() })),
});

export const busMessage = z.object({
  msg_id: z.string(),
  /** ISO 8601; empty where an old entry has none. */
  ts: z.string(),
  type: z.string(),
  /** Who says it, whatever its type: only a person's words answer questions to people. */
  speaker: z.enum(["person", "agent", "runner"]),
  task_id: z.string(),
  run_id: z.string(),
  parents: z.array(z.object({ msg_id: z.string(), kind: z.string() })),
  body: z.string(),
  /** A file beside the bus that has the whole body. */
  attachment: z.string().nullable(),
  links: z.array(z.object({ url: z.string(), label: z.string().nullable() })),
});

/** What an agent asks its user, as pages show it everywhere. */
export const agentQuestion = z.object({
  project_id: z.string(),
  task_id: z.string(),
  /** Of the task; empty where it has none. */
  title: z.string(),
  question_id: z.string(),
  /** How it begins. */
  question: z.string(),
  /** Empty: it does not say. */
  asked_at: z.string(),
});

/** Bytes of a bus that are no message. */
export const busDamage = z.object({ offset: z.number(), length: z.number(), why: z.string() });

export const agentTaskDetail = agentTask.extend({
  /** TASK.md; empty where it cannot be read. */
  text: z.string(),
  folder: z.string(),
  is_done: z.boolean(),
  stop_requested: stop.nullable(),
  depends_on: z.array(z.string()),
  /** The latest runs of the task and their children in other tasks, in the order in which they were started. */
  run_list: z.array(agentRun),
  runs_left_out: z.number(),
  questions: z.array(busMessage),
  files: z.array(z.object({ name: z.string(), bytes: z.number() })),
  problems: z.array(z.string()),
});

export const agentFact = z.object({
  file: z.string(),
  title: z.string(),
  created_at: z.string(),
  run_id: z.string(),
  text: z.string(),
  problem: z.string().nullable(),
});

export const logStreams = ["stdout", "stderr"] as const;

export const logLine = z.object({
  /** Of its first byte in the file. */
  offset: z.number(),
  /** When it came; null: not known. */
  at: z.string().nullable(),
  text: z.string(),
  /** Bytes of the line that are not in `text`. */
  bytes_left_out: z.number(),
  /** The line has no end yet: it comes again, longer, under the same offset. */
  is_open: z.boolean(),
});

export const logPage = z.object({
  stream: z.enum(logStreams),
  lines: z.array(logLine),
  /** Where the first of these lines begins, and where the next one will. */
  from: z.number(),
  next: z.number(),
  size: z.number(),
});

export const agentFile = z.object({
  name: z.string(),
  text: z.string(),
  bytes: z.number(),
  /** The text is only the end of the file. */
  is_cut: z.boolean(),
  problem: z.string().nullable(),
});

/** What a task's stream says; each event is one of these under its name. */
export const taskStreamEvents = {
  /** The task or one of its runs changed: read it again. */
  task_changed: z.object({ status: taskStatus, active_runs: z.number() }),
  run_start: z.object({ run_id: z.string() }),
  run_end: z.object({ run_id: z.string(), status: z.string() }),
  bus_message: busMessage,
  bus_damage: busDamage,
  log: z.object({ run_id: z.string(), page: logPage }),
  /** The file was written anew: what was read of it counts no more. */
  log_restart: z.object({ run_id: z.string(), stream: z.enum(logStreams) }),
} as const;
