// What run-agent knows of one kind of agent: how it is started, what its output says, and what its end means. One file each beside
// this one; processes, files and time are the job's business.

export const backendNames = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "acp",
  "perplexity",
  "openai",
  "command",
] as const;
export type BackendName = (typeof backendNames)[number];

/** These answer and have no tools: they cannot write a file or DONE. */
export const answersOnly = (type: BackendName): boolean => type === "perplexity" || type === "openai";

/** What is asked of an agent. Folders and files are absolute paths. */
export type AgentRequest = {
  readonly promptFile: string;
  /** Where the agent works. */
  readonly workFolder: string;
  /**
   * A folder of this run alone, for what the agent keeps beside its work: settings, sessions, drafts. To go on with a session it is
   * the folder that the session was begun in.
   */
  readonly ownFolder: string;
  readonly model: string | null;
  readonly baseUrl: string | null;
  /** Null: the agent uses the login or key of the person who started the run. */
  readonly token: string | null;
  /** A session of an earlier run to go on with; null begins a new one. */
  readonly session: string | null;
  /** Of the configuration: for `command` and `acp` the program and its arguments, for others arguments on top. */
  readonly program: readonly string[];
  /** For `acp`: what an agent is answered that asks for permission. */
  readonly permissions?: PermissionPolicy;
  /** For `acp`: the mode of the session; null: the agent's own choice. */
  readonly mode?: string | null;
  /** For `acp`: which variable the key goes into, where the program is not one that we know. */
  readonly keyVariable?: string | null;
};

/** `allow`: what stays in the folders that the agent works in; the rest is asked. `ask`: a person decides by the bus. */
export const permissionPolicies = ["allow", "ask", "reject"] as const;
export type PermissionPolicy = (typeof permissionPolicies)[number];

/** A process to start. The prompt is never an argument where a file or stdin will do. */
export type AgentCommand = {
  readonly file: string;
  readonly args: readonly string[];
  /** Set on top of what is let through. Reserved names (JRUN_*) are the job's and win. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the surrounding environment that this agent may see, beside the few that every program needs. */
  readonly lets: readonly string[];
  readonly stdin: "prompt" | "nothing";
  /** Folders and files that have to be there before it starts: absolute paths below the run's own folder. */
  readonly folders: readonly string[];
  readonly files: readonly { readonly path: string; readonly text: string }[];
};

export type Tokens = {
  /** Without what came from a cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Reasoning included. */
  readonly output: number;
  /** How much of the output it was, where that is told. */
  readonly reasoning: number;
};

/** What an agent's output tells, in one vocabulary for all of them. */
export type AgentEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      readonly status: "started" | "done" | "failed";
      readonly text: string;
    }
  | { readonly kind: "retry"; readonly why: string; readonly status: number | null }
  | LimitEvent
  | ErrorEvent;

/** What the provider says about its limits. */
export type LimitEvent = {
  readonly kind: "limit";
  readonly isRejected: boolean;
  readonly why: string;
  readonly untilMs: number | null;
};
/** `status` is the HTTP status of the provider's answer, where it is told. */
export type ErrorEvent = { readonly kind: "error"; readonly why: string; readonly status: number | null };

/** What is known from the output so far. */
export type Heard = {
  readonly session: string | null;
  /** The last event by which this agent says how it ended; null: it never said so. */
  readonly end: { readonly isError: boolean; readonly why: string } | null;
  /** The agent's last words, for output.md. */
  readonly text: string;
  /** The last few things the agent itself said, shortened; what tools printed is not among them. */
  readonly speech: readonly string[];
  readonly tokens: Tokens | null;
  readonly costUsd: number | null;
  /** Tokens and cost are of the whole session, not of this run alone. */
  readonly isSessionTotal: boolean;
  readonly retries: number;
  /** The last error; one that was tried again counts until the agent goes on. */
  readonly error: ErrorEvent | null;
  /** The provider's last word about its limits. */
  readonly limit: LimitEvent | null;
  /** A notice of a limit in plain words behind its last event. */
  readonly aside?: string;
};

/** Reads lines one by one; a line may be anything, and of any length. */
export type OutputReader = { readonly line: (text: string) => readonly AgentEvent[]; readonly heard: () => Heard };

export type AgentEnd = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The job ended it: it was silent for too long, or took too long. */
  readonly wasTimedOut: boolean;
  readonly heard: Heard;
  /** The last lines of stderr. */
  readonly stderr: string;
  /** Of this machine: agents tell times of day without one. */
  readonly timeZone: string;
};

/** What an end means for the loop. An exit code alone is no verdict. */
export type Verdict =
  | { readonly kind: "ok" }
  /** Worth another try: at once after a short pause, or not before a time. */
  | { readonly kind: "transient"; readonly why: string; readonly notBeforeMs: number | null }
  /** Another try would end the same way: a key, a quota, a missing program, a wrong model. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

export type Backend = {
  readonly name: BackendName;
  /** Which variable its key goes into. */
  readonly keyVariable: string | null;
  readonly command: (request: AgentRequest) => AgentCommand;
  readonly reader: () => OutputReader;
  readonly judge: (end: AgentEnd, nowMs: number) => Verdict;
  /** On SIGTERM its first process ends the others in good order; they are asked only when it is gone. */
  readonly cancelsItself?: true;
  /** How its version is asked for; null: it has none. */
  readonly version: readonly string[] | null;
};
