// The environment of an agent, built from nothing: what every program needs, what its backend lets through, and on top what the runner
// says about the run, which nothing can override. Keys of vendors come in only where the backend lets its own through.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import type { AgentCommand } from "../backends/backend.ts";
import { quote } from "../layout/ids.ts";
import { inTask, type RunFolder } from "../layout/runner-root.ts";
import { marks } from "./process-table.ts";

export type Variables = Readonly<Record<string, string>>;

export type AgentSurroundings = {
  /** What the starter itself was started with. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where `run-agent` is: it comes first in PATH. */
  readonly binFolder: string;
  /** So that a `run-agent` that an agent calls works on the same root with the same settings; null: it finds them by itself. */
  readonly rootFolder?: string | null;
  readonly configFile?: string | null;
};

export type EnvRequest = AgentSurroundings & {
  readonly command: Pick<AgentCommand, "env" | "lets">;
  readonly run: RunFolder;
  readonly tag: string;
  readonly parentRunId: string;
  /** Null: there is no server. */
  readonly conductorUrl: string | null;
  readonly tempFolder: string;
  /** Null: that of the person who started the run. */
  readonly homeFolder: string | null;
};

/** Needed to run at all, to speak the right language, and to reach the network of this place. */
const basic = [
  ..."HOME USER LOGNAME SHELL LANG LANGUAGE TZ".split(" "),
  ..."HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS".split(" "),
  ..."SystemRoot SystemDrive ComSpec PATHEXT USERPROFILE APPDATA LOCALAPPDATA ProgramData ProgramFiles".split(" "),
];
const isBasic = (name: string): boolean => basic.includes(name) || /^LC_[A-Z]+$/.test(name);

/** Ours: neither a backend nor the environment sets them. With CLAUDECODE set, claude takes itself for a nested session and does not start. */
const isReserved = (name: string): boolean =>
  /^(JRUN|RUN_AGENT|CONDUCTOR)_/i.test(name) ||
  /^CLAUDECODE$/i.test(name) ||
  /^CLAUDE_CODE_(ENTRYPOINT|SSE_PORT)$/i.test(name);

const fallbackPath = "/usr/local/bin:/usr/bin:/bin";

export function buildAgentEnv(request: EnvRequest): Variables {
  const { variables, binFolder, command, tempFolder, homeFolder } = request;
  const isLet = (name: string) => isBasic(name) || command.lets.includes(name);
  const given = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isLet(entry[0]),
  );
  const wanted = [...given, ...Object.entries(command.env)].filter(([name]) => !isReserved(name));
  const env = {
    TERM: "dumb",
    NO_COLOR: "1",
    ...Object.fromEntries(wanted),
    PATH: putFirst(binFolder, command.env.PATH ?? variables.PATH ?? fallbackPath),
    TMPDIR: tempFolder,
    TMP: tempFolder,
    TEMP: tempFolder,
    ...(homeFolder === null ? {} : { HOME: homeFolder, USERPROFILE: homeFolder }),
    ...describeRun(request),
  };
  checkVariables(env);
  return env;
}

function describeRun({ run, tag, parentRunId, conductorUrl, rootFolder, configFile }: EnvRequest): Variables {
  return {
    ...(rootFolder == null ? {} : { RUN_AGENT_ROOT: rootFolder }),
    ...(configFile == null ? {} : { RUN_AGENT_CONFIG: configFile }),
    JRUN_PROJECT_ID: run.task.projectId,
    JRUN_TASK_ID: run.task.taskId,
    JRUN_ID: run.runId,
    [marks.parentRun]: parentRunId,
    JRUN_RUNS_DIR: inTask(run.task, "runs"),
    JRUN_MESSAGE_BUS: inTask(run.task, "bus"),
    [marks.taskFolder]: run.task.path,
    [marks.runFolder]: run.path,
    ...(conductorUrl === null ? {} : { JRUN_CONDUCTOR_URL: conductorUrl }),
    [marks.tag]: tag,
  };
}

function putFirst(folder: string, searched: string): string {
  const rest = searched.split(path.delimiter).filter((each) => each !== "" && each !== folder);
  return [folder, ...rest].join(path.delimiter);
}

/** What no system can pass on is found here, where it can be told by name. */
function checkVariables(env: Variables): void {
  for (const [name, value] of Object.entries(env))
    if (name === "" || /[=\0]/.test(name) || value.includes("\0") || !value.isWellFormed() || !name.isWellFormed())
      throw new AppError(
        "unprocessable",
        `The agent cannot be started: ${quote(name)} has a name or value that a process cannot have.`,
      );
}

/** For programs of ours: enough to run, and nothing of the agent run that they may have been started from. */
export function buildShimEnv({ variables }: Pick<AgentSurroundings, "variables">, tag: string | null): Variables {
  const given = Object.entries(variables).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isBasic(entry[0]) || /^(PATH|TMPDIR)$/.test(entry[0])),
  );
  return { ...Object.fromEntries(given), ...(tag === null ? {} : { [marks.shim]: tag }) };
}
