// What the program behind the acp backend does: the agent and its arguments are its own arguments, the prompt comes on stdin, the rest is
// in the environment; JSON lines on stdout. It is started by a job. On SIGTERM it cancels the agent's turn, and then ends it.

import { type ChildProcess, spawn } from "node:child_process";
import { hasCode } from "../files/has-code.ts";
import { openBusLine } from "../runner/acp/bus-line.ts";
import { acpLimits, converse } from "../runner/acp/converse.ts";
import { openWorkFiles } from "../runner/acp/work-files.ts";
import { acpVariables, notStarted } from "../runner/backends/acp.ts";
import { permissionPolicies } from "../runner/backends/backend.ts";
import { openBus } from "../runner/bus/bus.ts";
import { inJob, locateRun } from "../runner/job/job-files.ts";
import { guessRoot } from "../runner/layout/locate.ts";
import { findTask } from "../runner/layout/runner-root.ts";
import { parseStamp, toIso } from "../runner/layout/timestamps.ts";
import { realEnv } from "./env.ts";
import { openRunnerRoot } from "./open-runner-root.ts";

/** Agents end when their input does; some need to be asked. */
const endMs = 2_000;
/** Warnings are for people who look for a reason; a flood of them is not. */
const noiseMax = 200;
const noiseLineMax = 2_000;

const tell = (line: Readonly<Record<string, unknown>>): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function readPrompt(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** Null: it was not started by a job, so there is no bus. */
function findBus(variables: NodeJS.ProcessEnv, signal: AbortSignal) {
  const {
    JRUN_PROJECT_ID: project = "",
    JRUN_TASK_ID: task = "",
    JRUN_ID: runId = "",
    JRUN_PARENT_ID: parent = "",
  } = variables;
  const folder = guessRoot({ JRUN_TASK_FOLDER: variables.JRUN_TASK_FOLDER }, "/");
  if (folder === null || runId === "") return null;
  const root = openRunnerRoot(folder);
  const place = findTask(root, project, task);
  if (place === null) return null;
  const since = toIso(parseStamp(runId) ?? root.nanos());
  const mark = inJob(locateRun(place, runId), "busSeen");
  const heard = (messageId: string) => root.disk.replace(mark, JSON.stringify({ msg_id: messageId }));
  return openBusLine(openBus(root, place), { runId, isRoot: parent === "", since, signal, log, heard });
}

function keepQuiet(): (line: string) => void {
  let count = 0;
  return (line) => {
    count += 1;
    if (count <= noiseMax) log(line.slice(0, noiseLineMax));
    if (count === noiseMax) log("(more lines that are no messages were left out)");
  };
}

const startOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((done) => {
    child.once("spawn", () => done(null));
    child.once("error", done);
  });

async function endAgent(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  const wait = () => Promise.race([exit.then(() => true), realEnv.sleep(endMs).then(() => false)]);
  child.stdin?.end();
  if (await wait()) return;
  child.kill("SIGTERM");
  if (!(await wait())) child.kill("SIGKILL");
}

/** Its exit code. */
export async function talk(): Promise<number> {
  const asked = new AbortController();
  process.on("SIGTERM", () => asked.abort(new Error("The run was stopped.")));
  const [file = "", ...args] = process.argv.slice(2);
  const own = new Set<string>(Object.values(acpVariables));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.has(name)));
  const prompt = await readPrompt();
  const workFolder = process.cwd();
  const child = spawn(file, args, { cwd: workFolder, env, stdio: ["pipe", "pipe", "inherit"] });
  const exit = new Promise<string>((done) => {
    child.once("exit", (code, signal) => done(signal === null ? `exit code ${code}` : signal));
  });
  const failure = await startOf(child);
  if (failure !== null || child.stdout === null || child.stdin === null) {
    const why = hasCode(failure, "ENOENT")
      ? "was not found. Install it, or give its full path."
      : `could not be started: ${failure}`;
    tell({ type: "end", isError: true, why: `${file} ${why}`, status: null });
    return notStarted;
  }
  const over = new AbortController();
  const bus = findBus(process.env, over.signal);
  const variable = (name: string): string | null => process.env[name] || null;
  const isGood = await converse(
    {
      prompt,
      workFolder,
      session: variable(acpVariables.session),
      model: variable(acpVariables.model),
      mode: variable(acpVariables.mode),
      permissions: permissionPolicies.find((each) => each === variable(acpVariables.permissions)) ?? "ask",
    },
    {
      output: child.stdout,
      input: child.stdin,
      exit,
      noise: keepQuiet(),
      tell,
      ask: bus?.ask ?? null,
      takeMessages: () => bus?.takeMessages() ?? [],
      // DONE and TASK_STATE.md are in the task's folder.
      files: openWorkFiles([workFolder, ...(process.env.JRUN_TASK_FOLDER ? [process.env.JRUN_TASK_FOLDER] : [])]),
      asked: asked.signal,
      sleep: realEnv.sleep,
      limits: acpLimits,
    },
  );
  await endAgent(child, exit);
  over.abort();
  return isGood ? 0 : 1;
}
